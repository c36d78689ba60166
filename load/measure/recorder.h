// What one thread saw: operations, entries, latencies and wrong answers.
//
// Thread-safety: the thread that owns it records; Total() and Wrong() may be asked by any thread
#ifndef TWINTREE_LOAD_MEASURE_RECORDER_H_
#define TWINTREE_LOAD_MEASURE_RECORDER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "load/measure/clock.h"
#include "load/measure/histogram.h"

namespace twintree::load {

// The time that counts: what ends in it counts for the rate, what was meant to begin in it counts
// for the latency.
struct Window {
  Nanoseconds begin = 0;
  Nanoseconds end = kNever;

  bool Contains(Nanoseconds time) const { return time >= begin && time < end; }
};

// One kind of operations.
struct Tally {
  std::uint64_t operations = 0;      // right answers in the window
  std::uint64_t entries = 0;         // found in the window
  std::uint64_t all_operations = 0;  // those of the warm-up and after the end too
  std::uint64_t all_entries = 0;
  Histogram latency;

  void Merge(const Tally& other);
};

using WrongAnswers = std::map<std::string, std::uint64_t>;  // what was wrong, and how often

class Recorder {
 public:
  explicit Recorder(std::size_t labels);

  // REQUIRES: nothing was recorded yet
  void SetWindow(const Window& window) { window_ = window; }

  void Entries(std::size_t label, std::uint64_t count, Nanoseconds now);
  void Finished(std::size_t label, Nanoseconds intended, Nanoseconds now);
  void WrongAnswer(const std::string& what);

  // Adds to `tallies`, which has an element for each label.
  void AddTo(std::vector<Tally>* tallies) const;
  void AddTo(WrongAnswers* wrong) const;
  // When the last operation of the window ended; 0 if none did.
  Nanoseconds last() const { return last_.load(std::memory_order_relaxed); }

 private:
  struct Counters {
    std::atomic<std::uint64_t> operations{0};
    std::atomic<std::uint64_t> entries{0};
    std::atomic<std::uint64_t> all_operations{0};
    std::atomic<std::uint64_t> all_entries{0};
    LatencyRecorder latency;
  };

  Window window_;
  const std::size_t labels_;
  std::unique_ptr<Counters[]> counters_;
  std::atomic<Nanoseconds> last_{0};
  mutable std::mutex mutex_;
  WrongAnswers wrong_;  // guarded by mutex_
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_MEASURE_RECORDER_H_
