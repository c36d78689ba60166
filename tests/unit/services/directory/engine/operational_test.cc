#include "services/directory/engine/operational.h"

#include <gtest/gtest.h>

#include <set>

namespace twintree::directory {
namespace {

TEST(MakeUuidTest, MakesRandomOnesOfVersionFour) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = MakeUuid();
    ASSERT_EQ(uuid.size(), 36u);
    EXPECT_EQ(uuid[14], '4');
    EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
    EXPECT_TRUE(seen.insert(uuid).second);
  }
}

TEST(GeneralizedTimeTest, IsInUtcToTheSecond) {
  EXPECT_EQ(GeneralizedTime(std::chrono::system_clock::from_time_t(0)), "19700101000000Z");
  EXPECT_EQ(GeneralizedTime(std::chrono::system_clock::from_time_t(1767323045)), "20260102030405Z");
}

}  // namespace
}  // namespace twintree::directory
