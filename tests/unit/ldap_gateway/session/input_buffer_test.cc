#include "ldap_gateway/session/input_buffer.h"

#include <gtest/gtest.h>

#include <string>

namespace twintree::ldap {
namespace {

using directory::Budget;

TEST(InputBufferTest, GivesBackWhatWasAppendedInOrder) {
  Budget budget(1 << 20);
  InputBuffer buffer;
  EXPECT_TRUE(buffer.Append("abc", 0, &budget));
  EXPECT_TRUE(buffer.Append("def", 0, &budget));
  buffer.Consume(2);
  EXPECT_EQ(buffer.view(), "cdef");
  EXPECT_TRUE(buffer.Append("gh", 0, &budget));
  EXPECT_EQ(buffer.view(), "cdefgh");
  buffer.Consume(6);
  EXPECT_TRUE(buffer.empty());
}

TEST(InputBufferTest, ALittleIsFree) {
  Budget budget(1 << 20);
  InputBuffer buffer;
  EXPECT_TRUE(buffer.Append(std::string(kFreeInputBytes, 'x'), 0, &budget));
  EXPECT_EQ(budget.used(), 0U);
  EXPECT_TRUE(buffer.Append("x", 0, &budget));
  EXPECT_GT(budget.used(), kFreeInputBytes);
}

TEST(InputBufferTest, TakesNoMoreThanTheMessageThatIsExpected) {
  Budget budget(std::size_t{1} << 30);
  InputBuffer buffer;
  constexpr std::size_t kMessage = 1'000'000;
  const std::string block(65'536, 'x');
  std::size_t size = 0;
  while (size + block.size() < kMessage) {
    ASSERT_TRUE(buffer.Append(block, kMessage, &budget));
    size += block.size();
    EXPECT_GE(budget.used(), size);
    EXPECT_LE(budget.used(), std::min(kMessage, 2 * size));
  }
}

TEST(InputBufferTest, StaysAsItIsWhenThereIsNoRoom) {
  Budget budget(100'000);
  const Budget::Share other = budget.Take(60'000);
  InputBuffer buffer;
  EXPECT_TRUE(buffer.Append(std::string(30'000, 'x'), 0, &budget));
  EXPECT_FALSE(buffer.Append(std::string(30'000, 'y'), 0, &budget));
  EXPECT_EQ(buffer.view(), std::string(30'000, 'x'));
}

TEST(InputBufferTest, GivesBackWhatItTook) {
  Budget budget(std::size_t{1} << 20);
  {
    InputBuffer buffer;
    ASSERT_TRUE(buffer.Append(std::string(500'000, 'x'), 0, &budget));
    buffer.Consume(500'000);
    EXPECT_EQ(budget.used(), 0U);
    ASSERT_TRUE(buffer.Append(std::string(10'000, 'x'), 0, &budget));
    buffer.Consume(10'000);
    EXPECT_EQ(budget.used(), 10'000U);  // for the next request
    buffer.Shrink(kIdleBufferBytes);
    EXPECT_EQ(budget.used(), 0U);
    ASSERT_TRUE(buffer.Append(std::string(10'000, 'x'), 0, &budget));
  }
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace twintree::ldap
