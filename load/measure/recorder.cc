#include "load/measure/recorder.h"

namespace twintree::load {
namespace {

// Only the owner writes, so that a load and a store are enough.
void Increase(std::atomic<std::uint64_t>& counter, std::uint64_t by) {
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace

void Tally::Merge(const Tally& other) {
  operations += other.operations;
  entries += other.entries;
  all_operations += other.all_operations;
  all_entries += other.all_entries;
  latency.Merge(other.latency);
}

Recorder::Recorder(std::size_t labels)
    : labels_(labels), counters_(std::make_unique<Counters[]>(labels)) {}

void Recorder::Entries(std::size_t label, std::uint64_t count, Nanoseconds now) {
  Counters& counters = counters_[label];
  Increase(counters.all_entries, count);
  if (window_.Contains(now)) Increase(counters.entries, count);
}

void Recorder::Finished(std::size_t label, Nanoseconds intended, Nanoseconds now) {
  Counters& counters = counters_[label];
  Increase(counters.all_operations, 1);
  if (window_.Contains(now)) {
    Increase(counters.operations, 1);
    last_.store(now, std::memory_order_relaxed);
  }
  if (window_.Contains(intended)) counters.latency.Record(now - intended);
}

void Recorder::WrongAnswer(const std::string& what) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++wrong_[what];
}

void Recorder::AddTo(std::vector<Tally>* tallies) const {
  for (std::size_t i = 0; i < labels_; ++i) {
    const Counters& counters = counters_[i];
    Tally& tally = (*tallies)[i];
    tally.operations += counters.operations.load(std::memory_order_relaxed);
    tally.entries += counters.entries.load(std::memory_order_relaxed);
    tally.all_operations += counters.all_operations.load(std::memory_order_relaxed);
    tally.all_entries += counters.all_entries.load(std::memory_order_relaxed);
    counters.latency.AddTo(&tally.latency);
  }
}

void Recorder::AddTo(WrongAnswers* wrong) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [what, count] : wrong_) (*wrong)[what] += count;
}

}  // namespace twintree::load
