#include "load/run/worker_threads.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace twintree::load {

WorkerThreads::WorkerThreads(std::vector<std::unique_ptr<Worker>> workers)
    : workers_(std::move(workers)), busy_(workers_.size()) {}

WorkerThreads::~WorkerThreads() {
  for (std::thread& thread : threads_) thread.join();
}

void WorkerThreads::Start() {
  running_ = workers_.size();
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    threads_.emplace_back([this, i] { RunWorker(i); });
  }
}

bool WorkerThreads::WaitUntil(Nanoseconds moment) {
  std::unique_lock<std::mutex> lock(mutex_);
  const std::chrono::nanoseconds wait(std::max<Nanoseconds>(0, moment - Now()));
  return ended_.wait_for(lock, wait, [this] { return running_ == 0; });
}

void WorkerThreads::Join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  if (failure_) std::rethrow_exception(failure_);
}

std::vector<Tally> WorkerThreads::Tallies(std::size_t labels) const {
  std::vector<Tally> tallies(labels);
  for (const auto& worker : workers_) worker->recorder().AddTo(&tallies);
  return tallies;
}

WrongAnswers WorkerThreads::Wrong() const {
  WrongAnswers wrong;
  for (const auto& worker : workers_) worker->recorder().AddTo(&wrong);
  return wrong;
}

Nanoseconds WorkerThreads::Last() const {
  Nanoseconds last = 0;
  for (const auto& worker : workers_) last = std::max(last, worker->recorder().last());
  return last;
}

double WorkerThreads::Busiest() const { return *std::max_element(busy_.begin(), busy_.end()); }

std::uint64_t WorkerThreads::Missed() const {
  std::uint64_t missed = 0;
  for (const auto& worker : workers_) missed += worker->missed();
  return missed;
}

void WorkerThreads::RunWorker(std::size_t index) {
  const Nanoseconds begin = Now();
  try {
    workers_[index]->Run();
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
  const Nanoseconds time = std::max<Nanoseconds>(1, Now() - begin);
  const Nanoseconds cpu = ReadClock(CLOCK_THREAD_CPUTIME_ID);
  busy_[index] = std::min(1.0, Seconds(cpu) / Seconds(time));
  const std::lock_guard<std::mutex> lock(mutex_);
  if (--running_ == 0) ended_.notify_all();
}

}  // namespace twintree::load
