// Whether anybody still waits for an answer.
//
// What takes long and has not begun need not be done when nobody does.
#ifndef TWINTREE_SERVICES_DIRECTORY_INTEREST_H_
#define TWINTREE_SERVICES_DIRECTORY_INTEREST_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace twintree::directory {

// Thread-safety: safe.
class Interest {
 public:
  // Told that nobody waits for the operation with this id any more; `id` is of its own choice.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual void OnInterestLost(std::uint64_t id) = 0;
  };

  virtual ~Interest() = default;
  // `number` tells requests apart where one object speaks for many of them.
  virtual bool IsLost(std::uint64_t number) const = 0;
  // Tells `watcher` once, from the thread that loses the interest, or at once if it is lost
  // already. At most one watcher is taken. By default nobody is told.
  virtual void Watch(const std::weak_ptr<Watcher>& /*watcher*/, std::uint64_t /*id*/) {}
};

// The interest in a single answer.
class SingleInterest final : public Interest {
 public:
  bool IsLost(std::uint64_t) const override {
    return state_.load(std::memory_order_relaxed) == State::kLost;
  }
  void Watch(const std::weak_ptr<Watcher>& watcher, std::uint64_t id) override {
    watcher_ = watcher;
    id_ = id;
    State expected = State::kUnwatched;
    if (!state_.compare_exchange_strong(expected, State::kWatched)) Tell();
  }
  void Lose() {
    if (state_.exchange(State::kLost) == State::kWatched) Tell();
  }

 private:
  enum class State { kUnwatched, kWatched, kLost };

  void Tell() {
    if (const auto watcher = std::exchange(watcher_, {}).lock()) watcher->OnInterestLost(id_);
  }

  std::atomic<State> state_ = State::kUnwatched;
  // Belong to Watch() until the state is kWatched, then to who loses the interest.
  std::weak_ptr<Watcher> watcher_;
  std::uint64_t id_ = 0;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_INTEREST_H_
