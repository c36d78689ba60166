#include "services/directory/engine/password_line.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>

namespace twintree::directory {
namespace {

// Runs what it was given when it is told to; at most so many pieces wait.
class ManualExecutor final : public Executor {
 public:
  bool Post(std::function<void()> work) override {
    if (waiting_.size() >= room) return false;
    waiting_.push_back(std::move(work));
    return true;
  }
  bool PostContinuation(std::function<void()> work) override { return Post(std::move(work)); }
  void Stop() override {}
  void RunAll() {
    for (; !waiting_.empty(); waiting_.pop_front()) waiting_.front()();
  }

  std::size_t room = 100000;

 private:
  std::deque<std::function<void()>> waiting_;
};

class PasswordLineTest : public testing::Test {
 protected:
  bool Post(std::uint64_t client, char name) {
    return line_.Post(client, [this, name] { done_ += name; });
  }

  ManualExecutor executor_;
  PasswordLine line_{executor_};
  std::string done_;
};

TEST_F(PasswordLineTest, ClientsTakeTurns) {
  for (const char name : {'a', 'b', 'c'}) EXPECT_TRUE(Post(7, name));
  EXPECT_TRUE(Post(8, 'x'));
  executor_.RunAll();
  EXPECT_EQ(done_, "axbc");
}

TEST_F(PasswordLineTest, OneClientCannotFillIt) {
  for (std::size_t i = 0; i < PasswordLine::kMostOfClient; ++i) ASSERT_TRUE(Post(7, 'a'));
  EXPECT_FALSE(Post(7, 'b'));
  EXPECT_TRUE(Post(8, 'x'));
  executor_.RunAll();
  EXPECT_EQ(done_.substr(0, 3), "axa");
  EXPECT_TRUE(Post(7, 'b'));
}

TEST_F(PasswordLineTest, WhatTheExecutorRefusesIsNotRunLater) {
  executor_.room = 1;
  EXPECT_TRUE(Post(7, 'a'));
  EXPECT_FALSE(Post(7, 'b'));
  executor_.RunAll();
  EXPECT_EQ(done_, "a");
}

}  // namespace
}  // namespace twintree::directory
