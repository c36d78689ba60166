#include <string>

#include "ldap_gateway/ber/ber.h"
#include "tests/fuzz/fuzz.h"

namespace {

using twintree::fuzz::Check;
namespace ber = twintree::ber;

// Walks all elements, constructed ones too, and writes them again. REQUIRES: depth < 100.
bool Copy(std::string_view octets, int depth, std::string* out) {
  ber::Reader reader(octets);
  ber::Writer writer(out);
  ber::Element element;
  while (reader.Next(&element)) {
    const bool constructed = (element.tag & 0x20) != 0;
    if (!constructed || depth == 0) {
      writer.OctetString(element.content, element.tag);
      continue;
    }
    const std::size_t mark = writer.Begin(element.tag);
    if (!Copy(element.content, depth - 1, out)) return false;
    writer.End(mark);
  }
  Check(reader.ok() == reader.Finished(), "a reader stops at the end or at an error");
  return reader.ok();
}

void CheckHeader(std::string_view octets) {
  const ber::Header header = ber::PeekHeader(octets);
  if (header.state != ber::HeaderState::kComplete) return;
  Check(header.size <= octets.size(), "a complete header is there");
  Check(header.length <= 0xffffffffu, "a length is bounded");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view octets = twintree::fuzz::Octets(data, size);
  CheckHeader(octets);
  std::string once;
  if (!Copy(octets, 50, &once)) return 0;
  Check(once.size() <= octets.size(), "minimal lengths are no longer than others");
  std::string twice;
  Check(Copy(once, 50, &twice), "what was written can be read");
  Check(once == twice, "minimal form is a fixed point");
  return 0;
}
