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
  // How a bind authenticates, in the words of RFC 4513 5.1; kOtherBind: what cannot be read.
  enum Mechanism { kSimple, kAnonymous, kUnauthenticated, kSasl, kOtherBind, kMechanisms };
  enum Control {
    kPagedResults,
    kAssertion,
    kPreRead,
    kPostRead,
    kManageDsaIt,
    kOtherControl,
    kControls
  };

  LdapMetrics();
  void Opened(Transport transport);
  void Closed(Transport transport);
  void Refused(Transport transport);
  void Received(std::uint64_t bytes) { received_.fetch_add(bytes, std::memory_order_relaxed); }
  void Sent(std::uint64_t bytes) { sent_.fetch_add(bytes, std::memory_order_relaxed); }
  void Handshake(bool succeeded);
  // `entries`: what a search has returned.
  void Request(Operation operation, model::ResultCode result, std::chrono::nanoseconds duration,
               std::uint64_t entries = 0) {
    operations_.Count(operation, result, duration, entries);
  }
  // Besides Request().
  void Bind(Mechanism mechanism, model::ResultCode result) {
    binds_[mechanism][ResultIndex(result)].fetch_add(1, std::memory_order_relaxed);
  }
  // A request carried `count` controls of this kind.
  void Controls(Control control, std::uint64_t count) {
    controls_[control].fetch_add(count, std::memory_order_relaxed);
  }

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  using PerTransport = std::array<std::atomic<std::int64_t>, kTransports>;

  prometheus::MetricFamily CollectBinds() const;
  prometheus::MetricFamily CollectControls() const;

  OperationMetrics operations_;
  std::array<std::array<std::atomic<std::uint64_t>, kResults>, kMechanisms> binds_{};
  std::array<std::atomic<std::uint64_t>, kControls> controls_{};
  PerTransport open_{};
  PerTransport accepted_{};
  PerTransport refused_{};
  std::atomic<std::uint64_t> received_{0};
  std::atomic<std::uint64_t> sent_{0};
  std::array<std::atomic<std::uint64_t>, 2> handshakes_{};  // failed, succeeded
};

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_LDAP_METRICS_H_
