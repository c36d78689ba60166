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
#include <string>
#include <vector>

#include "services/model/result.h"

namespace twintree::metrics {

// The upper bounds of the latency buckets, in seconds.
inline constexpr std::array<double, 18> kLatencyBuckets = {
    0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
    0.01,    0.025,    0.05,    0.1,    0.25,    0.5,    1,     2.5,    10};

// Which bucket a duration falls into; kLatencyBuckets.size() for those above the last bound.
std::size_t LatencyBucket(std::chrono::nanoseconds duration);

class OperationMetrics : public prometheus::Collectable {
 public:
  struct Names {
    const char* total;
    const char* total_help;
    const char* duration;
    const char* duration_help;
  };
  // `operations`: the values of the label `operation`, at most 16. Each is there from the start,
  // with result_code="success".
  OperationMetrics(Names names, std::vector<std::string> operations);

  // One operation ended. `operation` is an index into the list given.
  void Count(std::size_t operation, model::ResultCode result, std::chrono::nanoseconds duration);

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  static constexpr std::size_t kMostOperations = 16;
  static constexpr std::size_t kResults = 128;  // result codes above are counted as `other`
  static constexpr std::size_t kSlots = 8;

  struct PerOperation {
    std::array<std::atomic<std::uint64_t>, kResults> results{};
    std::array<std::atomic<std::uint64_t>, kLatencyBuckets.size() + 1> buckets{};
    std::atomic<std::uint64_t> nanoseconds{0};
  };
  struct alignas(64) Slot {
    std::array<PerOperation, kMostOperations> operations{};
  };
  static std::size_t ThisThreadsSlot();
  prometheus::MetricFamily CollectTotals() const;
  prometheus::MetricFamily CollectDurations() const;

  const Names names_;
  const std::vector<std::string> operations_;
  std::array<Slot, kSlots> slots_{};
};

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_OPERATION_METRICS_H_
