#include "services/directory/engine/modifications.h"

#include <gtest/gtest.h>

#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

using model::ModificationKind;
using model::ResultCode;

TEST(AddDecimalsTest, AddsWithSignsAndAnySize) {
  EXPECT_EQ(AddDecimals("1", "2"), "3");
  EXPECT_EQ(AddDecimals("99", "1"), "100");
  EXPECT_EQ(AddDecimals("5", "-5"), "0");
  EXPECT_EQ(AddDecimals("-5", "5"), "0");
  EXPECT_EQ(AddDecimals("1", "-3"), "-2");
  EXPECT_EQ(AddDecimals("-3", "1"), "-2");
  EXPECT_EQ(AddDecimals("-3", "-8"), "-11");
  EXPECT_EQ(AddDecimals("1000", "-1"), "999");
  EXPECT_EQ(AddDecimals("99999999999999999999", "1"), "100000000000000000000");
  EXPECT_EQ(AddDecimals("0", "0"), "0");
}

class ModificationsTest : public testing::Test {
 protected:
  model::Result<std::vector<BoundModification>> Bind(ModificationKind kind, std::string attribute,
                                                     std::vector<std::string> values) {
    const model::Modification one{kind, {std::move(attribute), std::move(values)}};
    return BindModifications({&one, 1}, *schema_, relations_, &matches_);
  }
  ResultCode Apply(ModificationKind kind, std::string attribute, std::vector<std::string> values) {
    const auto bound = Bind(kind, std::move(attribute), std::move(values));
    if (!bound.ok()) return bound.code();
    return ApplyModification(bound->front(), &matches_, &attributes_).code();
  }

  static std::vector<std::string> Numbers(int count) {
    std::vector<std::string> numbers;
    for (int i = 0; i < count; ++i) numbers.push_back("value " + std::to_string(i));
    return numbers;
  }
  // All or nothing.
  ResultCode ApplyAll(std::vector<model::Modification> modifications) {
    const auto bound = BindModifications(modifications, *schema_, relations_, &matches_);
    if (!bound.ok()) return bound.code();
    std::vector<model::Attribute> changed = attributes_;
    const model::Status status = ApplyModifications(*bound, &matches_, &changed);
    if (status.ok()) attributes_ = std::move(changed);
    return status.code();
  }

  std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
  SchemaRelations relations_{*schema_};
  PasswordMatches matches_;
  std::vector<model::Attribute> attributes_ =
      ParseAttributes("cn: a\ncn: b\nsn: x\nuidNumber: 9", *schema_);
};

TEST_F(ModificationsTest, DropsAttributesWithoutValues) {
  EXPECT_EQ(Apply(ModificationKind::kDelete, "cn", {"A", "B"}), ResultCode::kSuccess);
  EXPECT_EQ(attributes_.size(), 2u);
}

TEST_F(ModificationsTest, DeletesManyByKey) {
  std::vector<std::string> values = Numbers(20);
  EXPECT_EQ(Apply(ModificationKind::kAdd, "description", values), ResultCode::kSuccess);
  values.resize(18);
  EXPECT_EQ(Apply(ModificationKind::kDelete, "description", values), ResultCode::kSuccess);
  EXPECT_EQ(attributes_.back().values, (model::ValueList{"value 18", "value 19"}));
  EXPECT_EQ(Apply(ModificationKind::kDelete, "description", values), ResultCode::kNoSuchAttribute);
}

TEST_F(ModificationsTest, DeletesAValueByAnySpelling) {
  EXPECT_EQ(Apply(ModificationKind::kAdd, "member", {"cn=A,dc=x", "cn=b\\, c,dc=x", "cn=d"}),
            ResultCode::kSuccess);
  EXPECT_EQ(Apply(ModificationKind::kDelete, "member", {"2.5.4.3 = B\\2C  C , DC=X"}),
            ResultCode::kSuccess);
  EXPECT_EQ(attributes_.back().values, (model::ValueList{"cn=A,dc=x", "cn=d"}));
}

TEST_F(ModificationsTest, RefusesToDeleteAValueTwice) {
  std::vector<std::string> many = Numbers(20);
  EXPECT_EQ(Apply(ModificationKind::kAdd, "description", many), ResultCode::kSuccess);
  EXPECT_EQ(Apply(ModificationKind::kDelete, "description", {"value 1", "VALUE 1"}),
            ResultCode::kNoSuchAttribute);
  many.push_back("Value 7");
  EXPECT_EQ(Apply(ModificationKind::kDelete, "description", many), ResultCode::kNoSuchAttribute);
}

