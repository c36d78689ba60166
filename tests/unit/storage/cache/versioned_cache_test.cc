#include "storage/cache/versioned_cache.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

namespace twintree::storage {
namespace {

struct Hash {
  std::uint64_t operator()(std::uint64_t key) const {
    key = (key ^ (key >> 32)) * 0xd6e8feb86659fd93U;
    return key ^ (key >> 32);
  }
};
using Cache = VersionedCache<std::uint64_t, std::uint64_t, int, Hash>;

std::optional<int> Look(Cache& cache, std::uint64_t key, std::uint64_t at) {
  std::optional<int> found;
  cache.Find(key, at, [&](int value) { found = value; });
  return found;
}

TEST(VersionedCacheTest, GivesBackWhatWasInserted) {
  Cache cache(1 << 20);
  cache.Insert(1, 10, 8, 5);
  EXPECT_EQ(Look(cache, 1, 5), 10);
  EXPECT_EQ(Look(cache, 2, 5), std::nullopt);
}

TEST(VersionedCacheTest, ServesOlderSnapshotsBackToTheLastInvalidation) {
  Cache cache(1 << 20);
  cache.Invalidate(1, 3);
  cache.Insert(1, 10, 8, 5);
  EXPECT_EQ(Look(cache, 1, 3), 10);
  EXPECT_EQ(Look(cache, 1, 2), std::nullopt);
}

TEST(VersionedCacheTest, ForgetsWhatIsInvalidated) {
  Cache cache(1 << 20);
  cache.Insert(1, 10, 8, 5);
  cache.Invalidate(1, 6);
  EXPECT_EQ(Look(cache, 1, 5), std::nullopt);
  EXPECT_EQ(Look(cache, 1, 6), std::nullopt);
}

TEST(VersionedCacheTest, RefusesWhatAnOldSnapshotLoaded) {
  Cache cache(1 << 20);
  cache.Invalidate(1, 6);
  cache.Insert(1, 10, 8, 5);
  EXPECT_EQ(Look(cache, 1, 6), std::nullopt);
}

TEST(VersionedCacheTest, TakesValuesAgainAfterAVersionThatNeverCame) {
  Cache cache(1 << 20);
  cache.Invalidate(1, 6);
  cache.Settle(5);
  cache.Insert(1, 10, 8, 5);
  EXPECT_EQ(Look(cache, 1, 5), 10);
}

TEST(VersionedCacheTest, InvalidatesEverything) {
  Cache cache(1 << 20);
  for (std::uint64_t key = 0; key < 100; ++key) cache.Insert(key, 1, 8, 5);
  cache.InvalidateAll(6);
  for (std::uint64_t key = 0; key < 100; ++key) EXPECT_EQ(Look(cache, key, 6), std::nullopt);
  EXPECT_EQ(cache.Counts().bytes, 0U);
}

TEST(VersionedCacheTest, KeepsToItsBytes) {
  constexpr std::size_t kBytes = 100'000;
  Cache cache(kBytes);
  for (std::uint64_t key = 0; key < 10'000; ++key) {
    cache.Insert(key, 1, 100 + key % 900, 1);
    ASSERT_LE(cache.Counts().bytes, kBytes);
  }
  EXPECT_GT(cache.Counts().bytes, kBytes / 2);
  EXPECT_GT(cache.Counts().evictions, 9'000U);
}

TEST(VersionedCacheTest, KeepsAnItemThatIsLargerThanAShardsShare) {
  Cache cache(1 << 20);
  for (std::uint64_t key = 0; key < 5000; ++key) cache.Insert(key, 1, 200, 1);
  cache.Insert(9999, 7, 100'000, 1);
  EXPECT_EQ(Look(cache, 9999, 1), 7);
}

TEST(VersionedCacheTest, RefusesAnItemThatWouldEmptyIt) {
  Cache cache(1 << 20);
  cache.Insert(1, 1, 1 << 19, 1);
  EXPECT_EQ(Look(cache, 1, 1), std::nullopt);
  Cache none(0);
  none.Insert(1, 1, 0, 1);
  EXPECT_EQ(Look(none, 1, 1), std::nullopt);
}

TEST(VersionedCacheTest, AScanLeavesWhatIsUsedOften) {
  Cache cache(200'000);
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t key = 0; key < 100; ++key) {
      if (!Look(cache, key, 1)) cache.Insert(key, 1, 100, 1);
    }
  }
  for (std::uint64_t key = 1000; key < 50'000; ++key) cache.Insert(key, 1, 100, 1);
  int kept = 0;
  for (std::uint64_t key = 0; key < 100; ++key) kept += Look(cache, key, 1) ? 1 : 0;
  EXPECT_GT(kept, 90);
}

TEST(VersionedCacheTest, CountsHitsAndMisses) {
  Cache cache(1 << 20);
  Look(cache, 1, 1);
  cache.Insert(1, 1, 8, 1);
  Look(cache, 1, 1);
  Look(cache, 1, 1);
  cache.Peek(1, 1, [](int) {});
  const CacheCounts counts = cache.Counts();
  EXPECT_EQ(counts.hits, 2U);
  EXPECT_EQ(counts.misses, 1U);
  EXPECT_EQ(counts.items, 1U);
}

// The writer announces and publishes versions whose number is the value of every key; readers load
// what their snapshot says. Whatever the cache gives for a snapshot must be that.
TEST(VersionedCacheTest, NeverGivesAnotherVersionsValueToConcurrentSnapshots) {
  constexpr std::uint64_t kKeys = 50;
  constexpr int kVersions = 2000;
  Cache cache(20'000);
  std::atomic<int> published{1};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&, r] {
      for (std::uint64_t n = static_cast<std::uint64_t>(r); published.load() < kVersions; ++n) {
        const int snapshot = published.load();
        const std::uint64_t key = n % kKeys;
        // A key changes in the versions that leave its remainder.
        const int newest = snapshot - (snapshot - static_cast<int>(key) % 7 + 7) % 7;
        const auto found = Look(cache, key, static_cast<std::uint64_t>(snapshot));
        if (found && *found != newest) ++wrong;
        if (!found) cache.Insert(key, newest, 100, static_cast<std::uint64_t>(snapshot));
      }
    });
  }
  for (int version = 2; version <= kVersions; ++version) {
    for (std::uint64_t key = 0; key < kKeys; ++key) {
      if (static_cast<int>(key % 7) == version % 7) {
        cache.Invalidate(key, static_cast<std::uint64_t>(version));
      }
    }
    published.store(version);
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace twintree::storage
