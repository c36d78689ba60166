#include "services/log/limiter.h"

#include <utility>

namespace twintree::log {

std::optional<std::uint64_t> Limiter::Pass(std::string_view kind, TimePoint now) {
  const std::lock_guard lock(mutex_);
  auto found = kinds_.find(kind);
  if (found == kinds_.end()) {
    const bool full = kinds_.size() >= kMaxKinds;
    found = kinds_.try_emplace(full ? std::string() : std::string(kind)).first;
  }
  if (now < found->second.next) {
    ++found->second.left_out;
    return std::nullopt;
  }
  found->second.next = now + interval_;
  return std::exchange(found->second.left_out, 0);
}

}  // namespace twintree::log
