#include "services/metrics/state_metrics.h"

#include <utility>

#include "services/metrics/families.h"
#include "services/metrics/names.h"
#include "services/model/latency_buckets.h"

namespace twintree::metrics {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;
using Cache = storage::StoreStatistics::Cache;

double Number(std::uint64_t value) { return static_cast<double>(value); }

MetricFamily OfCaches(const char* name, const char* help, MetricType type,
                      const std::vector<Cache>& caches, std::uint64_t Cache::*figure) {
  MetricFamily family = Family(name, help, type);
  for (const Cache& cache : caches) {
    const Labels labels = {{"cache", cache.name}};
    if (type == MetricType::Counter) {
      AddCounter(&family, labels, Number(cache.*figure));
    } else {
      AddGauge(&family, labels, Number(cache.*figure));
    }
  }
  return family;
}

}  // namespace

StoreMetrics::StoreMetrics(std::function<storage::StoreStatistics()> read)
    : read_(std::move(read)) {}

std::vector<MetricFamily> StoreMetrics::Collect() const {
  const storage::StoreStatistics now = read_();
  MetricFamily size = Family(names::kStoreSize, "Size of the store's files.", MetricType::Gauge);
  AddGauge(&size, {{"file", "database"}}, Number(now.data_bytes));
  AddGauge(&size, {{"file", "wal"}}, Number(now.wal_bytes));
  MetricFamily transactions = Family(names::kStoreTransactionDuration,
                                     "Time that transactions took.", MetricType::Histogram);
  AddHistogram(&transactions, {{"kind", "write"}}, model::kLatencyBuckets, now.commit_durations,
               now.commit_seconds);
  return {
      GaugeFamily(names::kStoreEntries, "Entries in the store.", Number(now.entries)),
      std::move(size),
      GaugeFamily(names::kChangesLastSequence, "Number of the last change.",
                  Number(now.last_change)),
      GaugeFamily(names::kStoreQueuedWrites, "Writes that wait for the writer.",
                  Number(now.queued_work)),
      GaugeFamily(names::kStoreSnapshots, "Snapshots that readers hold.",
                  Number(now.open_snapshots)),
      CounterFamily(names::kStoreCommits, "Durable commits.", Number(now.commits)),
      CounterFamily(names::kStoreFailedCommits, "Commits that failed.", Number(now.failed_commits)),
      CounterFamily(names::kStoreCommittedWrites, "Writes in durable commits.",
                    Number(now.committed_work)),
      std::move(transactions),
      OfCaches(names::kCacheHits, "Look-ups that a cache answered.", MetricType::Counter,
               now.caches, &Cache::hits),
      OfCaches(names::kCacheMisses, "Look-ups that a cache could not answer.", MetricType::Counter,
               now.caches, &Cache::misses),
      OfCaches(names::kCacheEvictions, "Items dropped for want of room.", MetricType::Counter,
               now.caches, &Cache::evictions),
      OfCaches(names::kCacheBytes, "Memory that a cache holds.", MetricType::Gauge, now.caches,
               &Cache::bytes),
      OfCaches(names::kCacheItems, "Items in a cache.", MetricType::Gauge, now.caches,
               &Cache::items),
  };
}

EngineMetrics::EngineMetrics(std::function<directory::EngineStatistics()> read)
    : read_(std::move(read)) {}

std::vector<MetricFamily> EngineMetrics::Collect() const {
  const directory::EngineStatistics now = read_();
  MetricFamily candidates = Family(names::kSearchCandidates, "Entries that a search has looked at.",
                                   MetricType::Histogram);
  AddHistogram(&candidates, {}, directory::kCandidateBuckets, now.searches_by_candidates,
               Number(now.candidates));
  return {CounterFamily(names::kSearchUnindexed,
                        "Searches that walked their scope, since no index fits the filter.",
                        Number(now.unindexed_searches)),
          std::move(candidates)};
}

CertificateMetrics::CertificateMetrics(std::function<std::vector<Certificate>()> read)
    : read_(std::move(read)) {}

std::vector<MetricFamily> CertificateMetrics::Collect() const {
  MetricFamily ends = Family(names::kCertificateEnd, "When a certificate ends.", MetricType::Gauge);
  for (const Certificate& one : read_()) {
    const auto since_epoch =
        std::chrono::duration_cast<std::chrono::seconds>(one.not_after.time_since_epoch());
    AddGauge(&ends, {{"certificate", one.name}}, static_cast<double>(since_epoch.count()));
  }
  return {std::move(ends)};
}

}  // namespace twintree::metrics
