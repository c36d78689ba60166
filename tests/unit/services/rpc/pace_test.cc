#include "services/rpc/pace.h"

#include <gtest/gtest.h>

namespace twintree::rpc {
namespace {

Pace::Clock::time_point now;

void Pass(Pace* pace, std::size_t operations, std::chrono::microseconds each) {
  pace->Sent(operations);
  now += operations * each;
  pace->Handled(1);
}

TEST(PaceTest, MessagesAreFullWhileOperationsAreQuick) {
  Pace pace([] { return now; });
  for (int i = 0; i < 20; ++i) Pass(&pace, 64, std::chrono::microseconds(20));
  EXPECT_EQ(pace.operations(), kMaxGatheredOperations);
}

TEST(PaceTest, MessagesCarryFewerOperationsThatTakeLongAndMoreAgainLater) {
  Pace pace([] { return now; });
  for (int i = 0; i < 20; ++i) Pass(&pace, 64, std::chrono::microseconds(400));
  EXPECT_NEAR(static_cast<double>(pace.operations()), 10, 1);
  for (int i = 0; i < 20; ++i) Pass(&pace, 10, std::chrono::seconds(1));
  EXPECT_EQ(pace.operations(), Pace::kFewest);
  for (int i = 0; i < 60; ++i) Pass(&pace, Pace::kFewest, std::chrono::microseconds(20));
  EXPECT_EQ(pace.operations(), kMaxGatheredOperations);
}

TEST(PaceTest, WhatWaitedForTheMessageBeforeIsNotCounted) {
  Pace pace([] { return now; });
  pace.Sent(10);
  for (int i = 0; i < 20; ++i) {
    pace.Sent(10);
    now += 10 * std::chrono::microseconds(200);
    pace.Handled(1);
  }
  EXPECT_EQ(pace.unhandled(), 1u);
  EXPECT_NEAR(static_cast<double>(pace.operations()), 20, 1);
}

TEST(PaceTest, HandlesNoMoreThanWasSent) {
  Pace pace([] { return now; });
  pace.Sent(1);
  pace.Handled(5);
  EXPECT_EQ(pace.unhandled(), 0u);
}

}  // namespace
}  // namespace twintree::rpc
