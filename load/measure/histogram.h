// Latencies, counted in buckets whose width grows with the value.
//
// Each power of two is cut into 64 buckets of equal width, so a value is known to 1/64 (1.6 %) at
// any size, and memory does not depend on the number of values.
//
// Shape:         nanoseconds from 0 to kLargest (about 73 minutes); larger ones count as kLargest,
//                negative ones as 0
// Thread-safety: LatencyRecorder: one thread records, any thread copies at the same time.
//                Histogram: compatible
#ifndef TWINTREE_LOAD_MEASURE_HISTOGRAM_H_
#define TWINTREE_LOAD_MEASURE_HISTOGRAM_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "load/measure/clock.h"

namespace twintree::load {

// Which bucket a value belongs to, and what a bucket holds.
class HistogramScale {
 public:
  static constexpr int kBucketBits = 6;
  static constexpr int kValueBits = 42;
  static constexpr Nanoseconds kLargest = (Nanoseconds{1} << kValueBits) - 1;
  static constexpr std::size_t kBuckets = static_cast<std::size_t>(kValueBits - kBucketBits + 1)
                                          << kBucketBits;

  static std::size_t BucketOf(Nanoseconds value);
  // The smallest and the largest value of a bucket.
  static Nanoseconds LowerBound(std::size_t bucket);
  static Nanoseconds UpperBound(std::size_t bucket);
};

// Counts at one moment, to compute with.
class Histogram {
 public:
  Histogram() : counts_(HistogramScale::kBuckets) {}

  void Add(Nanoseconds value, std::uint64_t times = 1);
  void Merge(const Histogram& other);
  // What was counted since `earlier`, a former copy of the same counts. The maximum is that of the
  // highest bucket that grew.
  Histogram Since(const Histogram& earlier) const;

  std::uint64_t count() const { return count_; }
  // The largest value itself; 0 when there is none.
  Nanoseconds max() const { return max_; }
  // 0 when there is none.
  double Mean() const;
  // The smallest value that at least `percent` of the values do not exceed, as the upper bound of
  // its bucket but never above max(). 0 when there is no value.
  //
  // REQUIRES: 0 <= percent <= 100
  Nanoseconds Percentile(double percent) const;

  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  friend class LatencyRecorder;

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  Nanoseconds max_ = 0;
  double sum_ = 0;
};

// Counts that one thread adds to while others look.
class LatencyRecorder {
 public:
  void Record(Nanoseconds value);
  void AddTo(Histogram* histogram) const;

 private:
  std::array<std::atomic<std::uint64_t>, HistogramScale::kBuckets> counts_{};
  std::atomic<Nanoseconds> max_{0};
  std::atomic<Nanoseconds> sum_{0};
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_MEASURE_HISTOGRAM_H_
