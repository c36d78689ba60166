// What reports compute from a run's counts, the same in each format.
#ifndef TWINTREE_LOAD_REPORT_FIGURES_H_
#define TWINTREE_LOAD_REPORT_FIGURES_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "load/measure/clock.h"

namespace twintree::load {

inline constexpr std::array<std::pair<double, std::string_view>, 5> kReportedPercentiles = {
    {{50, "p50"}, {90, "p90"}, {95, "p95"}, {99, "p99"}, {99.9, "p99.9"}}};

inline double Milliseconds(Nanoseconds time) { return Seconds(time) * 1e3; }
inline double Microseconds(Nanoseconds time) { return Seconds(time) * 1e6; }

// 0 for an empty window.
inline double PerSecond(std::uint64_t count, Nanoseconds window) {
  return window <= 0 ? 0 : static_cast<double>(count) / Seconds(window);
}

// 0 without operations.
inline double MicrosecondsPerOperation(Nanoseconds cpu, std::uint64_t operations) {
  return operations == 0 ? 0 : Microseconds(cpu) / static_cast<double>(operations);
}

// `part` of `whole`, 0 to 1; 0 when there is no whole.
inline double Share(Nanoseconds part, Nanoseconds whole) {
  return whole <= 0 ? 0 : Seconds(part) / Seconds(whole);
}

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_REPORT_FIGURES_H_
