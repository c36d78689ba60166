// Figures of the store and the engine, read when Prometheus asks.
//
// Thread-safety: safe, if the functions given are.
#ifndef TWINTREE_SERVICES_METRICS_STATE_METRICS_H_
#define TWINTREE_SERVICES_METRICS_STATE_METRICS_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <functional>
#include <vector>

#include "storage/entry_store.h"

namespace twintree::metrics {

class StoreMetrics : public prometheus::Collectable {
 public:
  explicit StoreMetrics(std::function<storage::StoreStatistics()> read);
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const std::function<storage::StoreStatistics()> read_;
};

// How searches found their candidates.
struct SearchFigures {
  std::uint64_t indexed = 0;
  std::uint64_t unindexed = 0;
  std::uint64_t candidates = 0;
};

class EngineMetrics : public prometheus::Collectable {
 public:
  explicit EngineMetrics(std::function<SearchFigures()> read);
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const std::function<SearchFigures()> read_;
};

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_STATE_METRICS_H_
