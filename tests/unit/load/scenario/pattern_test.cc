#include "load/scenario/pattern.h"

#include <gtest/gtest.h>

namespace twintree::load {
namespace {

TEST(PatternTest, FillsInBothNumbers) {
  EXPECT_EQ(Pattern("uid=user.{n},ou={v}+{n}").Text(12, 0), "uid=user.12,ou=0+12");
}

TEST(PatternTest, LeavesOtherBracesAlone) {
  EXPECT_EQ(Pattern("{x}{n}{").Text(7), "{x}7{");
  EXPECT_EQ(Pattern("").Text(7), "");
}

TEST(PatternTest, WritesTheLargestNumber) {
  EXPECT_EQ(Pattern("{n}").Text(18446744073709551615U), "18446744073709551615");
}

TEST(PatternTest, MarksEveryDigit) {
  EXPECT_EQ(Pattern("a{n}b{v}").Blank({3, 2, '#', '*'}), "a###b**");
}

TEST(PatternTest, RecognisesWhatBeginsWithIt) {
  const Pattern pattern("uid=user.{n}");
  EXPECT_TRUE(pattern.Begins(12, 0, "uid=user.12"));
  EXPECT_TRUE(pattern.Begins(12, 0, "uid=user.123,ou=People"));
  EXPECT_FALSE(pattern.Begins(12, 0, "uid=user.1"));
  EXPECT_FALSE(pattern.Begins(12, 0, "uid=user.21"));
}

TEST(PatternTest, CountsDigits) {
  EXPECT_EQ(CountDigits(0), 1U);
  EXPECT_EQ(CountDigits(9), 1U);
  EXPECT_EQ(CountDigits(10), 2U);
  EXPECT_EQ(CountDigits(18446744073709551615U), 20U);
}

}  // namespace
}  // namespace twintree::load
