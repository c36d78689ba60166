#include "services/metrics/operation_metrics.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/metrics/families.h"

namespace twintree::metrics {

using model::ResultCode;

OperationMetrics::OperationMetrics(Names names, std::vector<CountedOperation> operations)
    : names_(names), operations_(std::move(operations)) {}

std::size_t OperationMetrics::ThisThreadsSlot() {
  static std::atomic<std::size_t> next{0};
  thread_local std::size_t slot = next.fetch_add(1, std::memory_order_relaxed) % kSlots;
  return slot;
}

void OperationMetrics::Count(std::size_t operation, ResultCode result,
                             std::chrono::nanoseconds duration, std::uint64_t entries) {
  if (operation >= operations_.size() || operation >= kMostOperations) return;
  PerOperation& mine = slots_[ThisThreadsSlot()].operations[operation];
  mine.results[ResultIndex(result)].fetch_add(1, std::memory_order_relaxed);
  mine.buckets[model::LatencyBucket(duration)].fetch_add(1, std::memory_order_relaxed);
  mine.nanoseconds.fetch_add(
      static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0)),
      std::memory_order_relaxed);
  if (entries != 0) mine.entries.fetch_add(entries, std::memory_order_relaxed);
}

std::uint64_t OperationMetrics::entries() const {
  std::uint64_t sum = 0;
  for (const Slot& slot : slots_) {
    for (const PerOperation& one : slot.operations) {
      sum += one.entries.load(std::memory_order_relaxed);
    }
  }
  return sum;
}

prometheus::MetricFamily OperationMetrics::CollectTotals() const {
  auto family = Family(names_.total, names_.total_help, prometheus::MetricType::Counter);
  for (std::size_t operation = 0; operation < operations_.size(); ++operation) {
    std::array<std::uint64_t, kResults> counts{};
    for (const Slot& slot : slots_) {
      for (std::size_t code = 0; code < kResults; ++code) {
        counts[code] += slot.operations[operation].results[code].load(std::memory_order_relaxed);
      }
    }
    const auto& [name, expected] = operations_[operation];
    AddResults(&family, {{"operation", name}}, counts, expected);
  }
  return family;
}

prometheus::MetricFamily OperationMetrics::CollectDurations() const {
  auto family = Family(names_.duration, names_.duration_help, prometheus::MetricType::Histogram);
  for (std::size_t operation = 0; operation < operations_.size(); ++operation) {
    std::array<std::uint64_t, model::kLatencyBuckets.size() + 1> counts{};
    std::uint64_t nanoseconds = 0;
    for (const Slot& slot : slots_) {
      const PerOperation& one = slot.operations[operation];
      for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i] += one.buckets[i].load(std::memory_order_relaxed);
      }
      nanoseconds += one.nanoseconds.load(std::memory_order_relaxed);
    }
    AddHistogram(&family, {{"operation", operations_[operation].name}}, model::kLatencyBuckets,
                 counts, static_cast<double>(nanoseconds) / 1e9);
  }
  return family;
}

std::vector<prometheus::MetricFamily> OperationMetrics::Collect() const {
  return {CollectTotals(), CollectDurations()};
}

}  // namespace twintree::metrics
