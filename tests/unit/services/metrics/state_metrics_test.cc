#include "services/metrics/state_metrics.h"

#include <gtest/gtest.h>

#include "tests/unit/services/metrics/reading.h"

namespace twintree::metrics {
namespace {

using testing::Samples;

TEST(StoreMetricsTest, ShowEachFigureUnderItsName) {
  const StoreMetrics metrics([] {
    storage::StoreStatistics now;
    now.entries = 1;
    now.data_bytes = 2;
    now.wal_bytes = 3;
    now.queued_work = 4;
    now.open_snapshots = 5;
    now.commits = 6;
    now.failed_commits = 7;
    now.committed_work = 8;
    now.last_change = 9;
    return now;
  });
  const Samples samples = testing::Read(metrics);
  EXPECT_EQ(samples.at("twintree_store_entries"), 1);
  EXPECT_EQ(samples.at("twintree_store_size_bytes{file=\"database\"}"), 2);
  EXPECT_EQ(samples.at("twintree_store_size_bytes{file=\"wal\"}"), 3);
  EXPECT_EQ(samples.at("twintree_store_queued_writes"), 4);
  EXPECT_EQ(samples.at("twintree_store_open_snapshots"), 5);
  EXPECT_EQ(samples.at("twintree_store_commits_total"), 6);
  EXPECT_EQ(samples.at("twintree_store_failed_commits_total"), 7);
  EXPECT_EQ(samples.at("twintree_store_committed_writes_total"), 8);
  EXPECT_EQ(samples.at("twintree_changes_last_sequence"), 9);
}

TEST(StoreMetricsTest, ShowHowLongCommitsTook) {
  const StoreMetrics metrics([] {
    storage::StoreStatistics now;
    now.commit_durations.front() = 2;  // up to 10 microseconds
    now.commit_durations[6] = 3;       // up to a millisecond
    now.commit_durations.back() = 1;   // beyond ten seconds
    now.commit_seconds = 12.5;
    return now;
  });
  const std::string name = "twintree_store_transaction_duration_seconds";
  const Samples samples = testing::Read(metrics);
  EXPECT_EQ(samples.at(name + "_bucket{kind=\"write\",le=\"1e-05\"}"), 2);
  EXPECT_EQ(samples.at(name + "_bucket{kind=\"write\",le=\"0.0005\"}"), 2);
  EXPECT_EQ(samples.at(name + "_bucket{kind=\"write\",le=\"0.001\"}"), 5);
  EXPECT_EQ(samples.at(name + "_bucket{kind=\"write\",le=\"10\"}"), 5);
  EXPECT_EQ(samples.at(name + "_count{kind=\"write\"}"), 6);
  EXPECT_EQ(samples.at(name + "_sum{kind=\"write\"}"), 12.5);
}

TEST(StoreMetricsTest, ShowEachCacheAndFigure) {
  const StoreMetrics metrics([] {
    storage::StoreStatistics now;
    now.caches = {
        {.name = "entry", .hits = 1, .misses = 2, .bytes = 3, .items = 4, .evictions = 5},
        {.name = "child", .hits = 6, .misses = 7, .bytes = 8, .items = 9, .evictions = 10}};
    return now;
  });
  const Samples samples = testing::Read(metrics);
  const auto of = [&](const std::string& figure, const std::string& cache) {
    return samples.at("twintree_store_cache_" + figure + "{cache=\"" + cache + "\"}");
  };
  EXPECT_EQ(of("hits_total", "entry"), 1);
  EXPECT_EQ(of("misses_total", "entry"), 2);
  EXPECT_EQ(of("bytes", "entry"), 3);
  EXPECT_EQ(of("items", "entry"), 4);
  EXPECT_EQ(of("evictions_total", "entry"), 5);
  EXPECT_EQ(of("hits_total", "child"), 6);
  EXPECT_EQ(of("misses_total", "child"), 7);
}

TEST(EngineMetricsTest, ShowUnindexedSearchesAndCandidates) {
  const EngineMetrics metrics([] {
    directory::EngineStatistics now;
    now.indexed_searches = 100;
    now.unindexed_searches = 7;
    now.candidates = 250;
    now.searches_by_candidates = {1, 2, 3};  // none, one, up to ten
    return now;
  });
  const Samples samples = testing::Read(metrics);
  EXPECT_EQ(samples.at("twintree_search_unindexed_total"), 7);
  EXPECT_EQ(samples.at("twintree_search_candidates_bucket{le=\"0\"}"), 1);
  EXPECT_EQ(samples.at("twintree_search_candidates_bucket{le=\"1\"}"), 3);
  EXPECT_EQ(samples.at("twintree_search_candidates_bucket{le=\"10\"}"), 6);
  EXPECT_EQ(samples.at("twintree_search_candidates_count"), 6);
  EXPECT_EQ(samples.at("twintree_search_candidates_sum"), 250);
}

TEST(CertificateMetricsTest, ShowWhenEachEnds) {
  const std::chrono::system_clock::time_point end(std::chrono::seconds(1'900'000'000));
  const CertificateMetrics metrics([end] {
    return std::vector<CertificateMetrics::Certificate>{{"server", end},
                                                        {"client", end + std::chrono::hours(1)}};
  });
  const std::string name = "twintree_tls_certificate_not_after_timestamp_seconds";
  const Samples samples = testing::Read(metrics);
  EXPECT_EQ(samples.at(name + "{certificate=\"server\"}"), 1'900'000'000);
  EXPECT_EQ(samples.at(name + "{certificate=\"client\"}"), 1'900'003'600);
}

}  // namespace
}  // namespace twintree::metrics
