#include <memory>
#include <string>

#include "services/model/dn.h"
#include "services/model/schema.h"
#include "tests/fuzz/fuzz.h"

using twintree::fuzz::Check;
using twintree::model::Dn;
using twintree::model::DnKey;
using twintree::model::Result;
using twintree::model::Schema;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::shared_ptr<const Schema> kSchema = Schema::Standard();
  const std::string_view text = twintree::fuzz::Octets(data, size);
  const Result<Dn> dn = Dn::Parse(text);
  const Result<DnKey> direct = kSchema->NormalizeDn(text);
  if (!dn.ok()) {
    Check(!direct.ok(), "what is no name has no key");
    return 0;
  }
  const Result<Dn> again = Dn::Parse(dn->ToString());
  Check(again.ok() && again->ToString() == dn->ToString(), "a name's text is a fixed point");
  const Result<DnKey> key = kSchema->NormalizeDn(*dn);
  Check(key.ok() == direct.ok(), "both ways to a key agree");
  if (!key.ok()) return 0;
  Check(*key == *direct, "both ways give the same key");
  Check(key->size() == dn->size(), "a key has the name's RDNs");
  const Result<DnKey> of_text = kSchema->NormalizeDn(dn->ToString());
  Check(of_text.ok() && *of_text == *key, "the name's own text has the same key");
  const DnKey copy = DnKey::FromNormalized(key->text());
  Check(copy.size() == key->size() && copy.parent() == key->parent(), "a key's text is the key");
  const Result<DnKey> of_key = kSchema->NormalizeDn(key->text());
  Check(of_key.ok() && *of_key == *key, "normalising is idempotent");
  return 0;
}
