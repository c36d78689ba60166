#include "storage/sqlite/term_sorter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

#include "storage/sqlite/prepared_terms.h"
#include "tests/unit/storage/sqlite/prepared_terms_builder.h"

namespace twintree::storage::sqlite {
namespace {

using model::OkStatus;
using model::ResultCode;
using testing::ElementsAre;

using Term = std::pair<std::uint32_t, std::string>;
using Terms = std::vector<std::tuple<std::uint32_t, std::string, std::vector<EntryId>>>;

EntryTerms Entry(EntryId id, const std::vector<Term>& terms) {
  return {id, BuildPreparedTerms({}, terms)};
}

Terms Sorted(TermSorter* sorter) {
  Terms terms;
  EXPECT_TRUE(sorter
                  ->Finish([&](std::string_view sort_key, std::span<const EntryId> ids) {
                    const std::uint32_t space = SpaceOfSortKey(sort_key);
                    const std::string key(KeyOfSortKey(sort_key));
                    if (terms.empty() || std::get<0>(terms.back()) != space ||
                        std::get<1>(terms.back()) != key) {
                      terms.emplace_back(space, key, std::vector<EntryId>());
                    }
                    auto& all = std::get<2>(terms.back());
                    all.insert(all.end(), ids.begin(), ids.end());
                    return OkStatus();
                  })
                  .ok());
  return terms;
}

TEST(TermSorterTest, OrdersByOctetsShorterFirst) {
  TermSorter sorter(testing::TempDir());
  const std::vector<std::string> keys = {
      "",           std::string("\0", 1),  std::string("\0\xff", 2),
      "a",          std::string("a\0", 2), "ab",
      "abcdefghij", "abcdefghijk",         "b",
      "\xff"};
  std::vector<Term> terms;
  const std::vector<std::string> reversed(keys.rbegin(), keys.rend());
  for (const std::string& key : reversed) terms.emplace_back(2, key);
  const std::vector<EntryTerms> entries = {Entry(1, terms)};
  ASSERT_TRUE(sorter.Add(entries).ok());
  std::vector<std::string> sorted;
  for (const auto& [space, key, ids] : Sorted(&sorter)) sorted.push_back(key);
  EXPECT_EQ(sorted, keys);
}

TEST(TermSorterTest, TakesATermOfAnEntryOnce) {
  TermSorter sorter(testing::TempDir());
  const std::vector<EntryTerms> entries = {Entry(2, {{2, "a"}}), Entry(5, {{2, "a"}, {2, "a"}}),
                                           Entry(300, {{2, "a"}})};
  ASSERT_TRUE(sorter.Add(entries).ok());
  EXPECT_THAT(Sorted(&sorter), ElementsAre(std::tuple(2U, "a", std::vector<EntryId>{2, 5, 300})));
}

TEST(TermSorterTest, HasNothingToSayAboutNothing) {
  TermSorter sorter(testing::TempDir());
  EXPECT_TRUE(Sorted(&sorter).empty());
  ASSERT_TRUE(sorter.Add({}).ok());
  EXPECT_TRUE(Sorted(&sorter).empty());
}

TEST(TermSorterTest, MergesManyRuns) {
  std::mt19937 random(3);
  TermSorter sorter(testing::TempDir());
  std::map<Term, std::vector<EntryId>> model;
  EntryId id = 0;
  for (std::size_t run = 0; run < 2 * PostingRuns::kMaxRuns + 3; ++run) {
    std::vector<EntryTerms> entries;
    for (int i = 0; i < 100; ++i) {
      const Term term(random() % 5 == 0 ? 131'071 : random() % 3, std::to_string(random() % 2000));
      entries.push_back(Entry(++id, {term}));
      model[term].push_back(id);
    }
    ASSERT_TRUE(sorter.Add(entries).ok());
  }
  Terms expected;
  for (const auto& [place, ids] : model) expected.emplace_back(place.first, place.second, ids);
  EXPECT_EQ(sorter.count(), id);
  EXPECT_EQ(Sorted(&sorter), expected);
}

TEST(TermSorterTest, PassesOnWhatTheVisitorSays) {
  TermSorter sorter(testing::TempDir());
  const std::vector<EntryTerms> entries = {Entry(1, {{2, "a"}})};
  ASSERT_TRUE(sorter.Add(entries).ok());
  const Status status = sorter.Finish([](auto, auto) -> Status {
    return model::Error{ResultCode::kBusy, "", ""};
  });
  EXPECT_EQ(status.code(), ResultCode::kBusy);
}

TEST(TermSorterTest, FailsWithoutADirectoryForItsFiles) {
  TermSorter sorter("/nonexistent");
  EXPECT_EQ(sorter.Add({}).code(), ResultCode::kUnavailable);
}

}  // namespace
}  // namespace twintree::storage::sqlite
