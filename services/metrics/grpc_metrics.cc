#include "services/metrics/grpc_metrics.h"

#include <limits>

#include "services/metrics/families.h"
#include "services/metrics/names.h"

namespace twintree::metrics {

using prometheus::MetricType;

GrpcMetrics::Figures& GrpcMetrics::Of(std::string_view type, std::string_view service,
                                      std::string_view method) {
  return methods_[{std::string(type), std::string(service), std::string(method)}];
}

void GrpcMetrics::Declare(std::string_view type, std::string_view service,
                          std::string_view method) {
  const std::lock_guard lock(mutex_);
  Of(type, service, method).handled.try_emplace("OK", 0);
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
  ++figures.buckets[LatencyBucket(duration)];
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
    prometheus::ClientMetric metric;
    for (const auto& [name, value] : labels) metric.label.push_back({name, value});
    std::uint64_t cumulative = 0;
    for (std::size_t i = 0; i < figures.buckets.size(); ++i) {
      cumulative += figures.buckets[i];
      metric.histogram.bucket.push_back(
          {cumulative, i < kLatencyBuckets.size() ? kLatencyBuckets[i]
                                                  : std::numeric_limits<double>::infinity()});
    }
    metric.histogram.sample_count = cumulative;
    metric.histogram.sample_sum = std::chrono::duration<double>(figures.total).count();
    handling.metric.push_back(std::move(metric));
  }
  return {std::move(started), std::move(handled), std::move(handling)};
}

}  // namespace twintree::metrics
