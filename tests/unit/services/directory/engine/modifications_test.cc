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
  const std::vector<std::string> values{"1", "2", "3", "4", "5", "6"};
  EXPECT_EQ(Apply(ModificationKind::kAdd, "description", values), ResultCode::kSuccess);
  EXPECT_EQ(Apply(ModificationKind::kDelete, "description", {"1", "2", "3", "4", "7"}),
            ResultCode::kNoSuchAttribute);
}

TEST_F(ModificationsTest, IncrementsEveryValue) {
  EXPECT_EQ(Apply(ModificationKind::kIncrement, "uidNumber", {"-10"}), ResultCode::kSuccess);
  EXPECT_EQ(attributes_.back().values, std::vector<std::string>{"-1"});
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
