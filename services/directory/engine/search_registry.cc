#include "services/directory/engine/search_registry.h"

#include <algorithm>
#include <utility>

namespace twintree::directory {

SearchRegistry::~SearchRegistry() {
  std::thread timer;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    timer = std::move(timer_);
  }
  changed_.notify_all();
  if (timer.joinable()) timer.join();
}

SearchRegistry::Ticket SearchRegistry::Add(std::weak_ptr<LongSearch> search) {
  std::lock_guard lock(mutex_);
  return searches_.insert(searches_.end(), std::move(search));
}

void SearchRegistry::Remove(Ticket ticket) {
  // Notified under the lock: whoever waits may destroy this as soon as it can lock.
  std::lock_guard lock(mutex_);
  searches_.erase(ticket);
  if (searches_.empty()) changed_.notify_all();
}

void SearchRegistry::WatchFrom(LongSearch::TimePoint due) {
  std::lock_guard lock(mutex_);
  if (stopping_ || due >= next_sweep_) return;
  next_sweep_ = due;
  if (timer_.joinable()) {
    changed_.notify_all();
  } else {
    timer_ = std::thread([this] { Run(); });
  }
}

std::list<std::shared_ptr<LongSearch>> SearchRegistry::Living() {
  std::list<std::shared_ptr<LongSearch>> living;
  std::lock_guard lock(mutex_);
  for (const std::weak_ptr<LongSearch>& search : searches_) {
    if (std::shared_ptr<LongSearch> alive = search.lock()) living.push_back(std::move(alive));
  }
  return living;
}

void SearchRegistry::CancelAll() {
  for (const std::shared_ptr<LongSearch>& search : Living()) search->Cancel();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return searches_.empty(); });
}

LongSearch::TimePoint SearchRegistry::Sweep() {
  LongSearch::TimePoint next = LongSearch::TimePoint::max();
  const LongSearch::TimePoint now = std::chrono::steady_clock::now();
  for (const std::shared_ptr<LongSearch>& search : Living()) {
    next = std::min(next, search->ExpireIfDue(now, max_pause_));
  }
  return next;
}

void SearchRegistry::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (next_sweep_ == LongSearch::TimePoint::max()) {
      changed_.wait(lock);
      continue;
    }
    if (std::chrono::steady_clock::now() < next_sweep_) {
      changed_.wait_until(lock, next_sweep_);
      continue;
    }
    next_sweep_ = LongSearch::TimePoint::max();
    lock.unlock();
    const LongSearch::TimePoint next = Sweep();
    lock.lock();
    next_sweep_ = std::min(next_sweep_, next);
  }
}

}  // namespace twintree::directory
