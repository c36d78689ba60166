#include "services/log/limiter.h"

#include <gtest/gtest.h>

namespace twintree::log {
namespace {

using std::chrono::seconds;

class LimiterTest : public ::testing::Test {
 protected:
  Limiter limiter_{seconds(10)};
  const Limiter::TimePoint start_ = std::chrono::steady_clock::now();
};

TEST_F(LimiterTest, LetsOneThroughInAWhileAndCountsTheOthers) {
  EXPECT_EQ(limiter_.Pass("a", start_), 0u);
  EXPECT_EQ(limiter_.Pass("a", start_ + seconds(1)), std::nullopt);
  EXPECT_EQ(limiter_.Pass("a", start_ + seconds(9)), std::nullopt);
  EXPECT_EQ(limiter_.Pass("a", start_ + seconds(10)), 2u);
  EXPECT_EQ(limiter_.Pass("a", start_ + seconds(30)), 0u);
}

TEST_F(LimiterTest, KindsDoNotSilenceOneAnother) {
  EXPECT_EQ(limiter_.Pass("a", start_), 0u);
  EXPECT_EQ(limiter_.Pass("b", start_), 0u);
}

TEST_F(LimiterTest, KindsBeyondTheBoundAreOne) {
  for (std::size_t i = 0; i < Limiter::kMaxKinds; ++i) {
    EXPECT_EQ(limiter_.Pass(std::to_string(i), start_), 0u);
  }
  EXPECT_EQ(limiter_.Pass("one more", start_), 0u);
  EXPECT_EQ(limiter_.Pass("another", start_), std::nullopt);
}

}  // namespace
}  // namespace twintree::log
