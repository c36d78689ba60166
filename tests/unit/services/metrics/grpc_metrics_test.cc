#include "services/metrics/grpc_metrics.h"

#include <gtest/gtest.h>

#include "tests/unit/services/metrics/reading.h"

namespace twintree::metrics {
namespace {

using std::chrono::milliseconds;
using testing::Read;
using testing::Samples;

const std::string kGet = "grpc_type=\"unary\",grpc_service=\"s\",grpc_method=\"Get\"";

TEST(GrpcMetricsTest, MethodsCountFromZero) {
  GrpcMetrics metrics;
  metrics.Declare("unary", "s", "Get");
  const Samples samples = Read(metrics);
  EXPECT_EQ(samples.at("grpc_server_started_total{" + kGet + "}"), 0);
  EXPECT_EQ(samples.at("grpc_server_handled_total{" + kGet + ",grpc_code=\"OK\"}"), 0);
  EXPECT_EQ(samples.at("grpc_server_handled_total{" + kGet + ",grpc_code=\"Unavailable\"}"), 0);
  EXPECT_EQ(samples.at("grpc_server_handling_seconds_count{" + kGet + "}"), 0);
}

TEST(GrpcMetricsTest, CountCallsByCodeAndTime) {
  GrpcMetrics metrics;
  for (int i = 0; i < 3; ++i) metrics.Started("unary", "s", "Get");
  metrics.Handled("unary", "s", "Get", "OK", milliseconds(2));
  metrics.Handled("unary", "s", "Get", "NotFound", milliseconds(30));
  const Samples samples = Read(metrics);
  EXPECT_EQ(samples.at("grpc_server_started_total{" + kGet + "}"), 3);
  EXPECT_EQ(samples.at("grpc_server_handled_total{" + kGet + ",grpc_code=\"OK\"}"), 1);
  EXPECT_EQ(samples.at("grpc_server_handled_total{" + kGet + ",grpc_code=\"NotFound\"}"), 1);
  const std::string handling = "grpc_server_handling_seconds";
  EXPECT_EQ(samples.at(handling + "_bucket{" + kGet + ",le=\"0.001\"}"), 0);
  EXPECT_EQ(samples.at(handling + "_bucket{" + kGet + ",le=\"0.0025\"}"), 1);
  EXPECT_EQ(samples.at(handling + "_bucket{" + kGet + ",le=\"+Inf\"}"), 2);
  EXPECT_DOUBLE_EQ(samples.at(handling + "_sum{" + kGet + "}"), 0.032);
}

}  // namespace
}  // namespace twintree::metrics
