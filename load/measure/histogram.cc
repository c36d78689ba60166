#include "load/measure/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace twintree::load {
namespace {

constexpr std::size_t kPerPower = std::size_t{1} << HistogramScale::kBucketBits;

Nanoseconds Clamp(Nanoseconds value) {
  return std::clamp<Nanoseconds>(value, 0, HistogramScale::kLargest);
}

// Only one thread writes, so that a load and a store are enough.
template <typename T>
void Increase(std::atomic<T>& counter, T by) {
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace

std::size_t HistogramScale::BucketOf(Nanoseconds value) {
  const auto octets = static_cast<std::uint64_t>(Clamp(value));
  const int width = std::bit_width(octets);
  if (width <= kBucketBits) return octets;
  const int shift = width - 1 - kBucketBits;
  return (static_cast<std::size_t>(shift) << kBucketBits) + (octets >> shift);
}

Nanoseconds HistogramScale::LowerBound(std::size_t bucket) {
  if (bucket < 2 * kPerPower) return static_cast<Nanoseconds>(bucket);
  const std::size_t shift = bucket / kPerPower - 1;
  return static_cast<Nanoseconds>((kPerPower + bucket % kPerPower) << shift);
}

Nanoseconds HistogramScale::UpperBound(std::size_t bucket) {
  return bucket + 1 < kBuckets ? LowerBound(bucket + 1) - 1 : kLargest;
}

void Histogram::Add(Nanoseconds value, std::uint64_t times) {
  if (times == 0) return;
  value = Clamp(value);
  counts_[HistogramScale::BucketOf(value)] += times;
  count_ += times;
  max_ = std::max(max_, value);
  sum_ += static_cast<double>(value) * static_cast<double>(times);
}

void Histogram::Merge(const Histogram& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
}

Histogram Histogram::Since(const Histogram& earlier) const {
  Histogram since;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    since.counts_[i] = counts_[i] - earlier.counts_[i];
    since.count_ += since.counts_[i];
    if (since.counts_[i] != 0) since.max_ = std::min(HistogramScale::UpperBound(i), max_);
  }
  since.sum_ = sum_ - earlier.sum_;
  return since;
}

double Histogram::Mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

Nanoseconds Histogram::Percentile(double percent) const {
  if (count_ == 0) return 0;
  const double exact = std::ceil(percent / 100 * static_cast<double>(count_));
  const auto rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(exact), 1, count_);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= rank) return std::min(HistogramScale::UpperBound(i), max_);
  }
  return max_;
}

void LatencyRecorder::Record(Nanoseconds value) {
  value = Clamp(value);
  Increase<std::uint64_t>(counts_[HistogramScale::BucketOf(value)], 1);
  Increase(sum_, value);
  if (value > max_.load(std::memory_order_relaxed)) max_.store(value, std::memory_order_relaxed);
}

void LatencyRecorder::AddTo(Histogram* histogram) const {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const std::uint64_t count = counts_[i].load(std::memory_order_relaxed);
    histogram->counts_[i] += count;
    histogram->count_ += count;
  }
  histogram->max_ = std::max(histogram->max_, max_.load(std::memory_order_relaxed));
  histogram->sum_ += static_cast<double>(sum_.load(std::memory_order_relaxed));
}

}  // namespace twintree::load
