#include "services/metrics/families.h"

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
