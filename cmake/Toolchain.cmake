# How everything is compiled and linked: language level, optimisation, sanitizers, ccache, linker.

include_guard(GLOBAL)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g -D_GLIBCXX_ASSERTIONS")

if(TWINTREE_SANITIZE)
  # -O1 keeps sanitized tests quick, -g1 keeps file and line in their reports.
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1 -D_GLIBCXX_ASSERTIONS")
  add_compile_options(
    "-fsanitize=${TWINTREE_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options("-fsanitize=${TWINTREE_SANITIZE}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND TWINTREE_SANITIZE MATCHES "thread")
    # g++ warns about fences that the thread sanitizer does not see; Boost.Asio uses them.
    add_compile_options(-Wno-tsan)
  endif()
endif()

# Paths in debug information and in __FILE__ start at the repository: builds are reproducible, and
# two checkouts share one compiler cache.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")

if(TWINTREE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TWINTREE_CCACHE_PROGRAM ccache)
  mark_as_advanced(TWINTREE_CCACHE_PROGRAM)
  if(TWINTREE_CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
                                    "${TWINTREE_CCACHE_PROGRAM}")
  endif()
endif()

if(TWINTREE_FAST_LINKER)
  find_program(TWINTREE_MOLD_PROGRAM mold)
  find_program(TWINTREE_LLD_PROGRAM ld.lld)
  mark_as_advanced(TWINTREE_MOLD_PROGRAM TWINTREE_LLD_PROGRAM)
  if(TWINTREE_MOLD_PROGRAM)
    add_link_options(-fuse-ld=mold)
  elseif(TWINTREE_LLD_PROGRAM)
    add_link_options(-fuse-ld=lld)
  endif()
endif()
add_link_options(LINKER:--as-needed)

if(TWINTREE_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(LANGUAGES CXX)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()
