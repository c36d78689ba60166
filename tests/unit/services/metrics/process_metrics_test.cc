#include "services/metrics/process_metrics.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace twintree::metrics {
namespace {

std::map<std::string, double> Figures(bool ready) {
  const ProcessMetrics metrics({"1.2.3", "abc", "1.51", "3.40", "serve"}, "f00",
                               [ready] { return ready; });
  std::map<std::string, double> figures;
  for (const auto& family : metrics.Collect()) {
    const auto& metric = family.metric.front();
    figures[family.name] =
        family.type == prometheus::MetricType::Counter ? metric.counter.value : metric.gauge.value;
  }
  return figures;
}

TEST(ProcessMetricsTest, ReadsTheProcess) {
  auto figures = Figures(true);
  EXPECT_GT(figures["process_resident_memory_bytes"], 1 << 20);
  EXPECT_GE(figures["process_virtual_memory_bytes"], figures["process_resident_memory_bytes"]);
  EXPECT_GE(figures["process_open_fds"], 3);
  EXPECT_GE(figures["process_max_fds"], figures["process_open_fds"]);
  EXPECT_GE(figures["process_threads"], 1);
  EXPECT_GT(figures["process_start_time_seconds"], 1.6e9);
  EXPECT_EQ(figures["twintree_build_info"], 1);
}

TEST(ProcessMetricsTest, TellsWhatIsRunning) {
  const ProcessMetrics metrics({"1.2.3", "abc", "1.51", "3.40", "serve"}, "f00",
                               [] { return true; });
  std::map<std::string, std::map<std::string, std::string>> labels;
  for (const auto& family : metrics.Collect()) {
    for (const auto& label : family.metric.front().label) {
      labels[family.name][label.name] = label.value;
    }
  }
  const std::map<std::string, std::string> build = {{"version", "1.2.3"},
                                                    {"revision", "abc"},
                                                    {"grpc", "1.51"},
                                                    {"sqlite", "3.40"},
                                                    {"role", "serve"}};
  EXPECT_EQ(labels["twintree_build_info"], build);
  EXPECT_EQ(labels["twintree_config_hash_info"]["hash"], "f00");
}

TEST(ProcessMetricsTest, TellsReadiness) {
  EXPECT_EQ(Figures(true)["twintree_ready"], 1);
  EXPECT_EQ(Figures(false)["twintree_ready"], 0);
}

}  // namespace
}  // namespace twintree::metrics
