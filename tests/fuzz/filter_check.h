// What holds for every filter, however it was read.
#ifndef TWINTREE_TESTS_FUZZ_FILTER_CHECK_H_
#define TWINTREE_TESTS_FUZZ_FILTER_CHECK_H_

#include <memory>
#include <string>
#include <vector>

#include "services/model/compiled_filter.h"
#include "services/model/filter.h"
#include "tests/fuzz/fuzz.h"

namespace twintree::fuzz {

// A small entry with a name; everything may be searched.
class FuzzTarget : public model::FilterTarget {
 public:
  FuzzTarget() {
    model::Result<model::Entry> entry = model::Entry::Decode(MakeOctets(), *schema_);
    entry_ = std::make_unique<model::Entry>(std::move(entry).value());
  }

  const model::Schema& schema() const { return *schema_; }
  const model::Entry& entry() override { return *entry_; }
  const model::DnKey& dn_key() override { return dn_key_; }
  std::vector<std::string> DerivedValues(const model::AttributeType& type) override {
    const model::Schema::WellKnown& known = schema_->well_known();
    if (&type == known.entry_dn) return {kName};
    if (&type == known.has_subordinates) return {"FALSE"};
    return {};
  }
  bool MaySearch(const model::AttributeType&) override { return true; }

 private:
  static constexpr const char* kName = "uid=a+cn=b,dc=c";

  static std::string MakeOctets() {
    std::string attributes;
    const auto add = [&attributes](std::string_view type, std::vector<std::string> values) {
      model::AppendPartialAttribute(type, values, &attributes);
    };
    add("objectClass", {"inetOrgPerson"});
    add("cn", {"b", "a  B"});
    add("cn;lang-de", {"\xc3\xbc"});
    add("uid", {"a"});
    add("uidNumber", {"12"});
    add("manager", {"cn=b,dc=c"});
    std::string octets(5, '\0');
    octets[0] = 1;
    octets[1] = static_cast<char>(attributes.size());
    octets[2] = static_cast<char>(attributes.size() >> 8);
    return octets + attributes;
  }

  std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
  std::unique_ptr<model::Entry> entry_;
  model::DnKey dn_key_ = schema_->NormalizeDn(kName).value();
};

inline std::string Encoded(const model::Filter& filter) {
  std::string octets;
  filter.Encode(&octets);
  return octets;
}

inline void CheckFilter(const model::Filter& filter) {
  const std::string octets = Encoded(filter);
  const model::Result<model::Filter> from_octets = model::Filter::Decode(octets);
  Check(from_octets.ok() && Encoded(*from_octets) == octets, "BER is lossless");
  const std::string text = filter.ToString();
  Check(from_octets->ToString() == text, "BER keeps the text");
  // Attribute descriptions from the wire need not be well-formed; then the text is for people.
  const model::Result<model::Filter> from_text = model::Filter::Parse(text);
  if (from_text.ok()) Check(Encoded(*from_text) == octets, "text is lossless");

  static FuzzTarget target;
  const model::CompiledFilter compiled = model::CompiledFilter::Compile(filter, target.schema());
  model::Filter negation;
  negation.kind = model::FilterKind::kNot;
  negation.children.push_back(filter);
  const model::CompiledFilter negated = model::CompiledFilter::Compile(negation, target.schema());
  const model::Truth truth = compiled.Evaluate(target, target.schema());
  const model::Truth opposite = negated.Evaluate(target, target.schema());
  Check((truth == opposite) == (truth == model::Truth::kUndefined), "NOT turns truth around");
  if (compiled.MatchesEverything(target.schema())) {
    Check(truth == model::Truth::kTrue, "what matches everything matches this");
  }
}

}  // namespace twintree::fuzz

#endif  // TWINTREE_TESTS_FUZZ_FILTER_CHECK_H_
