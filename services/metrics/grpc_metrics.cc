#include "services/metrics/grpc_metrics.h"

#include "services/metrics/families.h"
#include "services/metrics/names.h"

namespace twintree::metrics {

using prometheus::MetricType;

namespace {

// docs/grpc.md, and what gRPC itself ends calls with.
constexpr const char* kExpectedCodes[] = {
    "OK",          "Canceled",           "InvalidArgument",  "DeadlineExceeded",
    "NotFound",    "AlreadyExists",      "PermissionDenied", "ResourceExhausted",
    "Aborted",     "FailedPrecondition", "Unimplemented",    "Internal",
    "Unavailable", "Unauthenticated"};

}  // namespace

GrpcMetrics::Figures& GrpcMetrics::Of(std::string_view type, std::string_view service,
                                      std::string_view method) {
  return methods_[{std::string(type), std::string(service), std::string(method)}];
}

void GrpcMetrics::Declare(std::string_view type, std::string_view service,
                          std::string_view method) {
  const std::lock_guard lock(mutex_);
  Figures& figures = Of(type, service, method);
  for (const char* code : kExpectedCodes) figures.handled.try_emplace(code, 0);
}

void GrpcMetrics::Started(std::string_view type, std::string_view service,
                          std::string_view method) {
  const std::lock_guard lock(mutex_);
  ++Of(type, service, method).started;
}

void GrpcMetrics::Handled(std::string_view type, std::string_view service, std::string_view method,
                          std::string_view code, std::chrono::nanoseconds duration) {
  const std::lock_guard lock(mutex_);
  Figures& figures = Of(type, service, method);
  ++figures.handled[std::string(code)];
  ++figures.buckets[model::LatencyBucket(duration)];
  figures.total += duration;
}

std::vector<prometheus::MetricFamily> GrpcMetrics::Collect() const {
  auto started = Family(names::kGrpcStarted, "Calls started.", MetricType::Counter);
  auto handled = Family(names::kGrpcHandled, "Calls ended, by status.", MetricType::Counter);
  auto handling = Family(names::kGrpcHandling, "Time calls took.", MetricType::Histogram);
  const std::lock_guard lock(mutex_);
  for (const auto& [method, figures] : methods_) {
    const Labels labels = {{"grpc_type", method.type},
                           {"grpc_service", method.service},
                           {"grpc_method", method.method}};
    AddCounter(&started, labels, static_cast<double>(figures.started));
    for (const auto& [code, count] : figures.handled) {
      Labels with_code = labels;
      with_code.emplace_back("grpc_code", code);
      AddCounter(&handled, with_code, static_cast<double>(count));
    }
    AddHistogram(&handling, labels, model::kLatencyBuckets, figures.buckets,
                 std::chrono::duration<double>(figures.total).count());
  }
  return {std::move(started), std::move(handled), std::move(handling)};
}

}  // namespace twintree::metrics
