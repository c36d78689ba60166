// A bounded queue whose items are worked on by several threads and still come out in the order in
// which they went in.
//
// One thread puts items in, any number of workers take them with TakeWork() and give them back with
// WorkDone(), one thread takes them out. An item comes out once it and all before it are done.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_IMPORT_ORDERED_QUEUE_H_
#define TWINTREE_SERVICES_IMPORT_ORDERED_QUEUE_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace twintree::import {

template <typename Item>
class OrderedQueue {
 public:
  // Items wait outside while those inside cost more than `max_cost` together (whatever the unit).
  // An item alone may cost more.
  explicit OrderedQueue(std::size_t max_cost) : max_cost_(max_cost) {}

  // Waits for room. False after Stop(): the item was dropped.
  bool Put(std::unique_ptr<Item> item, std::size_t cost) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return stopped_ || slots_.empty() || cost_ + cost <= max_cost_; });
    if (stopped_) return false;
    cost_ += cost;
    slots_.push_back({std::move(item), cost, false});
    work_.notify_one();
    return true;
  }

  // Nothing more will be put in.
  void Finish() {
    std::lock_guard lock(mutex_);
    finished_ = true;
    work_.notify_all();
    done_.notify_all();
  }

  // The next item that nobody works on, and its number for WorkDone(). Null when there will be
  // none.
  Item* TakeWork(std::uint64_t* number) {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [&] { return stopped_ || finished_ || next_work_ < first_ + slots_.size(); });
    if (stopped_ || next_work_ == first_ + slots_.size()) return nullptr;
    *number = next_work_++;
    return slots_[*number - first_].item.get();
  }

  void WorkDone(std::uint64_t number) {
    std::lock_guard lock(mutex_);
    if (number < first_) return;
    slots_[number - first_].done = true;
    if (number == first_) done_.notify_one();
  }

  // The first item, once it is done. Null at the end and after Stop().
  std::unique_ptr<Item> Take() {
    std::unique_lock lock(mutex_);
    done_.wait(lock,
               [&] { return stopped_ || (slots_.empty() ? finished_ : slots_.front().done); });
    if (stopped_ || slots_.empty()) return nullptr;
    std::unique_ptr<Item> item = std::move(slots_.front().item);
    cost_ -= slots_.front().cost;
    slots_.pop_front();
    ++first_;
    room_.notify_one();
    return item;
  }

  // Wakes everybody; all calls say that it is over. Items live on until the queue is destroyed, so
  // workers may finish theirs.
  void Stop() {
    std::lock_guard lock(mutex_);
    stopped_ = true;
    room_.notify_all();
    work_.notify_all();
    done_.notify_all();
  }

 private:
  struct Slot {
    std::unique_ptr<Item> item;
    std::size_t cost = 0;
    bool done = false;
  };

  const std::size_t max_cost_;

  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable work_;
  std::condition_variable done_;
  // Guarded by mutex_:
  std::deque<Slot> slots_;
  std::uint64_t first_ = 0;      // number of slots_.front()
  std::uint64_t next_work_ = 0;  // number of the first item that nobody has taken to work on
  std::size_t cost_ = 0;
  bool finished_ = false;
  bool stopped_ = false;
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_ORDERED_QUEUE_H_
