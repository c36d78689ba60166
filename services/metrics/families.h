// Making prometheus-cpp's metric families by hand, for figures that are kept elsewhere and read
// when Prometheus asks.
#ifndef TWINTREE_SERVICES_METRICS_FAMILIES_H_
#define TWINTREE_SERVICES_METRICS_FAMILIES_H_

#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace twintree::metrics {

using Labels = std::vector<std::pair<std::string, std::string>>;

prometheus::MetricFamily Family(const char* name, const char* help, prometheus::MetricType type);
void AddCounter(prometheus::MetricFamily* family, const Labels& labels, double value);
void AddGauge(prometheus::MetricFamily* family, const Labels& labels, double value);

// `counts` of each bucket alone, one more than there are upper bounds; the last is of what lies
// above them all.
void AddHistogram(prometheus::MetricFamily* family, const Labels& labels,
                  std::span<const double> bounds, std::span<const std::uint64_t> counts,
                  double sum);

// A family with one sample without labels.
prometheus::MetricFamily CounterFamily(const char* name, const char* help, double value);
prometheus::MetricFamily GaugeFamily(const char* name, const char* help, double value);

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_FAMILIES_H_
