# Everything Twintree links, from Debian 12's own packages. script/bootstrap installs them all.
#
# Targets: gRPC::grpc++ gRPC::grpc++_reflection protobuf::libprotobuf Boost::headers
#          SQLite::SQLite3 prometheus-cpp::pull prometheus-cpp::core ICU::uc OpenSSL::SSL
#          OpenSSL::Crypto CLI11::CLI11 spdlog::spdlog fmt::fmt yaml-cpp::yaml-cpp
#          nlohmann_json::nlohmann_json PkgConfig::sodium PkgConfig::argon2 PkgConfig::crypt
#          PkgConfig::jemalloc PkgConfig::zstd
#          Threads::Threads GTest::gmock_main benchmark::benchmark_main

include_guard(GLOBAL)

set(twintree_missing_packages)

# find_package that remembers which Debian packages would provide what is missing.
macro(twintree_find_package debian_packages package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(STATUS "Missing: ${package} (Debian: ${debian_packages})")
    list(APPEND twintree_missing_packages ${debian_packages})
  endif()
endmacro()

# The same for a library that has a pkg-config file: target PkgConfig::<prefix>.
macro(twintree_find_module debian_package prefix module)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
  endif()
  if(NOT ${prefix}_FOUND)
    message(STATUS "Missing: ${module} (Debian: ${debian_package})")
    list(APPEND twintree_missing_packages ${debian_package})
  endif()
endmacro()

twintree_find_package("libc6-dev" Threads)
twintree_find_package("libssl-dev" OpenSSL 3.0)
twintree_find_package("libprotobuf-dev;protobuf-compiler" Protobuf 3.21)
# prometheus-cpp's and gRPC's own package files look for the libraries below without saying which
# Debian package has them.
twintree_find_package("zlib1g-dev" ZLIB)
twintree_find_package("libcurl4-openssl-dev" CURL)
if(ZLIB_FOUND AND CURL_FOUND)
  twintree_find_package("prometheus-cpp-dev" prometheus-cpp CONFIG)
endif()
twintree_find_package("libgrpc++-dev" gRPC CONFIG)
twintree_find_package("libboost1.81-dev" Boost 1.81 CONFIG)
twintree_find_package("libsqlite3-dev" SQLite3 3.40)
twintree_find_package("libicu-dev" ICU 72 COMPONENTS uc)
twintree_find_package("libcli11-dev" CLI11 CONFIG)
twintree_find_package("libfmt-dev" fmt CONFIG)
twintree_find_package("libspdlog-dev" spdlog CONFIG)
twintree_find_package("libyaml-cpp-dev" yaml-cpp CONFIG)
twintree_find_package("nlohmann-json3-dev" nlohmann_json CONFIG)
twintree_find_package("pkg-config" PkgConfig)
twintree_find_module("libsodium-dev" sodium libsodium)
twintree_find_module("libargon2-dev" argon2 libargon2)
twintree_find_module("libcrypt-dev" crypt libcrypt)
twintree_find_module("libjemalloc-dev" jemalloc jemalloc)
twintree_find_module("libzstd-dev" zstd libzstd)
if(TWINTREE_TESTS)
  twintree_find_package("libgtest-dev;libgmock-dev" GTest CONFIG)
  twintree_find_package("libbenchmark-dev" benchmark CONFIG)
endif()

if(gRPC_FOUND AND NOT TARGET gRPC::grpc_cpp_plugin)
  list(APPEND twintree_missing_packages protobuf-compiler-grpc)
endif()
if(Protobuf_FOUND AND NOT TARGET protobuf::protoc)
  list(APPEND twintree_missing_packages protobuf-compiler)
endif()

if(twintree_missing_packages)
  list(REMOVE_DUPLICATES twintree_missing_packages)
  list(JOIN twintree_missing_packages " " packages)
  message(
    FATAL_ERROR
      "Libraries are missing. Run script/bootstrap, or on Debian 12:\n"
      "  apt-get install --no-install-recommends ${packages}")
endif()

# Debian's yaml-cpp 0.7 calls its target yaml-cpp; one spelling with a namespace is a target name
# for sure, where a bare word could also be taken for a linker flag.
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
