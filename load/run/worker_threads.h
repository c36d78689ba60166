// Workers, each on a thread of its own.
//
// Errors:        Join throws what a worker threw first
// Thread-safety: confined
#ifndef TWINTREE_LOAD_RUN_WORKER_THREADS_H_
#define TWINTREE_LOAD_RUN_WORKER_THREADS_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "load/client/worker.h"
#include "load/measure/clock.h"
#include "load/measure/recorder.h"

namespace twintree::load {

class WorkerThreads {
 public:
  explicit WorkerThreads(std::vector<std::unique_ptr<Worker>> workers);
  ~WorkerThreads();

  void Start();
  // True when all have ended; false if `moment` came first.
  bool WaitUntil(Nanoseconds moment);
  void Join();

  // At any time.
  std::vector<Tally> Tallies(std::size_t labels) const;
  WrongAnswers Wrong() const;
  // When the last operation of the window ended; 0 if none did.
  Nanoseconds Last() const;

  // After Join. CPU over time of the thread with the most, 0 to 1; operations that never began.
  double Busiest() const;
  std::uint64_t Missed() const;

 private:
  void RunWorker(std::size_t index);

  const std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<double> busy_;  // each written by its thread
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_ = 0;     // guarded by mutex_
  std::exception_ptr failure_;  // guarded by mutex_
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_RUN_WORKER_THREADS_H_
