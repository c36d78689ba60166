// The SearchEntries calls of a server, so that what those hold whose callers do not read stays
// bounded.
//
// A call holds a few messages that were not read yet. The more calls are open, the smaller are
// those of a new one. At most so many are open: for one more, the call whose message has waited
// longest for its reader is cut off; when none has waited for long, the new one is refused.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_SEARCH_CALLS_H_
#define TWINTREE_SERVICES_RPC_SEARCH_CALLS_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace twintree::rpc {

class SearchCall;

class SearchCalls {
 public:
  static constexpr std::size_t kMostMessageBytes = std::size_t{256} << 10;
  static constexpr std::size_t kLeastMessageBytes = std::size_t{16} << 10;
  // What one message of each open call may come to.
  static constexpr std::size_t kMessageBudget = std::size_t{16} << 20;

  // `patience`: how long a message may wait for its reader even if others need the place.
  SearchCalls(std::size_t most, std::chrono::milliseconds patience)
      : most_(most), patience_(patience) {}

  // The size at which the call's messages are sent; 0 if there is no place for it.
  std::size_t Enter(const std::shared_ptr<SearchCall>& call);
  void Leave(const SearchCall* call);

 private:
  std::shared_ptr<SearchCall> LongestUnread() const;  // REQUIRES: mutex_ is held

  const std::size_t most_;
  const std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::unordered_map<const SearchCall*, std::weak_ptr<SearchCall>> calls_;  // guarded by mutex_
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_SEARCH_CALLS_H_
