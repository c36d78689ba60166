// How many operations a gateway's message should carry, by how quickly the directory gets on.
//
// Many in one message cost both ends least. But those of a message are handled one after the other,
// and what comes meanwhile waits: when operations take long, messages carry fewer.
//
// Thread-safety: confined to the owner's lock.
#ifndef TWINTREE_SERVICES_RPC_PACE_H_
#define TWINTREE_SERVICES_RPC_PACE_H_

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

#include "services/rpc/gateway_limits.h"

namespace twintree::rpc {

class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  // What the operations of one message should take together.
  static constexpr std::chrono::microseconds kMessageTime{4000};
  // Messages with fewer operations than this are not measured: they keep nobody waiting.
  static constexpr std::size_t kFewest = 4;

  explicit Pace(Clock::time_point (*now)() = &Clock::now) : now_(now) {}

  // Messages that the directory has not handled yet.
  std::size_t unhandled() const { return unhandled_; }
  // The most a message should carry.
  std::size_t operations() const { return operations_; }

  // REQUIRES: unhandled() < kMaxMessagesAhead.
  void Sent(std::size_t operations) {
    Message& message = messages_[unhandled_++];
    message.operations = operations >= kFewest ? operations : 0;
    if (message.operations > 0) message.sent = now_();
  }

  // The first `messages` of those that were sent.
  void Handled(std::size_t messages) {
    messages = std::min(messages, unhandled_);
    std::size_t operations = 0;
    Clock::time_point begun = handled_;
    for (std::size_t i = 0; i < messages; ++i) {
      if (messages_[i].operations == 0) continue;
      if (operations == 0) begun = std::max(begun, messages_[i].sent);
      operations += messages_[i].operations;
    }
    std::move(messages_.begin() + messages, messages_.begin() + unhandled_, messages_.begin());
    unhandled_ -= messages;
    if (operations == 0) return;
    handled_ = now_();
    Measured((handled_ - begun) / operations);
  }

 private:
  struct Message {
    std::size_t operations = 0;
    Clock::time_point sent;
  };

  void Measured(Clock::duration each) {
    each_[next_++ % each_.size()] = each;
    // The least: now and then a message takes long only because some thread did not run.
    const auto least = *std::min_element(each_.begin(), each_.end());
    const auto fit = kMessageTime / std::max(least, Clock::duration(1));
    operations_ = std::clamp<std::size_t>(static_cast<std::size_t>(std::max<long>(fit, 0)), kFewest,
                                          kMaxGatheredOperations);
  }

  Clock::time_point (*const now_)();
  std::array<Message, kMaxMessagesAhead> messages_;
  std::size_t unhandled_ = 0;
  Clock::time_point handled_;                 // when the last measured message was
  std::array<Clock::duration, 4> each_ = {};  // what an operation took, of the last messages
  std::size_t next_ = 0;                      // of each_
  std::size_t operations_ = kMaxGatheredOperations;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_PACE_H_
