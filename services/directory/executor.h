// Where work goes that may take long: a bounded pool of threads.
//
// Threads that serve connections never scan, hash or wait; they hand such work over here.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_DIRECTORY_EXECUTOR_H_
#define TWINTREE_SERVICES_DIRECTORY_EXECUTOR_H_

#include <cstddef>
#include <functional>
#include <memory>

namespace twintree::directory {

class Executor {
 public:
  virtual ~Executor() = default;
  // Runs `work` soon on another thread. False when too much is waiting (answer busy) or after
  // Stop().
  [[nodiscard]] virtual bool Post(std::function<void()> work) = 0;
  // As Post, but is never refused for being full: for work that goes on with something already
  // begun.
  [[nodiscard]] virtual bool PostContinuation(std::function<void()> work) = 0;
  // Finishes what is queued and joins. Idempotent.
  virtual void Stop() = 0;
};

// `threads` threads, at most `max_queued` pieces waiting.
std::unique_ptr<Executor> MakeThreadPool(std::size_t threads, std::size_t max_queued);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_EXECUTOR_H_
