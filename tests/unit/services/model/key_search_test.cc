#include "services/model/key_search.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/schema.h"

namespace twintree::model {
namespace {

class KeySearchTest : public testing::Test {
 protected:
  const MatchingRule& Rule(std::string_view name) { return *schema_->FindMatchingRule(name); }
  static std::vector<std::string> Keys(const MatchingRule& rule,
                                       const std::vector<std::string>& values) {
    std::vector<std::string> keys;
    for (const std::string& value : values) keys.push_back(rule.ValueKey(value).value());
    return keys;
  }

  std::shared_ptr<const Schema> schema_ = Schema::Standard();
};

TEST_F(KeySearchTest, FindsAnySpelling) {
  const MatchingRule& rule = Rule("distinguishedNameMatch");
  const std::vector<std::string> keys = Keys(rule, {"cn=a b,dc=x", "cn=c\\,d,dc=x"});
  const KeySearch search(rule, keys);
  EXPECT_EQ(search.Find("CN = A  B , DC=X"), 0u);
  EXPECT_EQ(search.Find("2.5.4.3=C\\2CD,dc=x"), 1u);
  EXPECT_EQ(search.Find("cn=a,dc=x"), std::nullopt);
  EXPECT_EQ(search.Find("cn=a b,dc=x,dc=y"), std::nullopt);
}

TEST_F(KeySearchTest, FewAndManyKeysGiveTheSame) {
  const MatchingRule& rule = Rule("uniqueMemberMatch");
  std::vector<std::string> values;
  for (int i = 0; i < 20; ++i) values.push_back("cn=" + std::to_string(i) + ",dc=x");
  values.push_back("cn=1,dc=x#'0101'B");
  const std::vector<std::string> keys = Keys(rule, values);
  const KeySearch many(rule, keys);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const KeySearch one(rule, {&keys[i], 1});
    for (std::size_t j = 0; j < values.size(); ++j) {
      EXPECT_EQ(one.Find(values[j]).has_value(), i == j) << values[j];
    }
    EXPECT_EQ(many.Find(values[i]), i);
  }
  EXPECT_EQ(many.Find("cn=21,dc=x"), std::nullopt);
}

TEST_F(KeySearchTest, OfEqualKeysTheFirstIsFound) {
  const MatchingRule& rule = Rule("caseIgnoreMatch");
  for (const std::size_t others : {std::size_t{0}, std::size_t{10}}) {
    std::vector<std::string> keys{"x", "x"};
    for (std::size_t i = 0; i < others; ++i) keys.push_back("k" + std::to_string(i));
    EXPECT_EQ(KeySearch(rule, keys).Find("X"), 0u);
  }
}

TEST_F(KeySearchTest, WhatIsNoValueHasNoKey) {
  const MatchingRule& rule = Rule("distinguishedNameMatch");
  const std::vector<std::string> few{"cn=a"};
  std::vector<std::string> many;
  for (char c = 'a'; c <= 'z'; ++c) many.push_back(std::string("cn=") + c);
  EXPECT_EQ(KeySearch(rule, few).Find("cn=a,,"), std::nullopt);
  EXPECT_EQ(KeySearch(rule, many).Find("cn=a,,"), std::nullopt);
}

// wordMatch looks into the value; keys are still those of whole values.
TEST_F(KeySearchTest, ComparesKeysWhereTheRuleLooksIntoValues) {
  const MatchingRule& rule = Rule("wordMatch");
  const std::vector<std::string> keys{"one"};
  const KeySearch search(rule, keys);
  EXPECT_EQ(search.Find("One"), 0u);
  EXPECT_EQ(search.Find("one two"), std::nullopt);
}

TEST_F(KeySearchTest, WithoutKeysNothingIsFound) {
  EXPECT_EQ(KeySearch(Rule("caseIgnoreMatch"), {}).Find("x"), std::nullopt);
}

}  // namespace
}  // namespace twintree::model
