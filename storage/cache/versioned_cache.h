// A sharded, byte-bounded cache shared by snapshots of different versions.
//
// A cached value is the value of its key in every snapshot from `valid_from` up to the newest; a
// snapshot V may use it exactly if valid_from <= V. Two parties keep that true:
//
// - The writer, before the commit of version W becomes visible to anybody, calls Invalidate(key, W)
//   for every key that W changes. If the commit fails it calls Settle(V) with the version that
//   stays; W is never used again.
// - A reader offers what it loaded from its snapshot V with Insert(key, value, bytes, V). The shard
//   refuses it when any of its keys was invalidated by a version above V, since this key may have
//   been. What it takes is valid since the shard's last invalidation.
//
// Shape:         `bytes` are what the caller says that key and value take
// Thread-safety: safe; a lookup locks one shard for as long as `use` runs
#ifndef TWINTREE_STORAGE_CACHE_VERSIONED_CACHE_H_
#define TWINTREE_STORAGE_CACHE_VERSIONED_CACHE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "storage/cache/s3_fifo_shard.h"

namespace twintree::storage {

struct CacheCounts {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
};

// Hash: a callable from KeyView to std::uint64_t, all bits of which are good.
template <typename Key, typename KeyView, typename Value, typename Hash>
class VersionedCache {
 public:
  using Version = std::uint64_t;

  // An item larger than an eighth of `capacity_bytes` is never kept; 0 keeps nothing.
  explicit VersionedCache(std::size_t capacity_bytes) : capacity_(capacity_bytes) {}

  VersionedCache(const VersionedCache&) = delete;
  VersionedCache& operator=(const VersionedCache&) = delete;

  // Calls use(const Value&) under the shard's lock if the value of `key` in snapshot `at` is here.
  template <typename Use>
  bool Find(const KeyView& key, Version at, Use&& use) {
    return FindItem(key, at, true, use);
  }

  // The same for scans: neither counted nor remembered as a use.
  template <typename Use>
  bool Peek(const KeyView& key, Version at, Use&& use) {
    return FindItem(key, at, false, use);
  }

  // Offers the value of `key` in snapshot `at`.
  void Insert(const KeyView& key, Value value, std::size_t bytes, Version at) {
    bytes += sizeof(typename Shard::Item);
    if (bytes > capacity_ / 8) return;
    const std::uint64_t hash = hash_(key);
    Stripe& stripe = StripeOf(hash);
    std::lock_guard lock(stripe.mutex);
    if (stripe.last_invalidation > at || stripe.shard.Find(key, hash) != nullptr) return;
    if (!MakeRoom(&stripe, bytes)) return;
    stripe.shard.Insert(key, hash, std::move(value), bytes, stripe.last_invalidation);
  }

  // Version `version`, not visible yet, changes the value of `key`.
  void Invalidate(const KeyView& key, Version version) {
    const std::uint64_t hash = hash_(key);
    Stripe& stripe = StripeOf(hash);
    std::lock_guard lock(stripe.mutex);
    stripe.last_invalidation = version;
    Freed(stripe.shard.Erase(key, hash));
  }

  // Version `version`, not visible yet, may change every value.
  void InvalidateAll(Version version) {
    for (Stripe& stripe : stripes_) {
      std::lock_guard lock(stripe.mutex);
      stripe.last_invalidation = version;
      Freed(stripe.shard.Clear());
    }
  }

  // Versions above `version` that were announced will not come.
  void Settle(Version version) {
    for (Stripe& stripe : stripes_) {
      std::lock_guard lock(stripe.mutex);
      if (stripe.last_invalidation > version) stripe.last_invalidation = version;
    }
  }

  CacheCounts Counts() const {
    CacheCounts sum;
    for (const Stripe& stripe : stripes_) {
      std::lock_guard lock(stripe.mutex);
      sum.hits += stripe.hits;
      sum.misses += stripe.misses;
      sum.evictions += stripe.evictions;
      sum.items += stripe.shard.count();
      sum.bytes += stripe.shard.bytes();
    }
    return sum;
  }

 private:
  using Shard = S3FifoShard<Key, KeyView, Value>;
  static constexpr std::size_t kStripes = 64;

  struct alignas(64) Stripe {
    mutable std::mutex mutex;
    Version last_invalidation = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t evictions = 0;
    Shard shard;
  };

  Stripe& StripeOf(std::uint64_t hash) { return stripes_[(hash >> 58) & (kStripes - 1)]; }

  template <typename Use>
  bool FindItem(const KeyView& key, Version at, bool count, Use&& use) {
    const std::uint64_t hash = hash_(key);
    Stripe& stripe = StripeOf(hash);
    std::lock_guard lock(stripe.mutex);
    typename Shard::Item* item = stripe.shard.Find(key, hash);
    const bool found = item != nullptr && item->valid_from <= at;
    if (count) {
      found ? ++stripe.hits : ++stripe.misses;
      if (found) Shard::Touch(item);
    }
    if (found) use(std::as_const(item->value));
    return found;
  }

  void Freed(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  // Claims `bytes` of the whole cache's room, evicting from this stripe and, if it is empty, from
  // whichever other one is not locked just now. False when that did not free enough.
  bool MakeRoom(Stripe* own, std::size_t bytes) {
    used_.fetch_add(bytes, std::memory_order_relaxed);
    while (used_.load(std::memory_order_relaxed) > capacity_ && Evict(own)) {
    }
    for (Stripe& stripe : stripes_) {
      if (used_.load(std::memory_order_relaxed) <= capacity_) return true;
      if (&stripe == own) continue;
      std::unique_lock lock(stripe.mutex, std::try_to_lock);
      if (!lock.owns_lock()) continue;
      while (used_.load(std::memory_order_relaxed) > capacity_ && Evict(&stripe)) {
      }
    }
    if (used_.load(std::memory_order_relaxed) <= capacity_) return true;
    Freed(bytes);
    return false;
  }

  bool Evict(Stripe* stripe) {
    const std::size_t freed = stripe->shard.EvictOne();
    if (freed == 0) return false;
    ++stripe->evictions;
    Freed(freed);
    return true;
  }

  const std::size_t capacity_;
  [[no_unique_address]] Hash hash_;
  alignas(64) std::atomic<std::size_t> used_{0};
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace twintree::storage

#endif  // TWINTREE_STORAGE_CACHE_VERSIONED_CACHE_H_
