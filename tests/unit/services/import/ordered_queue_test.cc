#include "services/import/ordered_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace twintree::import {
namespace {

TEST(OrderedQueueTest, GivesItemsInOrderThoughWorkersFinishInAnother) {
  OrderedQueue<int> queue(100);
  ASSERT_TRUE(queue.Put(std::make_unique<int>(1), 1));
  ASSERT_TRUE(queue.Put(std::make_unique<int>(2), 1));
  queue.Finish();
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  ASSERT_EQ(*queue.TakeWork(&first), 1);
  ASSERT_EQ(*queue.TakeWork(&second), 2);
  queue.WorkDone(second);
  queue.WorkDone(first);
  EXPECT_EQ(*queue.Take(), 1);
  EXPECT_EQ(*queue.Take(), 2);
  EXPECT_EQ(queue.Take(), nullptr);
}

TEST(OrderedQueueTest, KeepsOrderWithManyWorkers) {
  constexpr int kItems = 2000;
  OrderedQueue<int> queue(64);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&queue] {
      std::uint64_t number = 0;
      while (int* item = queue.TakeWork(&number)) {
        *item *= 2;
        queue.WorkDone(number);
      }
    });
  }
  threads.emplace_back([&queue] {
    for (int i = 0; i < kItems; ++i) ASSERT_TRUE(queue.Put(std::make_unique<int>(i), 1 + i % 7));
    queue.Finish();
  });
  for (int i = 0; i < kItems; ++i) EXPECT_EQ(*queue.Take(), 2 * i);
  EXPECT_EQ(queue.Take(), nullptr);
  for (std::thread& thread : threads) thread.join();
}

TEST(OrderedQueueTest, HoldsBackWhatCostsTooMuch) {
  OrderedQueue<int> queue(10);
  ASSERT_TRUE(queue.Put(std::make_unique<int>(1), 8));
  std::atomic<bool> inside = false;
  std::thread putter([&] {
    EXPECT_TRUE(queue.Put(std::make_unique<int>(2), 8));
    inside = true;
  });
  std::uint64_t number = 0;
  queue.TakeWork(&number);
  EXPECT_FALSE(inside);
  queue.WorkDone(number);
  EXPECT_EQ(*queue.Take(), 1);
  putter.join();
  EXPECT_TRUE(inside);
}

TEST(OrderedQueueTest, TakesOneItemThatCostsMoreThanIsAllowed) {
  OrderedQueue<int> queue(10);
  EXPECT_TRUE(queue.Put(std::make_unique<int>(1), 1000));
}

TEST(OrderedQueueTest, StopWakesWhoeverWaits) {
  OrderedQueue<int> queue(1);
  ASSERT_TRUE(queue.Put(std::make_unique<int>(1), 1));
  std::thread putter([&] { EXPECT_FALSE(queue.Put(std::make_unique<int>(2), 1)); });
  std::thread taker([&] { EXPECT_EQ(queue.Take(), nullptr); });
  queue.Stop();
  putter.join();
  taker.join();
  std::uint64_t number = 0;
  EXPECT_EQ(queue.TakeWork(&number), nullptr);
}

}  // namespace
}  // namespace twintree::import
