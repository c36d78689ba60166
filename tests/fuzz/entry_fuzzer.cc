#include <memory>
#include <string>
#include <vector>

#include "services/model/entry.h"
#include "tests/fuzz/fuzz.h"

using twintree::fuzz::Check;
using twintree::model::Entry;
using twintree::model::Result;
using twintree::model::Schema;
using twintree::model::StoredAttribute;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::shared_ptr<const Schema> kSchema = Schema::Standard();
  const Result<Entry> entry =
      Entry::Decode(std::string(twintree::fuzz::Octets(data, size)), *kSchema);
  if (!entry.ok()) return 0;
  for (const StoredAttribute& attribute : entry->attributes()) {
    Check(!attribute.values().empty(), "a stored attribute has values");
    Check(attribute.values().begin() != attribute.values().end(), "values can be walked");
  }
  // Damage may put attributes into the wrong section and use long lengths; once encoded, the
  // octets stay the same.
  const Entry once = Entry::Encode(entry->ToAttributes(*kSchema), *kSchema);
  Check(once.attributes().size() == entry->attributes().size(), "no attribute is lost");
  const Entry twice = Entry::Encode(once.ToAttributes(*kSchema), *kSchema);
  Check(once.octets() == twice.octets(), "the stored form is a fixed point");
  return 0;
}
