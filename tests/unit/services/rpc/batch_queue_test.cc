#include "services/rpc/batch_queue.h"

#include <gtest/gtest.h>

#include "services/rpc/timer_thread.h"
#include "tests/unit/services/rpc/fake_directory.h"
#include "twintree/gateway/v1/gateway_service.pb.h"

namespace twintree::rpc {
namespace {

using Queue = BatchQueue<twintree::gateway::v1::ConnectResponse>;

void Add(Queue* queue, std::uint64_t id, std::size_t bytes) {
  queue->Current()->add_events()->set_id(id);
  queue->Added(bytes);
}

TEST(BatchQueueTest, GathersWhileAMessageIsWritten) {
  Queue queue;
  Add(&queue, 1, 10);
  auto* first = queue.BeginWrite();
  ASSERT_NE(first, nullptr);
  Add(&queue, 2, 10);
  Add(&queue, 3, 10);
  EXPECT_EQ(queue.BeginWrite(), nullptr);
  EXPECT_EQ(first->events_size(), 1);
  queue.ClearInFlight();
  queue.EndWrite();
  EXPECT_EQ(queue.BeginWrite()->events_size(), 2);
}

TEST(BatchQueueTest, ClosesAFullMessage) {
  Queue queue;
  Add(&queue, 1, kMaxBatchBytes - 1);
  Add(&queue, 2, 1);
  Add(&queue, 3, 1);
  EXPECT_EQ(queue.waiting_bytes(), kMaxBatchBytes + 1);
  EXPECT_EQ(queue.BeginWrite()->events_size(), 2);
  EXPECT_EQ(queue.waiting_bytes(), 1u);
}

TEST(BatchQueueTest, ClosesOnDemand) {
  Queue queue;
  Add(&queue, 1, 1);
  queue.CloseCurrent();
  Add(&queue, 2, 1);
  EXPECT_EQ(queue.BeginWrite()->events_size(), 1);
}

TEST(BatchQueueTest, UsesMessagesAgainUnlessTheyWereLarge) {
  Queue queue;
  Add(&queue, 1, 10);
  const auto* small = queue.BeginWrite();
  queue.ClearInFlight();
  queue.EndWrite();
  Add(&queue, 2, kMaxBatchBytes);
  EXPECT_EQ(queue.Current() == small, false);
  const auto* again = queue.BeginWrite();
  EXPECT_EQ(again, small);
  EXPECT_EQ(again->events_size(), 1);
  EXPECT_EQ(again->events(0).id(), 2u);
}

TEST(BatchQueueTest, ForgetsWhatWaits) {
  Queue queue;
  Add(&queue, 1, 10);
  queue.Drop();
  EXPECT_TRUE(queue.idle());
  EXPECT_EQ(queue.waiting_bytes(), 0u);
  EXPECT_EQ(queue.BeginWrite(), nullptr);
}

TEST(TimerThreadTest, RunsInTheOrderOfTime) {
  TimerThread timers;
  Later<std::string> done;
  const auto order = std::make_shared<std::string>();
  // On the thread itself, so that nothing of it runs before all of it is known.
  timers.Post([=, &timers] {
    timers.After(std::chrono::milliseconds(200), [=]() mutable { done.Set(*order + "c"); });
    timers.After(std::chrono::milliseconds(1), [=] { *order += "b"; });
    timers.Post([=] { *order += "a"; });
  });
  EXPECT_EQ(done.Get(), "abc");
}

TEST(TimerThreadTest, ItsOwnWorkMayReleaseIt) {
  auto timers = std::make_shared<TimerThread>();
  Later<bool> released;
  Later<bool> done;
  TimerThread* const raw = timers.get();
  raw->Post([timers = std::move(timers), released, done]() mutable {
    released.Get();
    timers.reset();
    done.Set(true);
  });
  released.Set(true);
  EXPECT_EQ(done.Get(), true);
}

TEST(TimerThreadTest, StopDoesWhatWasPostedAndDropsTheRest) {
  TimerThread timers;
  std::string done;
  timers.After(std::chrono::hours(1), [&] { done += "never"; });
  timers.Post([&] { done += "posted"; });
  timers.Stop();
  timers.Post([&] { done += ", here"; });
  EXPECT_EQ(done, "posted, here");
}

}  // namespace
}  // namespace twintree::rpc
