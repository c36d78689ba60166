// Figures of the LDAP door.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_METRICS_LDAP_METRICS_H_
#define TWINTREE_SERVICES_METRICS_LDAP_METRICS_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "services/metrics/operation_metrics.h"
#include "services/model/result.h"

namespace twintree::metrics {

class LdapMetrics : public prometheus::Collectable {
 public:
  enum Operation {
    kBind,
    kUnbind,
    kSearch,
    kModify,
    kAdd,
    kDelete,
    kModifyDn,
    kCompare,
    kAbandon,
    kExtended
  };
  enum Transport { kLdap, kLdaps, kLdapi, kTransports };

  LdapMetrics();
  void Opened(Transport transport);
  void Closed(Transport transport);
  void Refused(Transport transport);
  void Received(std::uint64_t bytes) { received_.fetch_add(bytes, std::memory_order_relaxed); }
  void Sent(std::uint64_t bytes) { sent_.fetch_add(bytes, std::memory_order_relaxed); }
  void Handshake(bool succeeded);
  void Request(Operation operation, model::ResultCode result, std::chrono::nanoseconds duration) {
    requests_.Count(operation, result, duration);
  }

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  using PerTransport = std::array<std::atomic<std::int64_t>, kTransports>;

  OperationMetrics requests_;
  PerTransport open_{};
  PerTransport accepted_{};
  PerTransport refused_{};
  std::atomic<std::uint64_t> received_{0};
  std::atomic<std::uint64_t> sent_{0};
  std::array<std::atomic<std::uint64_t>, 2> handshakes_{};  // failed, succeeded
};

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_LDAP_METRICS_H_
