// One thread that runs small pieces of work, now or later, one after the other.
//
// Work must not block. Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_TIMER_THREAD_H_
#define TWINTREE_SERVICES_RPC_TIMER_THREAD_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace twintree::rpc {

class TimerThread {
 public:
  TimerThread();
  ~TimerThread() { Stop(); }
  TimerThread(const TimerThread&) = delete;
  TimerThread& operator=(const TimerThread&) = delete;

  // After Stop() the work is dropped, or for Post(), done at once on the caller's thread.
  void After(std::chrono::milliseconds delay, std::function<void()> work);
  void Post(std::function<void()> work);

  // Does what was posted, drops what is for later, and joins (but not from the thread itself).
  // Idempotent.
  void Stop();

 private:
  using Clock = std::chrono::steady_clock;
  using Work = std::multimap<Clock::time_point, std::function<void()>>;

  // Outlives this object when the last work to run releases it.
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    // Guarded by mutex.
    Work work;
    bool stopped = false;
  };

  bool Add(Clock::time_point due, std::function<void()>* work);
  static void Run(State* state);

  const std::shared_ptr<State> state_ = std::make_shared<State>();
  std::thread thread_;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_TIMER_THREAD_H_
