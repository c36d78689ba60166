# The functions every CMakeLists.txt of the tree uses.
#
#   twintree_add_library(NAME [SOURCES a.cc ...] [HEADERS a.h ...] [DEPS target ...]
#                        [PRIVATE_DEPS target ...])
#       Static library twintree_NAME with the alias twintree::NAME; without SOURCES an interface
#       library. Includes start at the repository root. DEPS are linked PUBLIC, PRIVATE_DEPS
#       PRIVATE; both take full target names (twintree::model, SQLite::SQLite3).
#
#   twintree_add_executable(NAME SOURCES main.cc ... [DEPS target ...])
#       Executable bin/NAME.
#
#   twintree_add_test(NAME LABEL unit|contract|integration|load SOURCES a_test.cc ...
#                     [DEPS target ...] [TIMEOUT seconds] [PROCESSORS n] [RUN_SERIAL]
#                     [NEEDS target ...] [ENVIRONMENT NAME=value ...])
#       GoogleTest executable bin/NAME (GoogleMock and main included), one ctest test of that name.
#       NEEDS are targets to build before it runs, for tests that start executables.
#
#   twintree_add_script_test(NAME LABEL ... COMMAND command argument... [TIMEOUT seconds]
#                            [PROCESSORS n] [RUN_SERIAL] [ENVIRONMENT NAME=value ...])
#       A ctest test that runs a command; python3 as its first word is the system's own, for which
#       script/bootstrap installs modules, and not another one that comes first in PATH.
#
#       Every test runs in the repository's root, with TWINTREE_SOURCE_DIR and TWINTREE_BIN_DIR in
#       its environment. Default time limits in seconds: unit 60, contract 120, integration 180,
#       load 300; four times as much under a sanitizer.
#
#   twintree_add_proto_library(NAME PROTOS twintree/x/v1/x.proto ... [DEPS target ...])
#       Library twintree_NAME, alias twintree::NAME, of the messages and gRPC services in PROTOS.
#       Paths are relative to the repository's folder proto/, which is also the import root, so
#       the header is "twintree/x/v1/x.pb.h". DEPS are other proto libraries.
#
#   twintree_add_benchmark(NAME SOURCES a_benchmark.cc ... [DEPS target ...])
#       Google Benchmark executable bin/NAME (main included); not part of the tests.
#
#   twintree_add_folders(folder ...)
#       add_subdirectory for each folder that has a CMakeLists.txt.

include_guard(GLOBAL)

set(twintree_warnings
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    -Wnon-virtual-dtor
    -Woverloaded-virtual)
if(TWINTREE_WERROR)
  list(APPEND twintree_warnings -Werror)
endif()

# Stops at an argument that a function does not know, or a required one that is missing.
macro(twintree_check_arguments function name)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(required IN ITEMS ${ARGN})
    if(NOT DEFINED arg_${required})
      message(FATAL_ERROR "${function}(${name}): ${required} is missing")
    endif()
  endforeach()
endmacro()

