#include "services/directory/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <thread>

namespace twintree::directory {
namespace {

// Work that waits until it is let go.
class Gate {
 public:
  std::function<void()> Work() {
    return [this] {
      entered_.set_value();
      open_.get_future().wait();
    };
  }
  void WaitUntilEntered() { entered_.get_future().wait(); }
  void Open() { open_.set_value(); }

 private:
  std::promise<void> entered_;
  std::promise<void> open_;
};

TEST(ExecutorTest, RunsWorkOnAnotherThread) {
  const auto pool = MakeThreadPool(1, 10);
  std::promise<std::thread::id> where;
  ASSERT_TRUE(pool->Post([&] { where.set_value(std::this_thread::get_id()); }));
  EXPECT_NE(where.get_future().get(), std::this_thread::get_id());
}

TEST(ExecutorTest, RefusesNewWorkButNoContinuationWhenFull) {
  Gate gate;  // outlives the work
  const auto pool = MakeThreadPool(1, 1);
  ASSERT_TRUE(pool->Post(gate.Work()));
  gate.WaitUntilEntered();
  EXPECT_TRUE(pool->Post([] {}));
  EXPECT_FALSE(pool->Post([] {}));
  EXPECT_TRUE(pool->PostContinuation([] {}));
  gate.Open();
}

TEST(ExecutorTest, StopFinishesWhatIsQueuedAndRefusesMore) {
  const auto pool = MakeThreadPool(2, 100);
  std::atomic<int> ran{0};
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(pool->Post([&] { ++ran; }));
  pool->Stop();
  EXPECT_EQ(ran, 50);
  EXPECT_FALSE(pool->Post([] {}));
  EXPECT_FALSE(pool->PostContinuation([] {}));
  pool->Stop();
}

TEST(ExecutorTest, CanBeDestroyedByItsOwnWork) {
  std::shared_ptr<Executor> pool = MakeThreadPool(1, 10);
  const auto last_owner = std::make_shared<std::promise<void>>();
  const auto done = std::make_shared<std::promise<void>>();
  Executor& executor = *pool;
  ASSERT_TRUE(executor.Post([own = pool, last_owner, done]() mutable {
    last_owner->get_future().wait();
    own = nullptr;
    done->set_value();
  }));
  pool = nullptr;
  last_owner->set_value();
  done->get_future().wait();
}

}  // namespace
}  // namespace twintree::directory
