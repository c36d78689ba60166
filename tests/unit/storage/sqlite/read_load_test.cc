#include "storage/sqlite/read_load.h"

#include <gtest/gtest.h>

#include <chrono>

namespace twintree::storage::sqlite {
namespace {

using std::chrono::milliseconds;

constexpr unsigned kProcessors = 2;

class ReadLoadTest : public testing::Test {
 protected:
  ReadLoadTest() { IsHighAfter({}); }

  // What is judged after 20 ms in which there was so much more of each.
  bool IsHighAfter(const ReadLoad::Sums& more) {
    now_ += milliseconds(20);
    sums_.reads += more.reads;
    sums_.writes += more.writes;
    sums_.processor_time += more.processor_time;
    load_.Judge(now_, sums_);
    return load_.high();
  }

  ReadLoad load_{kProcessors};
  ReadLoad::Clock::time_point now_ = ReadLoad::Clock::now();
  ReadLoad::Sums sums_;
};

TEST_F(ReadLoadTest, IsHighWhenManyReadsKeepProcessorsBusy) {
  EXPECT_TRUE(IsHighAfter({1000, 40, milliseconds(30)}));
  EXPECT_TRUE(IsHighAfter({1000, 0, milliseconds(30)}));
  EXPECT_FALSE(IsHighAfter({}));
}

TEST_F(ReadLoadTest, IsNotHighBesideManyWrites) {
  EXPECT_FALSE(IsHighAfter({100, 40, milliseconds(30)}));
  EXPECT_FALSE(IsHighAfter({0, 40, milliseconds(30)}));
}

TEST_F(ReadLoadTest, IsNotHighWhileProcessorsAreFree) {
  EXPECT_FALSE(IsHighAfter({1000, 1, milliseconds(10)}));
}

TEST_F(ReadLoadTest, IsDueAfterTheInterval) {
  EXPECT_FALSE(load_.IsDue(now_ + ReadLoad::kInterval / 2));
  EXPECT_TRUE(load_.IsDue(now_ + ReadLoad::kInterval));
}

TEST(ReadLoadProcessorTimeTest, Grows) {
  const auto before = ReadLoad::ProcessorTime();
  const auto end = ReadLoad::Clock::now() + milliseconds(20);
  while (ReadLoad::Clock::now() < end) {
  }
  EXPECT_GT(ReadLoad::ProcessorTime(), before);
}

}  // namespace
}  // namespace twintree::storage::sqlite
