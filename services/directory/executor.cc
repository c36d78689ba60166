#include "services/directory/executor.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace twintree::directory {
namespace {

// Owned by the pool and by each of its threads, so that a pool which is destroyed by its own work
// leaves that thread something to stand on.
struct Queue {
  std::mutex mutex;
  std::condition_variable ready;
  std::deque<std::function<void()>> waiting;
  bool stopping = false;

  // Empty once the queue is drained and stopped.
  std::function<void()> Take() {
    std::unique_lock lock(mutex);
    ready.wait(lock, [this] { return stopping || !waiting.empty(); });
    if (waiting.empty()) return nullptr;
    std::function<void()> work = std::move(waiting.front());
    waiting.pop_front();
    return work;
  }
};

class ThreadPool final : public Executor {
 public:
  ThreadPool(std::size_t threads, std::size_t max_queued)
      : max_queued_(max_queued), queue_(std::make_shared<Queue>()) {
    const std::size_t count = std::max<std::size_t>(threads, 1);
    threads_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      threads_.emplace_back([queue = queue_] {
        while (std::function<void()> work = queue->Take()) work();
      });
    }
  }

  ~ThreadPool() override { Stop(); }

  bool Post(std::function<void()> work) override { return Push(std::move(work), max_queued_); }

  bool PostContinuation(std::function<void()> work) override {
    return Push(std::move(work), static_cast<std::size_t>(-1));
  }

  void Stop() override {
    {
      std::lock_guard lock(queue_->mutex);
      queue_->stopping = true;
    }
    queue_->ready.notify_all();
    std::lock_guard lock(join_mutex_);
    for (std::thread& thread : threads_) {
      if (thread.get_id() == std::this_thread::get_id()) {
        thread.detach();
      } else {
        thread.join();
      }
    }
    threads_.clear();
  }

 private:
  bool Push(std::function<void()> work, std::size_t limit) {
    {
      std::lock_guard lock(queue_->mutex);
      if (queue_->stopping || queue_->waiting.size() >= limit) return false;
      queue_->waiting.push_back(std::move(work));
    }
    queue_->ready.notify_one();
    return true;
  }

  const std::size_t max_queued_;
  const std::shared_ptr<Queue> queue_;
  std::mutex join_mutex_;
  std::vector<std::thread> threads_;  // guarded by join_mutex_
};

}  // namespace

std::unique_ptr<Executor> MakeThreadPool(std::size_t threads, std::size_t max_queued) {
  return std::make_unique<ThreadPool>(threads, max_queued);
}

}  // namespace twintree::directory
