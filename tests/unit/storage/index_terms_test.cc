#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "storage/index.h"

namespace twintree::storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Values = std::vector<std::pair<std::string, std::vector<std::string>>>;

class IndexTermsTest : public testing::Test {
 protected:
  model::Entry Make(const Values& values) {
    std::vector<model::Attribute> attributes;
    for (const auto& [text, octets] : values) {
      attributes.push_back({model::AttributeDescription::Parse(text, *schema_).value(), octets});
    }
    return model::Entry::Encode(attributes, *schema_);
  }
  IndexSet Index(const char* attribute, int kinds) {
    const std::vector<IndexSpec> specs = {{attribute, static_cast<std::uint8_t>(kinds)}};
    return IndexSet::Make(specs, *schema_).value();
  }
  static std::vector<std::string> Keys(const std::vector<IndexTerm>& terms, IndexKind kind) {
    std::vector<std::string> keys;
    for (const IndexTerm& term : terms) {
      if (term.kind == kind) keys.push_back(term.key);
    }
    return keys;
  }

  std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
};

TEST_F(IndexTermsTest, NormalisesSortsAndUnites) {
  const auto terms = IndexTerms(Make({{"cn", {"Zoe", "ANN"}}, {"cn;lang-de", {"zoe"}}}),
                                Index("cn", kEqualityIndex));
  EXPECT_THAT(Keys(terms, kEqualityIndex), ElementsAre("ann", "zoe"));
}

TEST_F(IndexTermsTest, MakesOneTermOfPresence) {
  const auto terms =
      IndexTerms(Make({{"cn", {"a", "b"}}, {"sn", {"c"}}}), Index("cn", kPresenceIndex));
  ASSERT_EQ(terms.size(), 1U);
  EXPECT_EQ(terms[0], (IndexTerm{0, kPresenceIndex, ""}));
}

TEST_F(IndexTermsTest, CutsEqualityKeysAndNoSubstringKeys) {
  const std::string value(1000, 'x');
  const auto terms =
      IndexTerms(Make({{"cn", {value}}}), Index("cn", kEqualityIndex | kSubstringIndex));
  EXPECT_THAT(Keys(terms, kEqualityIndex), ElementsAre(std::string(kMaxIndexKeyBytes, 'x')));
  EXPECT_THAT(Keys(terms, kSubstringIndex), ElementsAre(value));
}

TEST_F(IndexTermsTest, OrderingAloneMakesEqualityTerms) {
  const auto terms = IndexTerms(Make({{"uidNumber", {"5"}}}), Index("uidNumber", kOrderingIndex));
  EXPECT_EQ(Keys(terms, kEqualityIndex).size(), 1U);
}

TEST_F(IndexTermsTest, LeavesOutValuesThatTheRuleRefuses) {
  EXPECT_THAT(
      IndexTerms(Make({{"uidNumber", {"not a number"}}}), Index("uidNumber", kEqualityIndex)),
      IsEmpty());
}

TEST_F(IndexTermsTest, LeavesOutOtherAttributes) {
  EXPECT_THAT(IndexTerms(Make({{"sn", {"x"}}}), Index("cn", kEqualityIndex)), IsEmpty());
}

TEST_F(IndexTermsTest, DiffTellsRemovedFromAdded) {
  const auto changes = DiffIndexTerms(Make({{"cn", {"a", "b"}}}), Make({{"cn", {"b", "c"}}}),
                                      Index("cn", kEqualityIndex));
  EXPECT_THAT(Keys(changes.removed, kEqualityIndex), ElementsAre("a"));
  EXPECT_THAT(Keys(changes.added, kEqualityIndex), ElementsAre("c"));
}

TEST_F(IndexTermsTest, DiffKeepsATermThatAnotherSpellingHas) {
  const auto changes = DiffIndexTerms(Make({{"cn", {"Ann"}}, {"cn;lang-de", {"ANN"}}}),
                                      Make({{"cn;lang-de", {"ANN"}}}), Index("cn", kEqualityIndex));
  EXPECT_THAT(changes.removed, IsEmpty());
}

