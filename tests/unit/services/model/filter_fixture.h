// What the tests of compiled filters share: an entry made from a few lines, and its target.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_MODEL_FILTER_FIXTURE_H_
#define TWINTREE_TESTS_UNIT_SERVICES_MODEL_FILTER_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/model/compiled_filter.h"

namespace twintree::model {

inline std::ostream& operator<<(std::ostream& out, Truth truth) {
  constexpr std::string_view kNames[] = {"False", "True", "Undefined"};
  return out << kNames[static_cast<int>(truth)];
}

// An entry with a name, some types of which may be hidden from the requester.
class TestTarget : public FilterTarget {
 public:
  TestTarget(std::string dn, Entry entry, const Schema& schema)
      : dn_(std::move(dn)),
        dn_key_(schema.NormalizeDn(dn_).value()),
        entry_(std::move(entry)),
        schema_(schema) {}

  void Hide(std::string_view type) { hidden_.insert(schema_.FindAttributeType(type)); }

  const Entry& entry() override { return entry_; }
  const DnKey& dn_key() override { return dn_key_; }
  std::vector<std::string> DerivedValues(const AttributeType& type) override {
    const Schema::WellKnown& known = schema_.well_known();
    if (&type == known.entry_dn) return {dn_};
    if (&type == known.has_subordinates) return {"TRUE"};
    if (&type == known.num_subordinates) return {"3"};
    if (&type == known.subschema_subentry) return {"cn=Subschema"};
    return {};
  }
  bool MaySearch(const AttributeType& type) override { return !hidden_.contains(&type); }

 private:
  std::string dn_;
  DnKey dn_key_;
  Entry entry_;
  const Schema& schema_;
  std::set<const AttributeType*> hidden_;
};

class FilterFixture : public testing::Test {
 protected:
  using Values = std::vector<std::pair<std::string_view, std::vector<std::string>>>;

  Entry MakeEntry(const Values& values) {
    std::vector<Attribute> attributes;
    for (const auto& [description, octets] : values) {
      Result<AttributeDescription> parsed = AttributeDescription::Parse(description, *schema_);
      EXPECT_TRUE(parsed.ok()) << description;
      if (parsed.ok()) attributes.push_back({std::move(parsed).value(), octets});
    }
    return Entry::Encode(attributes, *schema_);
  }

  std::unique_ptr<TestTarget> MakeTarget(std::string dn, const Values& values) {
    return std::make_unique<TestTarget>(std::move(dn), MakeEntry(values), *schema_);
  }

  CompiledFilter Compiled(std::string_view text) {
    const Result<Filter> filter = Filter::Parse(text);
    EXPECT_TRUE(filter.ok()) << text;
    return CompiledFilter::Compile(filter.ok() ? *filter : Filter(), *schema_);
  }

  Truth Evaluate(TestTarget& target, std::string_view text) {
    return Compiled(text).Evaluate(target, *schema_);
  }

  std::shared_ptr<const Schema> schema_ = Schema::Standard();
};

}  // namespace twintree::model

#endif  // TWINTREE_TESTS_UNIT_SERVICES_MODEL_FILTER_FIXTURE_H_
