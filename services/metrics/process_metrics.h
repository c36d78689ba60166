// What is known of the process itself: build, readiness, CPU, memory, descriptors.
//
// Read from /proc when Prometheus asks.
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_METRICS_PROCESS_METRICS_H_
#define TWINTREE_SERVICES_METRICS_PROCESS_METRICS_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <functional>
#include <string>
#include <vector>

namespace twintree::metrics {

struct BuildInfo {
  std::string version;
  std::string revision;  // of the source; "unknown" when it was built from no repository
  std::string grpc;      // version of the library
  std::string sqlite;    // version of the library
  std::string role;      // "serve", "directory", "gateway"
};

class ProcessMetrics : public prometheus::Collectable {
 public:
  // `config_hash`: of the settings in effect.
  ProcessMetrics(BuildInfo build, std::string config_hash, std::function<bool()> ready);
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const BuildInfo build_;
  const std::string config_hash_;
  const std::function<bool()> ready_;
};

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_PROCESS_METRICS_H_
