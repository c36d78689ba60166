// What the fuzzers share: the input as octets, and a check that stops the fuzzer.
#ifndef TWINTREE_TESTS_FUZZ_FUZZ_H_
#define TWINTREE_TESTS_FUZZ_FUZZ_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace twintree::fuzz {

inline std::string_view Octets(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void Check(bool holds, const char* claim) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", claim);
  std::abort();
}

}  // namespace twintree::fuzz

// libFuzzer's entry point, which has no header of its own.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

#endif  // TWINTREE_TESTS_FUZZ_FUZZ_H_
