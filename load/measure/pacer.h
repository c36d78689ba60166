// When a thread starts its next operation.
//
// Closed loop: whenever a client is free. Open loop: at fixed moments, whether or not the server
// keeps up; a start that comes late keeps its moment, so that the latency counted from it includes
// the wait (no coordinated omission).
//
//   Pacer pacer = Pacer::AtRate(1000, /*share=*/0, /*shares=*/2);
//   pacer.Begin(now);
//   while (free client && (intended = pacer.Take(now))) Start(*intended);
//   WaitUntil(pacer.next());
//
// Thread-safety: confined
#ifndef TWINTREE_LOAD_MEASURE_PACER_H_
#define TWINTREE_LOAD_MEASURE_PACER_H_

#include <cstdint>
#include <optional>

#include "load/measure/clock.h"

namespace twintree::load {

class Pacer {
 public:
  static Pacer ClosedLoop() { return Pacer(0, 0, 1); }
  // Every `shares`-th of the moments that lie 1/`per_second` apart, beginning with number `share`:
  // the pacers of all shares together keep the rate evenly.
  //
  // REQUIRES: per_second > 0, share < shares
  static Pacer AtRate(double per_second, std::uint64_t share, std::uint64_t shares) {
    return Pacer(per_second, share, shares);
  }

  void Begin(Nanoseconds now) { begin_ = now; }

  // The intended start of the next operation, if it has come by `now`; counts as used.
  std::optional<Nanoseconds> Take(Nanoseconds now) {
    if (closed_loop()) return now;
    const Nanoseconds moment = next();
    if (moment > now) return std::nullopt;
    ++taken_;
    return moment;
  }

  // Next moment; kNever in a closed loop, in which nothing waits for the clock.
  Nanoseconds next() const {
    if (closed_loop()) return kNever;
    const double index =
        static_cast<double>(share_) + static_cast<double>(taken_) * static_cast<double>(shares_);
    return begin_ + static_cast<Nanoseconds>(index * interval_);
  }

  bool closed_loop() const { return interval_ == 0; }

 private:
  Pacer(double per_second, std::uint64_t share, std::uint64_t shares)
      : interval_(per_second == 0 ? 0 : static_cast<double>(kSecond) / per_second),
        share_(share),
        shares_(shares) {}

  double interval_;  // nanoseconds between two moments of all shares
  std::uint64_t share_;
  std::uint64_t shares_;
  std::uint64_t taken_ = 0;
  Nanoseconds begin_ = 0;
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_MEASURE_PACER_H_