TEST_F(IndexTermsTest, DiffKeepsATermThatTwoLongValuesShare) {
  const std::string a = std::string(300, 'x') + "a";
  const std::string b = std::string(300, 'x') + "b";
  const auto changes =
      DiffIndexTerms(Make({{"cn", {a, b}}}), Make({{"cn", {b}}}), Index("cn", kEqualityIndex));
  EXPECT_THAT(changes.removed, IsEmpty());
}

// However few or many values go, by whatever kind of term.
TEST_F(IndexTermsTest, DiffIsTheDifferenceOfTheTerms) {
  const IndexSet index = Index("cn", kEqualityIndex | kSubstringIndex | kPresenceIndex);
  std::vector<std::string> old_values;
  for (int i = 0; i < 60; ++i) old_values.push_back("Value " + std::to_string(i));
  for (const int step : {1, 2, 7, 40}) {
    std::vector<std::string> new_values{"VALUE  0", "new"};
    for (int i = 0; i < 60; i += step) {
      if (i % 5 != 0) new_values.push_back(old_values[i]);
    }
    const model::Entry before = Make({{"cn", old_values}, {"cn;lang-de", {"value 5"}}});
    const model::Entry after = Make({{"cn;lang-de", {"VALUE 5"}}, {"cn", new_values}});
    const auto changes = DiffIndexTerms(before, after, index);
    const auto old_terms = IndexTerms(before, index);
    const auto new_terms = IndexTerms(after, index);
    std::vector<IndexTerm> removed;
    std::set_difference(old_terms.begin(), old_terms.end(), new_terms.begin(), new_terms.end(),
                        std::back_inserter(removed));
    std::vector<IndexTerm> added;
    std::set_difference(new_terms.begin(), new_terms.end(), old_terms.begin(), old_terms.end(),
                        std::back_inserter(added));
    EXPECT_EQ(changes.removed, removed) << step;
    EXPECT_TRUE(
        std::includes(changes.added.begin(), changes.added.end(), added.begin(), added.end()))
        << step;
  }
}

TEST_F(IndexTermsTest, DiffSeesWhatChangesAtTheEnd) {
  const IndexSet index = Index("cn", kEqualityIndex);
  const auto longer =
      DiffIndexTerms(Make({{"cn", {"a", "b"}}}), Make({{"cn", {"a", "b", "c"}}}), index);
  EXPECT_THAT(longer.removed, IsEmpty());
  EXPECT_THAT(Keys(longer.added, kEqualityIndex), ElementsAre("c"));
  const auto shorter = DiffIndexTerms(Make({{"cn", {"a", "b"}}}), Make({{"cn", {"a"}}}), index);
  EXPECT_THAT(Keys(shorter.removed, kEqualityIndex), ElementsAre("b"));
  EXPECT_THAT(shorter.added, IsEmpty());
}

TEST_F(IndexTermsTest, DiffKeepsATermOfAValueThatBothBeginWith) {
  const auto changes = DiffIndexTerms(Make({{"cn", {"Ann", "x", "ANN"}}}),
                                      Make({{"cn", {"Ann", "x"}}}), Index("cn", kEqualityIndex));
  EXPECT_THAT(changes.removed, IsEmpty());
}

TEST_F(IndexTermsTest, DiffFollowsPresence) {
  const IndexSet index = Index("cn", kPresenceIndex);
  const auto gone = DiffIndexTerms(Make({{"cn", {"a"}}}), Make({{"sn", {"a"}}}), index);
  EXPECT_EQ(gone.removed.size(), 1U);
  EXPECT_THAT(gone.added, IsEmpty());
  const auto changed = DiffIndexTerms(Make({{"cn", {"a"}}}), Make({{"cn", {"b"}}}), index);
  EXPECT_THAT(changed.removed, IsEmpty());
  EXPECT_THAT(changed.added, IsEmpty());
}

TEST_F(IndexTermsTest, DiffOfEqualEntriesIsEmpty) {
  const Values values = {{"cn", {"a", "b"}}, {"sn", {"c"}}};
  const auto changes =
      DiffIndexTerms(Make(values), Make(values), Index("cn", kEqualityIndex | kPresenceIndex));
  EXPECT_THAT(changes.removed, IsEmpty());
  EXPECT_THAT(changes.added, IsEmpty());
}

}  // namespace
}  // namespace twintree::storage
