// Figures of the store, the engine and certificates, read when Prometheus asks.
//
// Thread-safety: safe, if the functions given are.
#ifndef TWINTREE_SERVICES_METRICS_STATE_METRICS_H_
#define TWINTREE_SERVICES_METRICS_STATE_METRICS_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "services/directory/engine_statistics.h"
#include "storage/entry_store.h"

namespace twintree::metrics {

class StoreMetrics : public prometheus::Collectable {
 public:
  explicit StoreMetrics(std::function<storage::StoreStatistics()> read);
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const std::function<storage::StoreStatistics()> read_;
};

class EngineMetrics : public prometheus::Collectable {
 public:
  explicit EngineMetrics(std::function<directory::EngineStatistics()> read);
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const std::function<directory::EngineStatistics()> read_;
};

// When certificates end.
class CertificateMetrics : public prometheus::Collectable {
 public:
  struct Certificate {
    std::string name;  // the value of the label `certificate`
    std::chrono::system_clock::time_point not_after;
  };
  explicit CertificateMetrics(std::function<std::vector<Certificate>()> read);
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const std::function<std::vector<Certificate>()> read_;
};

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_STATE_METRICS_H_
