#include "storage/value_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace twintree::storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Views = std::vector<std::string_view>;

TEST(ValueChangesTest, TellsWhatEachListHasAlone) {
  const Views before{"a", "b", "c", "d"};
  const Views after{"a", "c", "d", "e"};
  const ValueChanges changes = CompareValues(before, after);
  EXPECT_THAT(changes.removed, ElementsAre("b"));
  EXPECT_THAT(changes.added, ElementsAre("e"));
}

TEST(ValueChangesTest, OrderDoesNotMatter) {
  Views before;
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back(std::to_string(i));
  for (const std::string& name : names) before.push_back(name);
  Views after(before.rbegin(), before.rend());
  const ValueChanges changes = CompareValues(before, after);
  EXPECT_THAT(changes.removed, IsEmpty());
  EXPECT_THAT(changes.added, IsEmpty());
}

TEST(ValueChangesTest, ComparesOctets) {
  const Views before{"a", ""};
  const Views after{"A"};
  const ValueChanges changes = CompareValues(before, after);
  EXPECT_THAT(changes.removed, ElementsAre("a", ""));
  EXPECT_THAT(changes.added, ElementsAre("A"));
}

TEST(ValueChangesTest, EmptyListsHaveNothing) {
  const Views some{"a", "b"};
  EXPECT_THAT(CompareValues({}, some).added, ElementsAre("a", "b"));
  EXPECT_THAT(CompareValues(some, {}).removed, ElementsAre("a", "b"));
}

TEST(ValueChangesTest, AgreesWithSetsOnRandomLists) {
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  std::vector<std::string> pool;
  for (int i = 0; i < 40; ++i) pool.push_back(std::to_string(i));
  for (int round = 0; round < 500; ++round) {
    const auto pick = [&] {
      Views values(pool.begin(), pool.end());
      std::erase_if(values, [&](std::string_view) { return random() % 3 == 0; });
      if (random() % 2 == 0) std::shuffle(values.begin(), values.end(), random);
      return values;
    };
    const Views before = pick();
    const Views after = pick();
    const ValueChanges changes = CompareValues(before, after);
    const std::set<std::string_view> a(before.begin(), before.end());
    const std::set<std::string_view> b(after.begin(), after.end());
    Views removed;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(removed));
    Views added;
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(added));
    ASSERT_THAT(changes.removed, testing::UnorderedElementsAreArray(removed)) << "seed " << seed;
    ASSERT_THAT(changes.added, testing::UnorderedElementsAreArray(added)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace twintree::storage
