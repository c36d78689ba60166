#include "services/metrics/state_metrics.h"

#include <utility>

#include "services/metrics/families.h"
#include "services/metrics/names.h"

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
  return {
      GaugeFamily(names::kStoreEntries, "Entries in the store.", Number(now.entries)),
      GaugeFamily(names::kStoreDataBytes, "Size of the database.", Number(now.data_bytes)),
      GaugeFamily(names::kStoreWalBytes, "Size of the write-ahead log.", Number(now.wal_bytes)),
      GaugeFamily(names::kStoreQueuedWrites, "Writes that wait for the writer.",
                  Number(now.queued_work)),
      GaugeFamily(names::kStoreSnapshots, "Snapshots that readers hold.",
                  Number(now.open_snapshots)),
      CounterFamily(names::kStoreCommits, "Durable commits.", Number(now.commits)),
      CounterFamily(names::kStoreFailedCommits, "Commits that failed.", Number(now.failed_commits)),
      CounterFamily(names::kStoreCommittedWrites, "Writes in durable commits.",
                    Number(now.committed_work)),
      CounterFamily(names::kStoreCommitSeconds, "Time spent in commits.", now.commit_seconds),
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

EngineMetrics::EngineMetrics(std::function<SearchFigures()> read) : read_(std::move(read)) {}

std::vector<MetricFamily> EngineMetrics::Collect() const {
  const SearchFigures now = read_();
  MetricFamily searches =
      Family(names::kSearches, "Searches by how candidates were found.", MetricType::Counter);
  AddCounter(&searches, {{"plan", "indexed"}}, Number(now.indexed));
  AddCounter(&searches, {{"plan", "unindexed"}}, Number(now.unindexed));
  return {std::move(searches),
          CounterFamily(names::kCandidates, "Entries that searches have looked at.",
                        Number(now.candidates))};
}

}  // namespace twintree::metrics
