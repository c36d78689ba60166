#include "tests/fuzz/filter_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto filter = twintree::model::Filter::Decode(twintree::fuzz::Octets(data, size));
  if (filter.ok()) twintree::fuzz::CheckFilter(*filter);
  return 0;
}
