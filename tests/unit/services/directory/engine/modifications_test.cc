#include "services/directory/engine/modifications.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

using model::ModificationKind;
using model::ResultCode;

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

TEST_F(ModificationsTest, BoundsWhatManyIncrementsGoThrough) {
  attributes_ = {attributes_.back()};
  attributes_.front().values = {std::string(kMaxIncrementedBytes / 2, '1')};
  const std::vector<model::Modification> twice(
      2, {ModificationKind::kIncrement, {"uidNumber", {"1"}}});
  EXPECT_EQ(ApplyAll(twice), ResultCode::kSuccess);
  const std::vector<model::Modification> often(4, twice.front());
  EXPECT_EQ(ApplyAll(often), ResultCode::kAdminLimitExceeded);
}

TEST_F(ModificationsTest, AnAttributeThatWasGoneComesBackAtTheEnd) {
  using enum ModificationKind;
  EXPECT_EQ(ApplyAll({{kDelete, "cn", {"A", "b"}},
                      {kAdd, "description", {"new"}},
                      {kAdd, "cn", {"b"}},
                      {kReplace, "sn", {"y"}}}),
            ResultCode::kSuccess);
  std::string order;
  for (const model::Attribute& one : attributes_) order += one.description.text + " ";
  EXPECT_EQ(order, "sn uidNumber description cn ");
}

TEST_F(ModificationsTest, RefusesAValueWithoutKeyWhenItsTurnComes) {
  using enum ModificationKind;
  EXPECT_EQ(ApplyAll({{kAdd, "uidNumber", {"10"}}, {kDelete, "uidNumber", {"ten"}}}),
            ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(ApplyAll({{kDelete, "uidNumber", {"11"}}, {kDelete, "uidNumber", {"ten"}}}),
            ResultCode::kNoSuchAttribute);
}

TEST_F(ModificationsTest, RandomOnesTogetherComeOutAsOneByOne) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::minstd_rand random(seed);
  const auto pick = [&](std::vector<std::string> of) { return of[random() % of.size()]; };
  std::size_t succeeded = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<model::Modification> some;
    for (std::size_t i = 0; i < 2 + random() % 6; ++i) {
      const auto kind = static_cast<ModificationKind>(random() % 3);
      std::vector<std::string> values = {pick({"a", "B", "c"})};
      if (random() % 4 == 0) values.push_back(pick({"A", "d", "E"}));
      if (kind != ModificationKind::kAdd && random() % 6 == 0) values.clear();
      some.push_back({kind, {pick({"cn", "commonName", "sn", "cn;lang-de"}), values}});
    }
    const auto bound = BindModifications(some, *schema_, relations_, &matches_);
    if (!bound.ok()) continue;
    std::vector<model::Attribute> together = attributes_;
    std::vector<model::Attribute> single = attributes_;
    const model::Status status = ApplyModifications(*bound, &matches_, &together);
    model::Status expected;
    for (std::size_t i = 0; i < bound->size() && expected.ok(); ++i) {
      expected = ApplyModification((*bound)[i], &matches_, &single);
    }
    ASSERT_EQ(status.code(), expected.code());
    if (!status.ok()) continue;
    ++succeeded;
    ASSERT_EQ(model::Entry::Encode(together, *schema_).octets(),
              model::Entry::Encode(single, *schema_).octets());
  }
  EXPECT_GT(succeeded, 100u);
}

// Counts how often a value is looked at.
class CountingRule final : public model::MatchingRule {
 public:
  explicit CountingRule(const model::MatchingRule& real) : real_(real) {}
  bool AppliesTo(const model::AttributeType& type) const override { return real_.AppliesTo(type); }
  model::Result<std::string> ValueKey(std::string_view value) const override {
    ++looks;
    return real_.ValueKey(value);
  }
  model::Result<std::string> AssertionKey(std::string_view assertion) const override {
    return real_.AssertionKey(assertion);
  }
  model::Result<std::string> PieceKey(std::string_view piece,
                                      model::SubstringPosition position) const override {
    return real_.PieceKey(piece, position);
  }
  bool Equals(std::string_view value, std::string_view key) const override {
    ++looks;
    return real_.Equals(value, key);
  }

  mutable std::size_t looks = 0;

 private:
  const model::MatchingRule& real_;
};

TEST_F(ModificationsTest, AlternatingChangesLookThroughAGroupOnce) {
  using enum ModificationKind;
  constexpr int kMembers = 4000;
  constexpr int kChanges = 400;
  model::AttributeType type = *schema_->FindAttributeType("description");
  const CountingRule rule(*type.equality);
  type.equality = &rule;
  const model::AttributeDescription group{&type, {}, "group"};
  const model::AttributeDescription other{&type, {"x-other"}, "group;x-other"};
  std::vector<model::Attribute> attributes = {{group, Numbers(kMembers)}, {other, Numbers(1)}};
  std::vector<BoundModification> changes;
  for (int i = 0; i < kChanges; ++i) {
    changes.push_back({kAdd, {group, {"new " + std::to_string(i)}}, {}});
    changes.push_back({kReplace, {other, {"other"}}, {}});
    changes.push_back({kDelete, {group, {"value " + std::to_string(i)}}, {}});
  }
  ASSERT_TRUE(ApplyModifications(changes, &matches_, &attributes).ok());
  EXPECT_EQ(attributes.front().values.size(), std::size_t{kMembers});
  EXPECT_EQ(attributes.front().values.front(), "value 400");
  EXPECT_LE(rule.looks, std::size_t{kMembers + 2 * kChanges});
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
