#include <sstream>
#include <string>

#include "services/model/ldif.h"
#include "tests/fuzz/fuzz.h"

namespace {

using twintree::fuzz::Check;
using twintree::model::LdifChange;
using twintree::model::LdifReader;
using twintree::model::LdifRecord;

// Writes a record of content and reads it back.
void CheckContent(const LdifRecord& record) {
  std::string text;
  AppendLdifEntry(record.dn, record.attributes, &text);
  std::istringstream input(text);
  LdifReader reader(input, {});
  const auto again = reader.Next();
  Check(again.ok() && again->has_value(), "what was written can be read");
  const LdifRecord& copy = **again;
  Check(copy.dn == record.dn, "the name survives");
  Check(copy.attributes.size() == record.attributes.size(), "no attribute is lost");
  for (std::size_t i = 0; i < copy.attributes.size(); ++i) {
    Check(copy.attributes[i].description == record.attributes[i].description &&
              copy.attributes[i].values == record.attributes[i].values,
          "descriptions and values survive");
  }
  const auto end = reader.Next();
  Check(end.ok() && !end->has_value(), "one record was written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(twintree::fuzz::Octets(data, size));
  std::uint64_t lines = 1;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  std::istringstream input(text);
  LdifReader reader(input, {.max_record_bytes = 4096});
  std::uint64_t last_line = 0;
  for (std::uint64_t records = 0;; ++records) {
    Check(records <= lines, "every record takes a line");
    const auto next = reader.Next();
    if (!next.ok()) {
      Check(reader.error_line() > last_line && reader.error_line() <= lines, "errors have a line");
      last_line = reader.error_line();
      continue;
    }
    if (!next->has_value()) return 0;
    Check((*next)->line > last_line, "records come in order");
    last_line = (*next)->line;
    if ((*next)->change == LdifChange::kContent) CheckContent(**next);
  }
}
