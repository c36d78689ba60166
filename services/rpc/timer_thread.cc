#include "services/rpc/timer_thread.h"

#include <utility>

namespace twintree::rpc {

TimerThread::TimerThread() : thread_([this] { Run(); }) {}

bool TimerThread::Add(Clock::time_point due, std::function<void()>* work) {
  {
    std::lock_guard lock(mutex_);
    if (stopped_) return false;
    work_.emplace(due, std::move(*work));
  }
  changed_.notify_one();
  return true;
}

void TimerThread::After(std::chrono::milliseconds delay, std::function<void()> work) {
  Add(Clock::now() + delay, &work);
}

void TimerThread::Post(std::function<void()> work) {
  if (!Add(Clock::time_point::min(), &work)) work();
}

void TimerThread::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void TimerThread::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto due = work_.empty() ? Clock::time_point::max() : work_.begin()->first;
    if (due <= Clock::now()) {
      auto work = std::move(work_.extract(work_.begin()).mapped());
      lock.unlock();
      work();
      work = nullptr;
      lock.lock();
    } else if (stopped_) {
      break;
    } else if (work_.empty()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, due);
    }
  }
  const auto dropped = std::move(work_);
  lock.unlock();
}

}  // namespace twintree::rpc
