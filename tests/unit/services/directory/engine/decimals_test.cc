#include "services/directory/engine/decimals.h"

#include <gtest/gtest.h>

namespace twintree::directory {
namespace {

TEST(AddDecimalsTest, AddsWithSignsAndAnySize) {
  EXPECT_EQ(AddDecimals("1", "2"), "3");
  EXPECT_EQ(AddDecimals("99", "1"), "100");
  EXPECT_EQ(AddDecimals("5", "-5"), "0");
  EXPECT_EQ(AddDecimals("-5", "5"), "0");
  EXPECT_EQ(AddDecimals("1", "-3"), "-2");
  EXPECT_EQ(AddDecimals("-3", "1"), "-2");
  EXPECT_EQ(AddDecimals("-3", "-8"), "-11");
  EXPECT_EQ(AddDecimals("1000", "-1"), "999");
  EXPECT_EQ(AddDecimals("99999999999999999999", "1"), "100000000000000000000");
  EXPECT_EQ(AddDecimals("0", "0"), "0");
}

}  // namespace
}  // namespace twintree::directory
