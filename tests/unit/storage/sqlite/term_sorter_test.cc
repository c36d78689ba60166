#include "storage/sqlite/term_sorter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

namespace twintree::storage::sqlite {
namespace {

using model::OkStatus;
using model::ResultCode;
using testing::ElementsAre;

using Terms = std::vector<std::tuple<std::uint32_t, std::string, std::vector<EntryId>>>;

Terms Sorted(TermSorter* sorter) {
  Terms terms;
  EXPECT_TRUE(
      sorter
          ->Finish([&](std::uint32_t space, std::string_view key, std::span<const EntryId> ids) {
            terms.emplace_back(space, std::string(key),
                               std::vector<EntryId>(ids.begin(), ids.end()));
            return OkStatus();
          })
          .ok());
  return terms;
}

TEST(TermSorterTest, OrdersByOctetsShorterFirst) {
  TermSorter sorter(testing::TempDir(), 1 << 20);
  const std::vector<std::string> keys = {
      "",    std::string("\0", 1), std::string("\0\xff", 2), "a", std::string("a\0", 2), "ab", "b",
      "\xff"};
  for (auto key = keys.rbegin(); key != keys.rend(); ++key)
    ASSERT_TRUE(sorter.Add(2, *key, 1).ok());
  std::vector<std::string> sorted;
  for (const auto& [space, key, ids] : Sorted(&sorter)) sorted.push_back(key);
  EXPECT_EQ(sorted, keys);
}

TEST(TermSorterTest, GathersIdsOnce) {
  TermSorter sorter(testing::TempDir(), 1 << 20);
  for (const EntryId id : {5, 300, 5, 2}) ASSERT_TRUE(sorter.Add(2, "a", id).ok());
  EXPECT_THAT(Sorted(&sorter), ElementsAre(std::tuple(2U, "a", std::vector<EntryId>{2, 5, 300})));
}

TEST(TermSorterTest, HasNothingToSayAboutNothing) {
  TermSorter sorter(testing::TempDir(), 1 << 20);
  EXPECT_TRUE(Sorted(&sorter).empty());
}

TEST(TermSorterTest, MergesWhatDoesNotFitIntoMemory) {
  std::mt19937 random(3);
  TermSorter sorter(testing::TempDir(), 1);  // the least: many runs
  std::map<std::pair<std::uint32_t, std::string>, std::vector<EntryId>> model;
  for (EntryId id = 1; id <= 30'000; ++id) {
    const std::uint32_t space = random() % 5 == 0 ? 131'071 : random() % 3;
    const std::string key = std::to_string(random() % 2000);
    ASSERT_TRUE(sorter.Add(space, key, id).ok());
    model[{space, key}].push_back(id);
  }
  Terms expected;
  for (const auto& [place, ids] : model) expected.emplace_back(place.first, place.second, ids);
  EXPECT_EQ(Sorted(&sorter), expected);
  EXPECT_EQ(sorter.count(), 30'000U);
}

TEST(TermSorterTest, PassesOnWhatTheVisitorSays) {
  TermSorter sorter(testing::TempDir(), 1 << 20);
  ASSERT_TRUE(sorter.Add(2, "a", 1).ok());
  const Status status = sorter.Finish([](auto, auto, auto) -> Status {
    return model::Error{ResultCode::kBusy, "", ""};
  });
  EXPECT_EQ(status.code(), ResultCode::kBusy);
}

TEST(TermSorterTest, FailsWithoutADirectoryForItsFiles) {
  TermSorter sorter("/nonexistent", 1);
  Status status;
  for (EntryId id = 1; status.ok() && id < 100'000; ++id) status = sorter.Add(2, "key", id);
  EXPECT_EQ(status.code(), ResultCode::kUnavailable);
}

}  // namespace
}  // namespace twintree::storage::sqlite
