#include "services/rpc/search_calls.h"

#include <algorithm>

#include "services/rpc/search_call.h"

namespace twintree::rpc {

std::size_t SearchCalls::Enter(const std::shared_ptr<SearchCall>& call) {
  std::shared_ptr<SearchCall> unread;
  std::size_t open = 0;
  {
    std::lock_guard lock(mutex_);
    if (calls_.size() >= most_) {
      unread = LongestUnread();
      if (unread == nullptr) return 0;
      calls_.erase(unread.get());
    }
    calls_.emplace(call.get(), call);
    open = calls_.size();
  }
  if (unread != nullptr) unread->CutOff();
  return std::clamp(kMessageBudget / open, kLeastMessageBytes, kMostMessageBytes);
}

void SearchCalls::Leave(const SearchCall* call) {
  std::lock_guard lock(mutex_);
  calls_.erase(call);
}

std::shared_ptr<SearchCall> SearchCalls::LongestUnread() const {
  auto oldest = std::chrono::steady_clock::now() - patience_;
  std::shared_ptr<SearchCall> found;
  for (const auto& [key, weak] : calls_) {
    std::shared_ptr<SearchCall> call = weak.lock();
    if (call == nullptr) continue;
    const auto since = call->writing_since();
    if (!since || *since > oldest) continue;
    oldest = *since;
    found = std::move(call);
  }
  return found;
}

}  // namespace twintree::rpc
