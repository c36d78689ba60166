#include "ldap_gateway/session/output_buffer.h"

#include <gtest/gtest.h>

namespace twintree::ldap {
namespace {

TEST(OutputBufferTest, GivesBackWhatWasAppendedInOrder) {
  OutputBuffer buffer;
  buffer.tail()->append("abc");
  buffer.Append("def");
  buffer.Consume(2);
  EXPECT_EQ(buffer.view(), "cdef");
  buffer.Consume(4);
  EXPECT_TRUE(buffer.empty());
}

TEST(OutputBufferTest, StaysSmallWhenItNeverRunsEmpty) {
  OutputBuffer buffer;
  const std::string block(10000, 'x');
  buffer.Append(std::string("y"));
  for (int i = 0; i < 1000; ++i) {
    buffer.tail()->append(block);
    buffer.Consume(block.size());
  }
  EXPECT_EQ(buffer.size(), 1u);
  EXPECT_LT(buffer.tail()->size(), 100000u);
}

TEST(OutputBufferTest, ShrinksOnlyWhenEmpty) {
  OutputBuffer buffer;
  buffer.tail()->append(std::string(10000, 'x'));
  buffer.Consume(9999);
  buffer.Shrink(100);
  EXPECT_EQ(buffer.view(), "x");
  buffer.Consume(1);
  buffer.Shrink(100);
  EXPECT_LE(buffer.tail()->capacity(), 100u);
}

}  // namespace
}  // namespace twintree::ldap
