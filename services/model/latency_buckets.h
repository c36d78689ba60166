// The buckets of every latency histogram, from 10 microseconds to 10 seconds.
#ifndef TWINTREE_SERVICES_MODEL_LATENCY_BUCKETS_H_
#define TWINTREE_SERVICES_MODEL_LATENCY_BUCKETS_H_

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace twintree::model {

// Their upper bounds, in seconds.
inline constexpr std::array<double, 18> kLatencyBuckets = {
    0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
    0.01,    0.025,    0.05,    0.1,    0.25,    0.5,    1,     2.5,    10};

// Which one a duration falls into; kLatencyBuckets.size() for those above the last bound.
inline std::size_t LatencyBucket(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  return static_cast<std::size_t>(
      std::lower_bound(kLatencyBuckets.begin(), kLatencyBuckets.end(), seconds) -
      kLatencyBuckets.begin());
}

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_LATENCY_BUCKETS_H_
