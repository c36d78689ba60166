#include "tests/fuzz/filter_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto filter = twintree::model::Filter::Parse(twintree::fuzz::Octets(data, size));
  if (!filter.ok()) return 0;
  const auto again = twintree::model::Filter::Parse(filter->ToString());
  twintree::fuzz::Check(again.ok(), "what was read as text can be written as text");
  twintree::fuzz::CheckFilter(*filter);
  return 0;
}
