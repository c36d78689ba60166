#include "services/model/matching_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/schema.h"

namespace twintree::model {
namespace {

using testing::ElementsAre;

// A substring assertion as in a filter: "a*b*c".
SubstringKeys Pieces(const MatchingRule& rule, std::string_view pattern) {
  std::vector<std::string> parts;
  for (std::size_t star = pattern.find('*'); star != std::string_view::npos;
       star = pattern.find('*')) {
    parts.emplace_back(pattern.substr(0, star));
    pattern.remove_prefix(star + 1);
  }
  SubstringKeys keys;
  keys.initial = rule.PieceKey(parts.front(), SubstringPosition::kInitial).value();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    keys.any.push_back(rule.PieceKey(parts[i], SubstringPosition::kAny).value());
  }
  keys.final_piece = rule.PieceKey(pattern, SubstringPosition::kFinal).value();
  return keys;
}

class SubstringTest : public testing::Test {
 protected:
  bool Holds(std::string_view value, std::string_view pattern,
             std::string_view rule_name = "caseIgnoreSubstringsMatch") {
    const MatchingRule& rule = *schema_->FindMatchingRule(rule_name);
    return SubstringsMatch(rule.ValueKey(value).value(), Pieces(rule, pattern));
  }

  std::shared_ptr<const Schema> schema_ = Schema::Standard();
};

TEST_F(SubstringTest, PiecesComeInOrderWithoutOverlap) {
  EXPECT_TRUE(Holds("abcabc", "a*ca*c"));
  EXPECT_TRUE(Holds("ABC", "a*b*c"));
  EXPECT_FALSE(Holds("abc", "ab*bc"));
  EXPECT_FALSE(Holds("abc", "*b*b*"));
  EXPECT_FALSE(Holds("abc", "*c*a*"));
  EXPECT_FALSE(Holds("aba", "aba*aba"));
  EXPECT_TRUE(Holds("abc", "*"));
}

// Comparing at each position takes minutes here.
TEST_F(SubstringTest, ALongPieceIsSoughtInLinearTime) {
  const std::string value(4 << 20, 'z');
  const std::string almost(100000, 'z');
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(Holds(value, "*" + almost + "y*"));
  EXPECT_FALSE(Holds(value, "*y" + almost + "*"));
  EXPECT_FALSE(Holds(value, "* " + almost + "y*"));
  EXPECT_TRUE(Holds(value, "*" + almost + "*" + almost + "*"));
  const MatchingRule& words = *schema_->FindMatchingRule("wordMatch");
  EXPECT_FALSE(words.Equals(value, almost));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(SubstringTest, ManyPiecesCostAShortValueNothing) {
  SubstringKeys keys{"", std::vector<std::string>(100000, " a "), ""};
  const SubstringMatcher matcher(keys);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 100000; ++i) EXPECT_FALSE(matcher.Matches("b"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(SubstringTest, SeveralSpacesAreOne) {
  EXPECT_TRUE(Holds("xa   by", "*a b*"));
  EXPECT_TRUE(Holds("xa by", "*a    b*"));
  EXPECT_FALSE(Holds("xaby", "*a b*"));
}

TEST_F(SubstringTest, ASpaceAtThePieceEdgeIsTheEdgeOfTheValueToo) {
  EXPECT_TRUE(Holds("a", "a *"));
  EXPECT_TRUE(Holds("a", "* a"));
  EXPECT_TRUE(Holds("a b", "* b *"));
  EXPECT_FALSE(Holds("ab", "a *"));
  EXPECT_FALSE(Holds("ab", "* b"));
}

TEST_F(SubstringTest, TwoPiecesMayShareTheSpaceBetweenThem) {
  EXPECT_TRUE(Holds("a b", "a * b"));
  EXPECT_TRUE(Holds("a  b", "a *b"));
  EXPECT_FALSE(Holds("ab", "a * b"));
  EXPECT_FALSE(Holds("a b", "a * * b"));
}

TEST_F(SubstringTest, APieceOfSpacesMatchesEveryValue) {
  EXPECT_TRUE(Holds("a", "* *"));
  EXPECT_TRUE(Holds("  ", "* *"));
  EXPECT_TRUE(Holds("a", " *"));
}

TEST_F(SubstringTest, LinesOfAnAddressAreSearchedOneByOne) {
  constexpr std::string_view kRule = "caseIgnoreListSubstringsMatch";
  EXPECT_TRUE(Holds("1 Main  St$Springfield", "*main st*", kRule));
  EXPECT_TRUE(Holds("1 Main St$Springfield", "1*field", kRule));
  EXPECT_TRUE(Holds("1 Main St$Springfield", "*st *", kRule));
  EXPECT_FALSE(Holds("1 Main St$Springfield", "*stspring*", kRule));
  EXPECT_FALSE(Holds("1 Main St$Springfield", "*st spring*", kRule));
  EXPECT_TRUE(Holds("a\\24b$c", "*a$b*", kRule));
}

TEST_F(SubstringTest, TelephoneAndNumericPiecesIgnoreWhatTheirRulesIgnore) {
  EXPECT_TRUE(Holds("+1 555-123", "*5 5-51*", "telephoneNumberSubstringsMatch"));
  EXPECT_TRUE(Holds("12 34", "1*3 4", "numericStringSubstringsMatch"));
  EXPECT_TRUE(Holds("12 34", "* *", "numericStringSubstringsMatch"));
}

// Whoever looks pieces up in an index must not miss a match.
TEST_F(SubstringTest, ContainedPiecesOccurInTheKeysOfAllMatches) {
  const MatchingRule& rule = *schema_->FindMatchingRule("caseIgnoreSubstringsMatch");
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto draw = [&random](std::string_view alphabet, std::size_t longest) {
    std::string text;
    for (std::size_t n = random() % (longest + 1); n > 0; --n) {
      text.push_back(alphabet[random() % alphabet.size()]);
    }
    return text;
  };
  int matches = 0;
  for (int i = 0; i < 50000; ++i) {
    const std::string value = draw("ab ", 6);
    const std::string pattern = draw("ab ", 2) + "*" + draw("ab *", 3) + "*" + draw("ab ", 2);
    const std::string key = rule.ValueKey(value).value();
    const SubstringKeys keys = Pieces(rule, pattern);
    if (!SubstringsMatch(key, keys)) continue;
    ++matches;
    const SubstringKeys contained = ContainedPieces(keys);
    EXPECT_TRUE(key.starts_with(contained.initial)) << value << "|" << pattern;
    EXPECT_TRUE(key.ends_with(contained.final_piece)) << value << "|" << pattern;
    EXPECT_TRUE(SubstringsMatch(key, contained)) << value << "|" << pattern;
  }
  EXPECT_GT(matches, 1000);
}

TEST_F(SubstringTest, ContainedPiecesHaveNoEdgeSpaces) {
  SubstringKeys keys;
  keys.initial = "a ";
  keys.any = {" ", " b c "};
  keys.final_piece = " d";
  const SubstringKeys contained = ContainedPieces(keys);
  EXPECT_EQ(contained.initial, "a");
  EXPECT_THAT(contained.any, ElementsAre("b c"));
  EXPECT_EQ(contained.final_piece, "d");
}

}  // namespace
}  // namespace twintree::model
