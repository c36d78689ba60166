#include "services/rpc/timer_thread.h"

#include <utility>

namespace twintree::rpc {

TimerThread::TimerThread() : thread_([state = state_] { Run(state.get()); }) {}

bool TimerThread::Add(Clock::time_point due, std::function<void()>* work) {
  {
    std::lock_guard lock(state_->mutex);
    if (state_->stopped) return false;
    state_->work.emplace(due, std::move(*work));
  }
  state_->changed.notify_one();
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
    std::lock_guard lock(state_->mutex);
    state_->stopped = true;
  }
  state_->changed.notify_one();
  if (!thread_.joinable()) return;
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void TimerThread::Run(State* state) {
  std::unique_lock lock(state->mutex);
  for (;;) {
    const auto due = state->work.empty() ? Clock::time_point::max() : state->work.begin()->first;
    if (due <= Clock::now()) {
      auto work = std::move(state->work.extract(state->work.begin()).mapped());
      lock.unlock();
      work();
      work = nullptr;
      lock.lock();
    } else if (state->stopped) {
      break;
    } else if (state->work.empty()) {
      state->changed.wait(lock);
    } else {
      state->changed.wait_until(lock, due);
    }
  }
  const Work dropped = std::move(state->work);
  lock.unlock();
}

}  // namespace twintree::rpc
