#include "services/directory/turn.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace twintree::directory {
namespace {

class Counter final : public Turn::Work {
 public:
  void OnTurnEnd() override { ++ends; }
  int ends = 0;
};

// Puts itself off again, once.
class Repeater final : public Turn::Work, public std::enable_shared_from_this<Repeater> {
 public:
  explicit Repeater(Turn* turn) : turn_(turn) {}
  void OnTurnEnd() override {
    if (++ends == 1) turn_->PutOff(shared_from_this());
  }
  int ends = 0;

 private:
  Turn* const turn_;
};

TEST(TurnTest, AThreadHasATurnOnlyInAScope) {
  Turn turn([] {});
  EXPECT_EQ(Turn::Current(), nullptr);
  {
    const Turn::Scope scope(&turn);
    EXPECT_EQ(Turn::Current(), &turn);
    std::thread([] { EXPECT_EQ(Turn::Current(), nullptr); }).join();
  }
  EXPECT_EQ(Turn::Current(), nullptr);
}

TEST(TurnTest, IsScheduledOnceForAllThatIsPutOff) {
  int scheduled = 0;
  Turn turn([&] { ++scheduled; });
  const auto a = std::make_shared<Counter>();
  const auto b = std::make_shared<Counter>();
  turn.PutOff(a);
  turn.PutOff(b);
  EXPECT_EQ(scheduled, 1);
  EXPECT_EQ(a->ends + b->ends, 0);
  turn.End();
  EXPECT_EQ(a->ends, 1);
  EXPECT_EQ(b->ends, 1);
}

TEST(TurnTest, WhatTheEndPutsOffIsForTheNextTurn) {
  int scheduled = 0;
  Turn turn([&] { ++scheduled; });
  const auto work = std::make_shared<Repeater>(&turn);
  turn.PutOff(work);
  turn.End();
  EXPECT_EQ(work->ends, 1);
  EXPECT_EQ(scheduled, 2);
  turn.End();
  EXPECT_EQ(work->ends, 2);
}

}  // namespace
}  // namespace twintree::directory
