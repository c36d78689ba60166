#include "services/import/uuid_set.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/directory/engine/operational.h"

namespace twintree::import {
namespace {

TEST(UuidSetTest, KnowsWhatItWasGiven) {
  UuidSet set;
  std::vector<std::string> uuids;
  for (int i = 0; i < 10'000; ++i) uuids.push_back(directory::MakeUuid());
  for (const std::string& uuid : uuids) {
    EXPECT_FALSE(set.Contains(uuid));
    set.Insert(uuid);
  }
  for (const std::string& uuid : uuids) EXPECT_TRUE(set.Contains(uuid));
  EXPECT_EQ(set.size(), uuids.size());
}

TEST(UuidSetTest, KnowsNumbersInARow) {
  UuidSet set;
  const std::string start = "00000000-0000-0000-0000-00000000";
  for (int i = 0; i < 3'000; ++i) set.Insert(start + std::to_string(1000 + i));
  EXPECT_EQ(set.size(), 3'000u);
  EXPECT_TRUE(set.Contains(start + "3999"));
  EXPECT_FALSE(set.Contains(start + "4000"));
}

TEST(UuidSetTest, LetterCaseMakesNoDifference) {
  UuidSet set;
  set.Insert("550e8400-e29b-41d4-a716-44665544abcd");
  EXPECT_TRUE(set.Contains("550E8400-E29B-41D4-A716-44665544ABCD"));
}

TEST(UuidSetTest, ZerosAreAUuidToo) {
  UuidSet set;
  const std::string zeros = "00000000-0000-0000-0000-000000000000";
  EXPECT_FALSE(set.Contains(zeros));
  set.Insert(zeros);
  EXPECT_TRUE(set.Contains(zeros));
  set.Clear();
  EXPECT_FALSE(set.Contains(zeros));
}

}  // namespace
}  // namespace twintree::import
