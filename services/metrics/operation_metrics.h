// Counts of operations by kind and result, and how long they took.
//
// Written on every request by many threads: each thread adds to its own slot, without locks; the
// slots are added up when Prometheus asks. prometheus-cpp's own histogram takes a lock for each
// observation, which is why this one is ours.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_METRICS_OPERATION_METRICS_H_
#define TWINTREE_SERVICES_METRICS_OPERATION_METRICS_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "services/metrics/results.h"
#include "services/model/latency_buckets.h"
#include "services/model/result.h"

namespace twintree::metrics {

class OperationMetrics : public prometheus::Collectable {
 public:
  struct Names {
    const char* total;
    const char* total_help;
    const char* duration;
    const char* duration_help;
  };
  // `operations`: the values of the label `operation`, at most 16.
  OperationMetrics(Names names, std::vector<CountedOperation> operations);

  // One operation ended, a search having returned `entries`. `operation` is an index into the list
  // given.
  void Count(std::size_t operation, model::ResultCode result, std::chrono::nanoseconds duration,
             std::uint64_t entries = 0);
  // Of all operations together.
  std::uint64_t entries() const;

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  static constexpr std::size_t kMostOperations = 16;
  static constexpr std::size_t kSlots = 8;

  struct PerOperation {
    std::array<std::atomic<std::uint64_t>, kResults> results{};
    std::array<std::atomic<std::uint64_t>, model::kLatencyBuckets.size() + 1> buckets{};
    std::atomic<std::uint64_t> nanoseconds{0};
    std::atomic<std::uint64_t> entries{0};
  };
  struct alignas(64) Slot {
    std::array<PerOperation, kMostOperations> operations{};
  };
  static std::size_t ThisThreadsSlot();
  prometheus::MetricFamily CollectTotals() const;
  prometheus::MetricFamily CollectDurations() const;

  const Names names_;
  const std::vector<CountedOperation> operations_;
  std::array<Slot, kSlots> slots_{};
};

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_OPERATION_METRICS_H_
