#include "services/metrics/operation_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

namespace twintree::metrics {
namespace {

using model::ResultCode;
using std::chrono::microseconds;

OperationMetrics TwoOperations() {
  return OperationMetrics({"ops_total", "Operations.", "op_seconds", "Durations."},
                          {{"bind", {ResultCode::kSuccess, ResultCode::kInvalidCredentials}},
                           {"search", {ResultCode::kSuccess}}});
}

double CounterOf(const OperationMetrics& metrics, const std::string& operation,
                 const std::string& result) {
  const prometheus::MetricFamily totals = metrics.Collect()[0];
  for (const auto& metric : totals.metric) {
    if (metric.label[0].value == operation && metric.label[1].value == result) {
      return metric.counter.value;
    }
  }
  return -1;
}

TEST(OperationMetricsTest, ExpectedResultsAreThereBeforeTheFirstOperation) {
  const OperationMetrics metrics = TwoOperations();
  EXPECT_EQ(CounterOf(metrics, "bind", "success"), 0);
  EXPECT_EQ(CounterOf(metrics, "bind", "invalidCredentials"), 0);
  EXPECT_EQ(CounterOf(metrics, "search", "success"), 0);
  EXPECT_EQ(CounterOf(metrics, "search", "invalidCredentials"), -1);
}

TEST(OperationMetricsTest, CountsByOperationAndResult) {
  OperationMetrics metrics = TwoOperations();
  metrics.Count(0, ResultCode::kInvalidCredentials, microseconds(5));
  metrics.Count(1, ResultCode::kSuccess, microseconds(5));
  metrics.Count(1, ResultCode::kSuccess, microseconds(5));
  EXPECT_EQ(CounterOf(metrics, "bind", "invalidCredentials"), 1);
  EXPECT_EQ(CounterOf(metrics, "search", "success"), 2);
}

TEST(OperationMetricsTest, BucketsAreCumulativeAndEndInInfinity) {
  OperationMetrics metrics = TwoOperations();
  for (const int us : {1, 10, 11, 700, 20'000'000}) {
    metrics.Count(1, ResultCode::kSuccess, microseconds(us));
  }
  const prometheus::MetricFamily durations = metrics.Collect()[1];
  const auto& histogram = durations.metric[1].histogram;
  EXPECT_EQ(histogram.bucket.front().cumulative_count, 2u);  // 1 and 10 µs are at most 10 µs
  std::uint64_t before = 0;
  for (const auto& bucket : histogram.bucket) {
    EXPECT_GE(bucket.cumulative_count, before);
    before = bucket.cumulative_count;
  }
  EXPECT_TRUE(std::isinf(histogram.bucket.back().upper_bound));
  EXPECT_EQ(histogram.bucket.back().cumulative_count, histogram.sample_count);
  EXPECT_EQ(histogram.sample_count, 5u);
  EXPECT_NEAR(histogram.sample_sum, 20.000722, 1e-6);
}

TEST(OperationMetricsTest, LosesNothingWhenManyThreadsCount) {
  OperationMetrics metrics = TwoOperations();
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) metrics.Count(1, ResultCode::kSuccess, microseconds(1));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(CounterOf(metrics, "search", "success"), 12000);
}

TEST(OperationMetricsTest, UnknownResultsCountAsOther) {
  OperationMetrics metrics = TwoOperations();
  metrics.Count(0, static_cast<ResultCode>(4096), microseconds(1));
  metrics.Count(0, static_cast<ResultCode>(9), microseconds(1));    // reserved
  metrics.Count(0, static_cast<ResultCode>(100), microseconds(1));  // not assigned
  EXPECT_EQ(CounterOf(metrics, "bind", "other"), 3);
  EXPECT_EQ(CounterOf(metrics, "bind", "unknown"), -1);
}

TEST(OperationMetricsTest, AddsUpEntries) {
  OperationMetrics metrics = TwoOperations();
  metrics.Count(1, ResultCode::kSuccess, microseconds(1), 3);
  std::thread([&] { metrics.Count(1, ResultCode::kSuccess, microseconds(1), 4); }).join();
  EXPECT_EQ(metrics.entries(), 7u);
}

}  // namespace
}  // namespace twintree::metrics
