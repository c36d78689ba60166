// Keeps events that anybody can cause from filling the log: of each kind one in a while is written,
// and says how many were not.
//
//   if (const auto left_out = limiter.Pass(kind)) {
//     log::Event event = log::Warning("refused");
//     if (*left_out > 0) event.With("suppressed", *left_out);
//   }
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_LOG_LIMITER_H_
#define TWINTREE_SERVICES_LOG_LIMITER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace twintree::log {

class Limiter {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit Limiter(std::chrono::seconds interval = std::chrono::seconds(10))
      : interval_(interval) {}

  // May an event of this kind be written now? Then: how many were left out since the last one.
  // Beyond kMaxKinds all further kinds are taken for one.
  std::optional<std::uint64_t> Pass(std::string_view kind = {},
                                    TimePoint now = std::chrono::steady_clock::now());

  static constexpr std::size_t kMaxKinds = 256;

 private:
  struct Kind {
    TimePoint next = TimePoint::min();
    std::uint64_t left_out = 0;
  };

  const std::chrono::seconds interval_;
  std::mutex mutex_;
  std::map<std::string, Kind, std::less<>> kinds_;  // guarded by mutex_
};

}  // namespace twintree::log

#endif  // TWINTREE_SERVICES_LOG_LIMITER_H_
