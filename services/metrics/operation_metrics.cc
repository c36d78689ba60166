#include "services/metrics/operation_metrics.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "services/metrics/families.h"

namespace twintree::metrics {

using model::ResultCode;

std::size_t LatencyBucket(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  return static_cast<std::size_t>(
      std::lower_bound(kLatencyBuckets.begin(), kLatencyBuckets.end(), seconds) -
      kLatencyBuckets.begin());
}

OperationMetrics::OperationMetrics(Names names, std::vector<std::string> operations)
    : names_(names), operations_(std::move(operations)) {}

std::size_t OperationMetrics::ThisThreadsSlot() {
  static std::atomic<std::size_t> next{0};
  thread_local std::size_t slot = next.fetch_add(1, std::memory_order_relaxed) % kSlots;
  return slot;
}

void OperationMetrics::Count(std::size_t operation, ResultCode result,
                             std::chrono::nanoseconds duration) {
  if (operation >= operations_.size() || operation >= kMostOperations) return;
  PerOperation& mine = slots_[ThisThreadsSlot()].operations[operation];
  const auto code = static_cast<std::size_t>(result);
  const std::size_t index = code < kResults ? code : static_cast<std::size_t>(ResultCode::kOther);
  mine.results[index].fetch_add(1, std::memory_order_relaxed);
  mine.buckets[LatencyBucket(duration)].fetch_add(1, std::memory_order_relaxed);
  mine.nanoseconds.fetch_add(
      static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0)),
      std::memory_order_relaxed);
}

prometheus::MetricFamily OperationMetrics::CollectTotals() const {
  auto family = Family(names_.total, names_.total_help, prometheus::MetricType::Counter);
  for (std::size_t operation = 0; operation < operations_.size(); ++operation) {
    for (std::size_t code = 0; code < kResults; ++code) {
      std::uint64_t count = 0;
      for (const Slot& slot : slots_) {
        count += slot.operations[operation].results[code].load(std::memory_order_relaxed);
      }
      if (count == 0 && code != 0) continue;
      const auto name = model::ResultCodeName(static_cast<ResultCode>(code));
      AddCounter(&family,
                 {{"operation", operations_[operation]}, {"result_code", std::string(name)}},
                 static_cast<double>(count));
    }
  }
  return family;
}

prometheus::MetricFamily OperationMetrics::CollectDurations() const {
  auto family = Family(names_.duration, names_.duration_help, prometheus::MetricType::Histogram);
  for (std::size_t operation = 0; operation < operations_.size(); ++operation) {
    prometheus::ClientMetric metric;
    metric.label.push_back({"operation", operations_[operation]});
    std::uint64_t nanoseconds = 0;
    std::uint64_t cumulative = 0;
    for (std::size_t bucket = 0; bucket <= kLatencyBuckets.size(); ++bucket) {
      for (const Slot& slot : slots_) {
        cumulative += slot.operations[operation].buckets[bucket].load(std::memory_order_relaxed);
      }
      const double bound = bucket < kLatencyBuckets.size()
                               ? kLatencyBuckets[bucket]
                               : std::numeric_limits<double>::infinity();
      metric.histogram.bucket.push_back({cumulative, bound});
    }
    for (const Slot& slot : slots_) {
      nanoseconds += slot.operations[operation].nanoseconds.load(std::memory_order_relaxed);
    }
    metric.histogram.sample_count = cumulative;
    metric.histogram.sample_sum = static_cast<double>(nanoseconds) / 1e9;
    family.metric.push_back(std::move(metric));
  }
  return family;
}

std::vector<prometheus::MetricFamily> OperationMetrics::Collect() const {
  return {CollectTotals(), CollectDurations()};
}

}  // namespace twintree::metrics
