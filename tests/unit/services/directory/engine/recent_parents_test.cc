#include "services/directory/engine/recent_parents.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

namespace twintree::directory {
namespace {

using storage::kNoEntry;

constexpr char kPeople[] = "ou=people,dc=example,dc=com";

EntryNamePtr Name(const std::string& dn) {
  return std::make_shared<const EntryName>(EntryName{dn, dn});
}

TEST(RecentParentsTest, FindsWhatWasKept) {
  const RecentParents recent(1001, 7);
  EXPECT_EQ(recent.FindId(kPeople), kNoEntry);
  EXPECT_EQ(recent.FindName(3), nullptr);
  recent.KeepId(kPeople, 3);
  recent.KeepName(3, Name(kPeople));
  EXPECT_EQ(recent.FindId(kPeople), 3U);
  ASSERT_NE(recent.FindName(3), nullptr);
  EXPECT_EQ((*recent.FindName(3))->dn, kPeople);
}

TEST(RecentParentsTest, KnowsOneVersionOfOneEngine) {
  RecentParents(1002, 7).KeepId(kPeople, 3);
  RecentParents(1002, 7).KeepName(3, Name(kPeople));
  for (const auto& other :
       {RecentParents(1002, 8), RecentParents(1002, 6), RecentParents(1003, 7)}) {
    EXPECT_EQ(other.FindId(kPeople), kNoEntry);
    EXPECT_EQ(other.FindName(3), nullptr);
  }
}

TEST(RecentParentsTest, TellsNamesInOnePlaceApart) {
  const RecentParents recent(1004, 7);
  const std::string begin(16, 'x');
  recent.KeepId(begin + "a", 1);
  recent.KeepId(begin + "b", 2);
  EXPECT_EQ(recent.FindId(begin + "b"), 2U);
  EXPECT_EQ(recent.FindId(begin + "a"), kNoEntry);
  recent.KeepName(5, Name("dc=five"));
  EXPECT_EQ(recent.FindName(5 + 16), nullptr);
}

TEST(RecentParentsTest, DoesNotKeepLongNames) {
  const RecentParents recent(1005, 7);
  const std::string name(1000, 'x');
  recent.KeepId(name, 1);
  recent.KeepName(1, Name(name));
  EXPECT_EQ(recent.FindId(name), kNoEntry);
  EXPECT_EQ(recent.FindName(1), nullptr);
}

TEST(RecentParentsTest, BelongsToOneThread) {
  const RecentParents recent(1006, 7);
  recent.KeepId(kPeople, 3);
  storage::EntryId elsewhere = 1;
  std::thread([&] { elsewhere = recent.FindId(kPeople); }).join();
  EXPECT_EQ(elsewhere, kNoEntry);
}

}  // namespace
}  // namespace twintree::directory
