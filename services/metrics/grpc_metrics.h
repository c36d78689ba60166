// Figures of the gRPC door, under the names that public dashboards know.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_METRICS_GRPC_METRICS_H_
#define TWINTREE_SERVICES_METRICS_GRPC_METRICS_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "services/model/latency_buckets.h"

namespace twintree::metrics {

class GrpcMetrics : public prometheus::Collectable {
 public:
  // The method exists: its counters are there before the first call, for every code that one of
  // ours can end with.
  void Declare(std::string_view type, std::string_view service, std::string_view method);
  // A call began. `type` is "unary", "server_stream" or "bidi_stream"; names are those of the
  // .proto files, never a client's.
  void Started(std::string_view type, std::string_view service, std::string_view method);
  // It ended; `code` is the status code's name, "OK", "NotFound", ...
  void Handled(std::string_view type, std::string_view service, std::string_view method,
               std::string_view code, std::chrono::nanoseconds duration);

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  struct Method {
    std::string type;
    std::string service;
    std::string method;
    bool operator<(const Method& other) const {
      return std::tie(type, service, method) < std::tie(other.type, other.service, other.method);
    }
  };
  struct Figures {
    std::uint64_t started = 0;
    std::map<std::string, std::uint64_t> handled;  // by code
    std::array<std::uint64_t, model::kLatencyBuckets.size() + 1> buckets{};
    std::chrono::nanoseconds total{0};
  };
  Figures& Of(std::string_view type, std::string_view service, std::string_view method);

  // A unary gRPC call costs two orders of magnitude more than this lock.
  mutable std::mutex mutex_;
  std::map<Method, Figures> methods_;  // guarded by mutex_
};

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_GRPC_METRICS_H_
