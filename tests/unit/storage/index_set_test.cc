#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "storage/index.h"

namespace twintree::storage {
namespace {

using model::ResultCode;
using testing::HasSubstr;

std::shared_ptr<const model::Schema> TestSchema() { return model::Schema::Standard(); }

IndexSet MakeSet(const std::vector<IndexSpec>& specs) {
  return IndexSet::Make(specs, *TestSchema()).value();
}

TEST(IndexSpecTest, ReadsAllKinds) {
  const IndexSpec spec = IndexSpec::Parse("cn=eq,pres,sub,ord").value();
  EXPECT_EQ(spec.attribute, "cn");
  EXPECT_EQ(spec.kinds, kEqualityIndex | kPresenceIndex | kSubstringIndex | kOrderingIndex);
}

TEST(IndexSpecTest, WritesWhatItReads) {
  for (const char* text : {"cn=eq", "2.5.4.3=pres,sub", "uidNumber=eq,ord"}) {
    EXPECT_EQ(ToString(IndexSpec::Parse(text).value()), text);
  }
}

TEST(IndexSpecTest, NamesThePartThatIsWrong) {
  for (const char* text : {"cn", "=eq", "cn=", "cn=eq,", "cn=equality", "cn=eq,,sub", "cn=EQ"}) {
    const auto spec = IndexSpec::Parse(text);
    ASSERT_EQ(spec.code(), ResultCode::kOther) << text;
    EXPECT_THAT(spec.error().message, HasSubstr(text));
  }
}

TEST(IndexSetTest, TakesAnyNameOfAType) {
  const IndexSet set = MakeSet({{"commonName", kEqualityIndex}, {"2.5.4.3", kSubstringIndex}});
  ASSERT_EQ(set.attributes().size(), 1U);
  EXPECT_EQ(set.attributes()[0].kinds, kEqualityIndex | kSubstringIndex);
  EXPECT_NE(set.Find(*TestSchema()->FindAttributeType("cn")), nullptr);
  EXPECT_EQ(set.Find(*TestSchema()->FindAttributeType("sn")), nullptr);
}

TEST(IndexSetTest, FindsByNumber) {
  const IndexSet set = MakeSet({{"cn", kEqualityIndex}, {"sn", kEqualityIndex}});
  for (const IndexedAttribute& attribute : set.attributes()) {
    EXPECT_EQ(set.FindNumber(attribute.number), &attribute);
  }
  EXPECT_EQ(set.FindNumber(2), nullptr);
}

TEST(IndexSetTest, DoesNotIndexSubtypes) {
  const IndexSet set = MakeSet({{"name", kEqualityIndex}});
  EXPECT_EQ(set.Find(*TestSchema()->FindAttributeType("cn")), nullptr);
}

TEST(IndexSetTest, RefusesAnUnknownAttribute) {
  const std::vector<IndexSpec> specs = {{"noSuchThing", kEqualityIndex}};
  const auto set = IndexSet::Make(specs, *TestSchema());
  ASSERT_EQ(set.code(), ResultCode::kUndefinedAttributeType);
  EXPECT_THAT(set.error().message, HasSubstr("noSuchThing"));
}

TEST(IndexSetTest, RefusesAnIndexWithoutItsRule) {
  for (const IndexSpec& spec :
       {IndexSpec{"jpegPhoto", kEqualityIndex}, IndexSpec{"uidNumber", kSubstringIndex},
        IndexSpec{"cn", kOrderingIndex}}) {
    const auto set = IndexSet::Make(std::span(&spec, 1), *TestSchema());
    ASSERT_EQ(set.code(), ResultCode::kInappropriateMatching) << spec.attribute;
    EXPECT_THAT(set.error().message, HasSubstr(spec.attribute));
  }
}

TEST(IndexSetTest, FingerprintIgnoresOrderAndNames) {
  EXPECT_EQ(MakeSet({{"cn", kEqualityIndex}, {"sn", kEqualityIndex}}).Fingerprint(),
            MakeSet({{"surname", kEqualityIndex}, {"2.5.4.3", kEqualityIndex}}).Fingerprint());
}

TEST(IndexSetTest, FingerprintTellsKindsApart) {
  EXPECT_NE(MakeSet({{"cn", kEqualityIndex}}).Fingerprint(),
            MakeSet({{"cn", kSubstringIndex}}).Fingerprint());
}

TEST(IndexSetTest, CanBeMadeAgainFromItsSpecs) {
  const IndexSet set = MakeSet(DefaultIndexes());
  EXPECT_EQ(MakeSet(set.Specs()).Fingerprint(), set.Fingerprint());
}

TEST(IndexSetTest, DefaultsFitTheStandardSchema) {
  const auto set = IndexSet::Make(DefaultIndexes(), *TestSchema());
  ASSERT_TRUE(set.ok()) << set.error().message;
  EXPECT_EQ(set->attributes().size(), DefaultIndexes().size());
}

}  // namespace
}  // namespace twintree::storage