TEST_F(ModificationsTest, RefusesToAddWhatIsThereInAnotherSpelling) {
  EXPECT_EQ(Apply(ModificationKind::kAdd, "member", {"cn=A,dc=x", "cn=b,dc=x"}),
            ResultCode::kSuccess);
  EXPECT_EQ(Apply(ModificationKind::kAdd, "member", {"CN = B,DC=X"}),
            ResultCode::kAttributeOrValueExists);
  std::vector<std::string> many;
  for (const std::string& number : Numbers(20)) many.push_back("cn=" + number);
  many.push_back("commonName=a,dc=x");
  EXPECT_EQ(Apply(ModificationKind::kAdd, "member", many), ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(Apply(ModificationKind::kAdd, "member", {"cn=b,dc=x,dc=y"}), ResultCode::kSuccess);
}

TEST_F(ModificationsTest, DeletesOneOfSeveralPasswords) {
  EXPECT_EQ(Apply(ModificationKind::kAdd, "userPassword", {"{x}1", "{x}2", "{x}3"}),
            ResultCode::kSuccess);
  EXPECT_EQ(Apply(ModificationKind::kDelete, "userPassword", {"{x}2"}), ResultCode::kSuccess);
  EXPECT_EQ(attributes_.back().values, (model::ValueList{"{x}1", "{x}3"}));
  EXPECT_EQ(Apply(ModificationKind::kDelete, "userPassword", {"{x}2"}),
            ResultCode::kNoSuchAttribute);
}

TEST_F(ModificationsTest, NeighboursComeOutAsOneByOne) {
  using enum ModificationKind;
  EXPECT_EQ(ApplyAll({{kAdd, "cn", {"c"}},
                      {kAdd, "cn", {"d"}},
                      {kDelete, "cn", {"A"}},
                      {kDelete, "cn", {"B"}},
                      {kAdd, "cn", {"a"}}}),
            ResultCode::kSuccess);
  EXPECT_EQ(attributes_.front().values, (model::ValueList{"c", "d", "a"}));
  EXPECT_EQ(ApplyAll({{kAdd, "cn", {"x"}}, {kAdd, "cn", {"X"}}}),
            ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(ApplyAll({{kDelete, "cn", {"c"}}, {kDelete, "cn", {"C"}}}),
            ResultCode::kNoSuchAttribute);
  EXPECT_EQ(ApplyAll({{kDelete, "cn", {"c"}}, {kDelete, "cn", {}}}), ResultCode::kSuccess);
  // Without an equality rule only the first value can be added.
  EXPECT_EQ(ApplyAll({{kAdd, "jpegPhoto", {"1"}}, {kAdd, "jpegPhoto", {"2"}}}),
            ResultCode::kInappropriateMatching);
  EXPECT_EQ(ApplyAll({{kAdd, "sn", {"y"}}, {kAdd, "sn;lang-de", {"y"}}}), ResultCode::kSuccess);
}

TEST_F(ModificationsTest, IncrementsEveryValue) {
  EXPECT_EQ(Apply(ModificationKind::kIncrement, "uidNumber", {"-10"}), ResultCode::kSuccess);
  EXPECT_EQ(attributes_.back().values, model::ValueList{"-1"});
}

TEST_F(ModificationsTest, RefusesLanguageRanges) {
  EXPECT_EQ(Bind(ModificationKind::kReplace, "cn;lang-en-", {"x"}).code(),
            ResultCode::kUndefinedAttributeType);
}

TEST_F(ModificationsTest, NeedsToLearnAboutExpensivePasswords) {
  const auto stored = passwords::Hash(passwords::Scheme::kArgon2, model::Secret("one"));
  ASSERT_TRUE(stored.ok());
  ASSERT_EQ(Apply(ModificationKind::kAdd, "userPassword", {*stored}), ResultCode::kSuccess);
  const auto bound = Bind(ModificationKind::kDelete, "userPassword", {"one"});
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(ApplyModification(bound->front(), &matches_, &attributes_).code(), ResultCode::kBusy);
  ASSERT_TRUE(matches_.has_unknown());
  matches_.LearnUnknown();
  EXPECT_TRUE(ApplyModification(bound->front(), &matches_, &attributes_).ok());
}

}  // namespace
}  // namespace twintree::directory
