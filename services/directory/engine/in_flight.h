// Counts the operations that are on their way on other threads, so that their engine can wait.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_IN_FLIGHT_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_IN_FLIGHT_H_

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

namespace twintree::directory {

// Thread-safety: safe.
class InFlight {
 public:
  // Counts one operation for as long as a copy of the pass exists.
  using Pass = std::shared_ptr<void>;
  Pass Enter() {
    {
      std::lock_guard lock(mutex_);
      ++count_;
    }
    return Pass(this, [](InFlight* self) { self->Leave(); });
  }

  void Wait() {
    std::unique_lock lock(mutex_);
    none_.wait(lock, [this] { return count_ == 0; });
  }

 private:
  void Leave() {
    // Notified under the lock: whoever waits may destroy this as soon as it can lock.
    std::lock_guard lock(mutex_);
    if (--count_ == 0) none_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable none_;
  std::size_t count_ = 0;  // guarded by mutex_
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_IN_FLIGHT_H_
