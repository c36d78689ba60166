#include "services/directory/engine/counters.h"

#include <algorithm>

namespace twintree::directory {

Counters::Slot& Counters::MySlot() {
  static std::atomic<std::size_t> next{0};
  thread_local const std::size_t slot = next.fetch_add(1, std::memory_order_relaxed) % kSlots;
  return slots_[slot];
}

void Counters::CountEnded(std::uint64_t candidates, std::uint64_t entries) {
  const auto bucket =
      static_cast<std::size_t>(std::lower_bound(kCandidateBuckets.begin(), kCandidateBuckets.end(),
                                                static_cast<double>(candidates)) -
                               kCandidateBuckets.begin());
  Slot& slot = MySlot();
  slot.by_candidates[bucket].fetch_add(1, std::memory_order_relaxed);
  slot.candidates.fetch_add(candidates, std::memory_order_relaxed);
  slot.entries.fetch_add(entries, std::memory_order_relaxed);
}

EngineStatistics Counters::Read() const {
  EngineStatistics sum;
  for (const Slot& slot : slots_) {
    sum.indexed_searches += slot.indexed.load(std::memory_order_relaxed);
    sum.unindexed_searches += slot.unindexed.load(std::memory_order_relaxed);
    sum.candidates += slot.candidates.load(std::memory_order_relaxed);
    sum.entries_sent += slot.entries.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < slot.by_candidates.size(); ++i) {
      sum.searches_by_candidates[i] += slot.by_candidates[i].load(std::memory_order_relaxed);
    }
  }
  return sum;
}

}  // namespace twintree::directory
