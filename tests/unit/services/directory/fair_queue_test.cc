#include "services/directory/fair_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace twintree::directory {
namespace {

std::string PopAll(FairQueue<std::string>* queue) {
  std::string all;
  while (!queue->empty()) all += queue->Pop().item + " ";
  return all;
}

TEST(FairQueueTest, ClientsTakeTurns) {
  FairQueue<std::string> queue;
  for (int i = 1; i <= 4; ++i) queue.Push(7, {std::uint64_t(i), 1, "a" + std::to_string(i)});
  queue.Push(8, {5, 1, "b1"});
  queue.Push(8, {6, 1, "b2"});
  queue.Push(9, {7, 1, "c1"});
  EXPECT_EQ(PopAll(&queue), "a1 b1 c1 a2 b2 a3 a4 ");
}

TEST(FairQueueTest, ANewClientWaitsForOneOfEachOther) {
  FairQueue<std::string> queue;
  for (int i = 1; i <= 3; ++i) queue.Push(1, {std::uint64_t(i), 1, "a" + std::to_string(i)});
  EXPECT_EQ(queue.Pop().item, "a1");
  queue.Push(2, {4, 1, "b1"});
  EXPECT_EQ(PopAll(&queue), "a2 b1 a3 ");
}

TEST(FairQueueTest, RemovesWhatWaitsAndCountsBytes) {
  FairQueue<std::string> queue;
  queue.Push(1, {1, 10, "a"});
  queue.Push(1, {2, 20, "b"});
  queue.Push(2, {3, 40, "c"});
  EXPECT_TRUE(queue.Remove(3));
  EXPECT_FALSE(queue.Remove(3));
  EXPECT_EQ(queue.bytes(), 30u);
  EXPECT_TRUE(queue.Remove(1));
  EXPECT_EQ(queue.size(), 1u);
  EXPECT_EQ(PopAll(&queue), "b ");
  EXPECT_EQ(queue.bytes(), 0u);
}

}  // namespace
}  // namespace twintree::directory
