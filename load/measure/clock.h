// The time that latencies are measured in.
#ifndef TWINTREE_LOAD_MEASURE_CLOCK_H_
#define TWINTREE_LOAD_MEASURE_CLOCK_H_

#include <cstdint>
#include <ctime>
#include <limits>

namespace twintree::load {

// Nanoseconds of a clock that never steps.
using Nanoseconds = std::int64_t;

inline constexpr Nanoseconds kMicrosecond = 1'000;
inline constexpr Nanoseconds kMillisecond = 1'000'000;
inline constexpr Nanoseconds kSecond = 1'000'000'000;
inline constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

inline Nanoseconds ReadClock(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<Nanoseconds>(time.tv_sec) * kSecond + time.tv_nsec;
}

inline Nanoseconds Now() { return ReadClock(CLOCK_MONOTONIC); }

inline double Seconds(Nanoseconds time) {
  return static_cast<double>(time) / static_cast<double>(kSecond);
}

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_MEASURE_CLOCK_H_
