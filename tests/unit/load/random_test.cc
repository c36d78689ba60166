#include "load/random.h"

#include <gtest/gtest.h>

#include <array>

namespace twintree::load {
namespace {

TEST(RandomTest, GivesTheSameNumbersForTheSameStream) {
  Random first(7, 3);
  Random second(7, 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(first.Next(), second.Next());
}

TEST(RandomTest, SeparatesSeedsAndStreams) {
  const std::uint64_t number = Random(7, 3).Next();
  EXPECT_NE(Random(8, 3).Next(), number);
  EXPECT_NE(Random(7, 4).Next(), number);
  EXPECT_NE(Random(3, 7).Next(), number);
}

TEST(RandomTest, DrawsEveryNumberBelowTheBoundAboutEquallyOften) {
  Random random(1, 1);
  std::array<int, 10> seen{};
  for (int i = 0; i < 10000; ++i) ++seen.at(random.Below(10));
  for (const int count : seen) {
    EXPECT_GT(count, 850);
    EXPECT_LT(count, 1150);
  }
}

TEST(RandomTest, DrawsZeroBelowOne) {
  Random random(1, 1);
  EXPECT_EQ(random.Below(1), 0U);
}

}  // namespace
}  // namespace twintree::load
