// What the engine counts, for metrics. Searches count on every request, so each thread counts in a
// slot of its own, without locks; the slots are added up when somebody asks.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_COUNTERS_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_COUNTERS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "services/directory/engine_statistics.h"

namespace twintree::directory {

class Counters {
 public:
  // How a search found its candidates; once at most for each.
  void CountPlan(bool indexed) {
    (indexed ? MySlot().indexed : MySlot().unindexed).fetch_add(1, std::memory_order_relaxed);
  }
  // A search has ended.
  void CountEnded(std::uint64_t candidates, std::uint64_t entries);

  EngineStatistics Read() const;

 private:
  static constexpr std::size_t kSlots = 8;
  using Counter = std::atomic<std::uint64_t>;

  struct alignas(64) Slot {
    Counter indexed{0};
    Counter unindexed{0};
    Counter candidates{0};
    Counter entries{0};
    std::array<Counter, kCandidateBuckets.size() + 1> by_candidates{};
  };
  Slot& MySlot();

  std::array<Slot, kSlots> slots_{};
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_COUNTERS_H_
