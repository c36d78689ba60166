#include "services/directory/engine/search_registry.h"

#include <algorithm>
#include <utility>
#include <vector>

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

SearchRegistry::Limits SearchRegistry::LimitsFor(std::size_t max_snapshots) {
  Limits limits;
  limits.running = std::max<std::size_t>(1, max_snapshots / 4);
  limits.paused = std::max<std::size_t>(1, max_snapshots / 2);
  return limits;
}

SearchRegistry::Ticket SearchRegistry::Add(std::weak_ptr<LongSearch> search) {
  std::lock_guard lock(mutex_);
  ++CountOf(Stage::kNew);
  return searches_.insert(searches_.end(), {std::move(search)});
}

void SearchRegistry::Remove(Ticket ticket) {
  std::list<std::shared_ptr<LongSearch>> next;
  {
    // Notified under the lock: whoever waits may destroy this as soon as it can lock.
    std::lock_guard lock(mutex_);
    const Stage stage = ticket->stage;
    --CountOf(stage);
    if (stage == Stage::kWaiting) {
      std::erase_if(waiting_, [ticket](const Waiting& one) { return one.ticket == ticket; });
    }
    (stage == Stage::kPaused ? paused_ : searches_).erase(ticket);
    next = TakeNext();
    if (searches_.empty() && paused_.empty()) changed_.notify_all();
  }
  BeginAll(next);
}

std::size_t& SearchRegistry::CountOf(Stage stage) {
  return counts_[static_cast<std::size_t>(stage)];
}

void SearchRegistry::Enter(Ticket ticket, Stage stage) {
  --CountOf(ticket->stage);
  ++CountOf(stage);
  ticket->stage = stage;
}

std::list<std::shared_ptr<LongSearch>> SearchRegistry::TakeNext() {
  std::list<std::shared_ptr<LongSearch>> next;
  while (!waiting_.empty() && CountOf(Stage::kRunning) < limits_.running) {
    Enter(waiting_.front().ticket, Stage::kRunning);
    next.push_back(std::move(waiting_.front().search));
    waiting_.pop_front();
  }
  return next;
}

void SearchRegistry::BeginAll(const std::list<std::shared_ptr<LongSearch>>& searches) {
  for (const std::shared_ptr<LongSearch>& search : searches) search->Begin();
}

SearchRegistry::Admission SearchRegistry::Admit(Ticket ticket, std::shared_ptr<LongSearch> search,
                                                LongSearch::TimePoint due) {
  std::lock_guard lock(mutex_);
  if (waiting_.empty() && CountOf(Stage::kRunning) < limits_.running) {
    Enter(ticket, Stage::kRunning);
    return Admission::kNow;
  }
  if (waiting_.size() >= limits_.waiting) return Admission::kRefused;
  WatchFrom(due);
  Enter(ticket, Stage::kWaiting);
  waiting_.push_back({ticket, std::move(search)});
  return Admission::kLater;
}

bool SearchRegistry::EnterPause(Ticket ticket, LongSearch::TimePoint due) {
  std::vector<std::shared_ptr<LongSearch>> oldest;
  std::list<std::shared_ptr<LongSearch>> next;
  {
    std::lock_guard lock(mutex_);
    WatchFrom(due);
    if (ticket->stage == Stage::kPaused) {
      paused_.splice(paused_.end(), paused_, ticket);
      return true;
    }
    if (CountOf(Stage::kPaused) < limits_.paused) {
      Enter(ticket, Stage::kPaused);
      paused_.splice(paused_.end(), searches_, ticket);
      next = TakeNext();
    } else {
      for (const Item& item : paused_) {
        if (auto search = item.search.lock()) oldest.push_back(std::move(search));
      }
    }
  }
  BeginAll(next);
  if (oldest.empty()) return true;
  const bool ended = std::any_of(oldest.begin(), oldest.end(),
                                 [](const auto& search) { return search->EndIfPaused(); });
  // Somebody else may have taken the place meanwhile: then again.
  return ended && EnterPause(ticket, due);
}

void SearchRegistry::WatchFrom(LongSearch::TimePoint due) {
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
  for (const std::list<Item>* list : {&paused_, &searches_}) {
    for (const Item& item : *list) {
      if (std::shared_ptr<LongSearch> alive = item.search.lock()) {
        living.push_back(std::move(alive));
      }
    }
  }
  return living;
}

void SearchRegistry::CancelAll() {
  for (const std::shared_ptr<LongSearch>& search : Living()) search->Cancel();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return searches_.empty() && paused_.empty(); });
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
