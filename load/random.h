#ifndef LOAD_RANDOM_H_
#define LOAD_RANDOM_H_

#include <cstdint>

namespace twintree::load {

// A stream of numbers that is the same on every machine and with every standard library.
//
// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014): good
// enough to make data look varied, and cheap enough to have one stream per entry. Not for secrets.
class Random {
 public:
  // The stream number `stream` of `seed`. Streams of one seed are independent of each other, so
  // that entry 7 comes out the same however many entries stand before or after it.
  Random(std::uint64_t seed, std::uint64_t stream)
      : state_(Mix(seed + kIncrement) ^ Mix(stream * kIncrement + 1)) {}

  std::uint64_t Next() {
    state_ += kIncrement;
    return Mix(state_);
  }

  // A number from 0 to `bound` - 1.
  //
  // REQUIRES: 0 < bound < 2^32
  std::uint32_t Below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((Next() >> 32) * bound) >> 32);
  }

 private:
  static constexpr std::uint64_t kIncrement = 0x9e3779b97f4a7c15;

  static constexpr std::uint64_t Mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace twintree::load

#endif  // LOAD_RANDOM_H_
