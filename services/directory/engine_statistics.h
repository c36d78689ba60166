// What an engine has counted, for whoever shows it.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_STATISTICS_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_STATISTICS_H_

#include <array>
#include <cstdint>

namespace twintree::directory {

// The upper bounds of the histogram of searches by the entries they have looked at.
inline constexpr std::array<double, 8> kCandidateBuckets = {0,     1,      10,      100,
                                                            1'000, 10'000, 100'000, 1'000'000};
using SearchesByCandidates = std::array<std::uint64_t, kCandidateBuckets.size() + 1>;

// Counts what the engine itself notices; read by metrics.
struct EngineStatistics {
  std::uint64_t indexed_searches = 0;
  std::uint64_t unindexed_searches = 0;           // a whole scope was walked for a filter
  std::uint64_t candidates = 0;                   // entries looked at
  SearchesByCandidates searches_by_candidates{};  // each bucket alone; all searches that have ended
  std::uint64_t entries_sent = 0;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_STATISTICS_H_
