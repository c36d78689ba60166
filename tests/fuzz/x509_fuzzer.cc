#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/x509_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const twintree::fuzz::X509Check check;
  const char* const claim = check(twintree::fuzz::Octets(data, size));
  twintree::fuzz::Check(claim == nullptr, claim);
  return 0;
}
