#include "load/measure/pacer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace twintree::load {
namespace {

TEST(PacerTest, StartsAtOnceInAClosedLoop) {
  Pacer pacer = Pacer::ClosedLoop();
  pacer.Begin(100);
  EXPECT_EQ(pacer.Take(150), 150);
  EXPECT_EQ(pacer.Take(150), 150);
  EXPECT_EQ(pacer.next(), kNever);
}

TEST(PacerTest, WaitsForTheNextMoment) {
  Pacer pacer = Pacer::AtRate(1000, 0, 1);
  pacer.Begin(0);
  EXPECT_EQ(pacer.Take(0), 0);
  EXPECT_EQ(pacer.next(), kMillisecond);
  EXPECT_EQ(pacer.Take(kMillisecond - 1), std::nullopt);
  EXPECT_EQ(pacer.Take(kMillisecond), kMillisecond);
}

TEST(PacerTest, KeepsMomentsThatWereMissed) {
  Pacer pacer = Pacer::AtRate(1000, 0, 1);
  pacer.Begin(0);
  const Nanoseconds late = 2 * kMillisecond + 500 * kMicrosecond;
  EXPECT_EQ(pacer.Take(late), 0);
  EXPECT_EQ(pacer.Take(late), kMillisecond);
  EXPECT_EQ(pacer.Take(late), 2 * kMillisecond);
  EXPECT_EQ(pacer.Take(late), std::nullopt);
}

TEST(PacerTest, KeepsTheRateAcrossThreads) {
  std::vector<Nanoseconds> moments;
  for (std::uint64_t share = 0; share < 3; ++share) {
    Pacer pacer = Pacer::AtRate(500, share, 3);
    pacer.Begin(0);
    while (const auto moment = pacer.Take(59 * kMillisecond)) moments.push_back(*moment);
  }
  std::sort(moments.begin(), moments.end());
  ASSERT_EQ(moments.size(), 30U);
  for (std::size_t i = 0; i < moments.size(); ++i) {
    EXPECT_EQ(moments[i], static_cast<Nanoseconds>(i) * 2 * kMillisecond);
  }
}

TEST(PacerTest, DoesNotDrift) {
  Pacer pacer = Pacer::AtRate(3, 0, 1);
  pacer.Begin(0);
  for (int i = 0; i < 3'000'000; ++i) ASSERT_TRUE(pacer.Take(kNever));
  EXPECT_NEAR(static_cast<double>(pacer.next()), 1e6 * static_cast<double>(kSecond), 1000);
}

}  // namespace
}  // namespace twintree::load