function(twintree_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;DEPS;PRIVATE_DEPS")
  twintree_check_arguments(twintree_add_library ${name})
  if(arg_SOURCES)
    add_library(twintree_${name} STATIC ${arg_SOURCES} ${arg_HEADERS})
    target_compile_options(twintree_${name} PRIVATE ${twintree_warnings})
    target_include_directories(twintree_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(twintree_${name} PUBLIC ${arg_DEPS} PRIVATE ${arg_PRIVATE_DEPS})
  else()
    if(arg_PRIVATE_DEPS)
      message(FATAL_ERROR "twintree_add_library(${name}): PRIVATE_DEPS without SOURCES")
    endif()
    add_library(twintree_${name} INTERFACE ${arg_HEADERS})
    target_include_directories(twintree_${name} INTERFACE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(twintree_${name} INTERFACE ${arg_DEPS})
  endif()
  add_library(twintree::${name} ALIAS twintree_${name})
endfunction()

function(twintree_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPS")
  twintree_check_arguments(twintree_add_executable ${name} SOURCES)
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE ${twintree_warnings})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_DEPS})
endfunction()

# Label, time limit, environment and working directory of the ctest test `name`, from the caller's
# arg_ variables.
function(twintree_set_test_properties name)
  set(timeout_unit 60)
  set(timeout_contract 120)
  set(timeout_integration 180)
  set(timeout_load 300)
  if(NOT DEFINED timeout_${arg_LABEL})
    message(FATAL_ERROR "Test ${name}: LABEL must be unit, contract, integration or load")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT ${timeout_${arg_LABEL}})
  endif()
  if(TWINTREE_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 4")
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  set(environment
      "TWINTREE_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
      "TWINTREE_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
      ${arg_ENVIRONMENT})
  set_tests_properties(
    ${name}
    PROPERTIES LABELS "${arg_LABEL}"
               TIMEOUT "${arg_TIMEOUT}"
               PROCESSORS "${arg_PROCESSORS}"
               RUN_SERIAL "${arg_RUN_SERIAL}"
               SKIP_RETURN_CODE 77
               WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
               ENVIRONMENT "${environment}")
endfunction()

function(twintree_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RUN_SERIAL" "LABEL;TIMEOUT;PROCESSORS"
                        "SOURCES;DEPS;NEEDS;ENVIRONMENT")
  twintree_check_arguments(twintree_add_test ${name} LABEL SOURCES)
  if(NOT TWINTREE_TESTS)
    return()
  endif()
  twintree_add_executable(${name} SOURCES ${arg_SOURCES} DEPS ${arg_DEPS} GTest::gmock_main)
  if(arg_NEEDS)
    add_dependencies(${name} ${arg_NEEDS})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  twintree_set_test_properties(${name})
endfunction()

function(twintree_add_script_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RUN_SERIAL" "LABEL;TIMEOUT;PROCESSORS"
                        "COMMAND;ENVIRONMENT")
  twintree_check_arguments(twintree_add_script_test ${name} LABEL COMMAND)
  if(NOT TWINTREE_TESTS)
    return()
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(program STREQUAL "python3")
    find_program(TWINTREE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
    mark_as_advanced(TWINTREE_PYTHON)
    set(program "${TWINTREE_PYTHON}")
  endif()
  add_test(NAME ${name} COMMAND "${program}" ${arg_COMMAND})
  twintree_set_test_properties(${name})
endfunction()

function(twintree_add_proto_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PROTOS;DEPS")
  twintree_check_arguments(twintree_add_proto_library ${name} PROTOS)
  set(import_root "${PROJECT_SOURCE_DIR}/proto")
  set(generated_root "${PROJECT_BINARY_DIR}/proto_generated")
  file(MAKE_DIRECTORY "${generated_root}")
  # A proto may import any other one of its library, so all of them count as its inputs.
  list(TRANSFORM arg_PROTOS PREPEND "${import_root}/" OUTPUT_VARIABLE inputs)
  set(generated)
  foreach(proto IN LISTS arg_PROTOS)
    string(REGEX REPLACE "\\.proto$" "" stem "${proto}")
    set(outputs
        "${generated_root}/${stem}.pb.cc"
        "${generated_root}/${stem}.pb.h"
        "${generated_root}/${stem}.grpc.pb.cc"
        "${generated_root}/${stem}.grpc.pb.h")
    add_custom_command(
      OUTPUT ${outputs}
      COMMAND protobuf::protoc "--proto_path=${import_root}" "--cpp_out=${generated_root}"
              "--grpc_out=${generated_root}"
              "--plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin>" "${proto}"
      DEPENDS ${inputs} protobuf::protoc
      COMMENT "Generating C++ of ${proto}"
      VERBATIM)
    list(APPEND generated ${outputs})
  endforeach()
  add_library(twintree_${name} STATIC ${generated})
  add_library(twintree::${name} ALIAS twintree_${name})
  target_compile_options(twintree_${name} PRIVATE -w)
  target_include_directories(twintree_${name} SYSTEM PUBLIC "${generated_root}")
  target_link_libraries(twintree_${name} PUBLIC ${arg_DEPS} gRPC::grpc++ protobuf::libprotobuf)
endfunction()

function(twintree_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPS")
  twintree_check_arguments(twintree_add_benchmark ${name} SOURCES)
  if(NOT TWINTREE_TESTS)
    return()
  endif()
  twintree_add_executable(${name} SOURCES ${arg_SOURCES} DEPS ${arg_DEPS} benchmark::benchmark_main)
  # The allocator of the executable that is measured.
  if(NOT TWINTREE_SANITIZE)
    target_link_libraries(${name} PRIVATE -Wl,--no-as-needed PkgConfig::jemalloc -Wl,--as-needed)
  endif()
endfunction()

function(twintree_add_folders)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
      add_subdirectory("${folder}")
    endif()
  endforeach()
endfunction()
