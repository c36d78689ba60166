// Reads what metrics would show, as text: "name{label=\"value\",...}" to number.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_METRICS_READING_H_
#define TWINTREE_TESTS_UNIT_SERVICES_METRICS_READING_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

namespace twintree::metrics::testing {

using Samples = std::map<std::string, double>;

inline Samples Read(const prometheus::Collectable& metrics) {
  std::istringstream page(prometheus::TextSerializer().Serialize(metrics.Collect()));
  Samples samples;
  for (std::string line; std::getline(page, line);) {
    const std::size_t space = line.rfind(' ');
    if (line.starts_with('#') || space == std::string::npos) continue;
    samples[line.substr(0, space)] = std::strtod(line.c_str() + space + 1, nullptr);
  }
  return samples;
}

}  // namespace twintree::metrics::testing

#endif  // TWINTREE_TESTS_UNIT_SERVICES_METRICS_READING_H_
