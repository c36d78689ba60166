#include "services/metrics/families.h"

#include <limits>

namespace twintree::metrics {
namespace {

prometheus::ClientMetric Labelled(const Labels& labels) {
  prometheus::ClientMetric metric;
  for (const auto& [name, value] : labels) metric.label.push_back({name, value});
  return metric;
}

}  // namespace

prometheus::MetricFamily Family(const char* name, const char* help, prometheus::MetricType type) {
  prometheus::MetricFamily family;
  family.name = name;
  family.help = help;
  family.type = type;
  return family;
}

void AddCounter(prometheus::MetricFamily* family, const Labels& labels, double value) {
  prometheus::ClientMetric metric = Labelled(labels);
  metric.counter.value = value;
  family->metric.push_back(std::move(metric));
}

void AddGauge(prometheus::MetricFamily* family, const Labels& labels, double value) {
  prometheus::ClientMetric metric = Labelled(labels);
  metric.gauge.value = value;
  family->metric.push_back(std::move(metric));
}

void AddHistogram(prometheus::MetricFamily* family, const Labels& labels,
                  std::span<const double> bounds, std::span<const std::uint64_t> counts,
                  double sum) {
  prometheus::ClientMetric metric = Labelled(labels);
  std::uint64_t cumulative = 0;
  for (std::size_t i = 0; i <= bounds.size(); ++i) {
    if (i < counts.size()) cumulative += counts[i];
    const double bound = i < bounds.size() ? bounds[i] : std::numeric_limits<double>::infinity();
    metric.histogram.bucket.push_back({cumulative, bound});
  }
  metric.histogram.sample_count = cumulative;
  metric.histogram.sample_sum = sum;
  family->metric.push_back(std::move(metric));
}

prometheus::MetricFamily CounterFamily(const char* name, const char* help, double value) {
  prometheus::MetricFamily family = Family(name, help, prometheus::MetricType::Counter);
  AddCounter(&family, {}, value);
  return family;
}

prometheus::MetricFamily GaugeFamily(const char* name, const char* help, double value) {
  prometheus::MetricFamily family = Family(name, help, prometheus::MetricType::Gauge);
  AddGauge(&family, {}, value);
  return family;
}

}  // namespace twintree::metrics
