// Messages that gather while another one is being written.
//
//   queue.Current()->add_events()->...; queue.Added(bytes);
//   Message* next = queue.BeginWrite();       // null: nothing to write, or a write is under way
//   ... StartWrite(next) ... then, in OnWriteDone:
//   queue.ClearInFlight(); queue.EndWrite();
//
// A message is closed once it has reached kMaxBatchBytes, so it is larger than that by one item at
// most. Written messages are cleared and used again: their strings keep their memory.
//
// Thread-safety: confined to the owner's lock; ClearInFlight() needs none, only that no other
// thread calls it or EndWrite().
#ifndef TWINTREE_SERVICES_RPC_BATCH_QUEUE_H_
#define TWINTREE_SERVICES_RPC_BATCH_QUEUE_H_

#include <cstddef>
#include <deque>
#include <iterator>
#include <memory>
#include <utility>

#include "services/rpc/gateway_limits.h"

namespace twintree::rpc {

template <typename Message>
class BatchQueue {
 public:
  // The message that the next item belongs into. Follow up with Added().
  Message* Current() {
    if (waiting_.empty() || waiting_.back().closed || waiting_.back().bytes >= kMaxBatchBytes) {
      waiting_.push_back(Batch{TakeMessage()});
    }
    return waiting_.back().message.get();
  }

  // One item of about `bytes` was added to Current().
  void Added(std::size_t bytes) {
    waiting_.back().bytes += bytes;
    ++waiting_.back().items;
    waiting_bytes_ += bytes;
  }

  // Takes something back that waits: `take(Message*)` removes it from a message and gives its
  // bytes, or 0 if it is not there. False if no message has it.
  template <typename Take>
  bool TakeBack(Take take) {
    for (auto batch = waiting_.rbegin(); batch != waiting_.rend(); ++batch) {
      const std::size_t bytes = take(batch->message.get());
      if (bytes == 0) continue;
      batch->bytes -= bytes;
      waiting_bytes_ -= bytes;
      if (--batch->items == 0) waiting_.erase(std::next(batch).base());
      return true;
    }
    return false;
  }

  // What comes next goes into another message.
  void CloseCurrent() {
    if (!waiting_.empty()) waiting_.back().closed = true;
  }

  // The next message to write, which stays put until EndWrite().
  Message* BeginWrite() {
    if (writing() || waiting_.empty()) return nullptr;
    in_flight_ = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= in_flight_.bytes;
    return in_flight_.message.get();
  }
  void ClearInFlight() {
    if (in_flight_.bytes <= kMaxKeptBytes) in_flight_.message->Clear();
  }
  void EndWrite() {
    if (in_flight_.bytes <= kMaxKeptBytes) spare_ = std::move(in_flight_.message);
    in_flight_ = Batch{};
  }

  bool writing() const { return in_flight_.message != nullptr; }
  bool idle() const { return !writing() && waiting_.empty(); }
  // Of what waits, without the message being written.
  std::size_t waiting_bytes() const { return waiting_bytes_; }
  // Is there a message that takes no more items?
  bool full() const {
    return waiting_.size() > 1 ||
           (waiting_.size() == 1 &&
            (waiting_.front().closed || waiting_.front().bytes >= kMaxBatchBytes));
  }
  std::size_t items_in_current() const { return waiting_.empty() ? 0 : waiting_.back().items; }

  // Forgets what waits.
  void Drop() {
    waiting_.clear();
    waiting_bytes_ = 0;
  }

 private:
  static constexpr std::size_t kMaxKeptBytes = 256u << 10;

  struct Batch {
    std::unique_ptr<Message> message;
    std::size_t bytes = 0;
    std::size_t items = 0;
    bool closed = false;
  };

  std::unique_ptr<Message> TakeMessage() {
    return spare_ != nullptr ? std::move(spare_) : std::make_unique<Message>();
  }

  std::deque<Batch> waiting_;
  Batch in_flight_;
  std::unique_ptr<Message> spare_;
  std::size_t waiting_bytes_ = 0;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_BATCH_QUEUE_H_
