#include "load/measure/histogram.h"

#include <gtest/gtest.h>

#include <memory>

namespace twintree::load {
namespace {

TEST(HistogramScaleTest, CoversEveryValueWithoutGaps) {
  for (std::size_t bucket = 0; bucket + 1 < HistogramScale::kBuckets; ++bucket) {
    ASSERT_EQ(HistogramScale::UpperBound(bucket) + 1, HistogramScale::LowerBound(bucket + 1));
    ASSERT_EQ(HistogramScale::BucketOf(HistogramScale::LowerBound(bucket)), bucket);
    ASSERT_EQ(HistogramScale::BucketOf(HistogramScale::UpperBound(bucket)), bucket);
  }
  EXPECT_EQ(HistogramScale::BucketOf(HistogramScale::kLargest), HistogramScale::kBuckets - 1);
}

TEST(HistogramScaleTest, KnowsAValueToASixtyFourth) {
  for (Nanoseconds value = 1; value < HistogramScale::kLargest / 3; value = value * 3 + 1) {
    const std::size_t bucket = HistogramScale::BucketOf(value);
    EXPECT_LE(HistogramScale::UpperBound(bucket) - HistogramScale::LowerBound(bucket), value / 64);
  }
}

TEST(HistogramTest, IsZeroWhenEmpty) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.Percentile(99), 0);
  EXPECT_EQ(histogram.max(), 0);
  EXPECT_EQ(histogram.Mean(), 0);
}

TEST(HistogramTest, FindsPercentilesOfSmallValuesExactly) {
  Histogram histogram;
  for (Nanoseconds value = 1; value <= 100; ++value) histogram.Add(value);
  EXPECT_EQ(histogram.Percentile(0), 1);
  EXPECT_EQ(histogram.Percentile(50), 50);
  EXPECT_EQ(histogram.Percentile(99), 99);
  EXPECT_EQ(histogram.Percentile(99.9), 100);
  EXPECT_EQ(histogram.Percentile(100), 100);
  EXPECT_EQ(histogram.Mean(), 50.5);
}

TEST(HistogramTest, NeverReportsMoreThanTheMaximum) {
  Histogram histogram;
  histogram.Add(1'000'001);
  EXPECT_EQ(histogram.Percentile(50), 1'000'001);
  EXPECT_EQ(histogram.max(), 1'000'001);
}

TEST(HistogramTest, CountsValuesBeyondItsEndsAsTheEnds) {
  Histogram histogram;
  histogram.Add(-5);
  histogram.Add(kNever);
  EXPECT_EQ(histogram.Percentile(50), 0);
  EXPECT_EQ(histogram.max(), HistogramScale::kLargest);
}

TEST(HistogramTest, MergesCountsAndMaximum) {
  Histogram one;
  Histogram two;
  one.Add(10, 3);
  two.Add(20);
  one.Merge(two);
  EXPECT_EQ(one.count(), 4U);
  EXPECT_EQ(one.max(), 20);
  EXPECT_EQ(one.Mean(), 12.5);
}

TEST(HistogramTest, GivesWhatCameSinceACopy) {
  Histogram histogram;
  histogram.Add(1000);
  const Histogram before = histogram;
  histogram.Add(50);
  histogram.Add(70);
  const Histogram since = histogram.Since(before);
  EXPECT_EQ(since.count(), 2U);
  EXPECT_EQ(since.Percentile(100), 70);
  EXPECT_EQ(since.Mean(), 60);
}

TEST(LatencyRecorderTest, AddsUpWhatWasRecorded) {
  const auto recorder = std::make_unique<LatencyRecorder>();
  recorder->Record(5);
  recorder->Record(7);
  Histogram histogram;
  recorder->AddTo(&histogram);
  EXPECT_EQ(histogram.count(), 2U);
  EXPECT_EQ(histogram.Mean(), 6);
  EXPECT_EQ(histogram.max(), 7);
}

}  // namespace
}  // namespace twintree::load
