// A search that another process answers: what came in, and what its sink has taken of it.
//
// Entries go to the sink as they arrive. While the sink is full they wait here, never more than the
// search's window and one entry, since the directory stops when its credit is used up; credit goes
// back as the sink takes entries. After Resume() waiting entries are delivered by `worker`.
//
// Thread-safety: safe; OnEntryEvent and OnOutcomeEvent come from one thread at a time.
#ifndef TWINTREE_SERVICES_RPC_REMOTE_SEARCH_H_
#define TWINTREE_SERVICES_RPC_REMOTE_SEARCH_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "services/directory/directory.h"
#include "services/rpc/timer_thread.h"

namespace twintree::rpc {

// The way back to the directory.
class SearchChannel {
 public:
  virtual ~SearchChannel() = default;
  virtual void SendCredit(std::uint64_t id, std::size_t bytes) = 0;
  // The search's further events are of no interest.
  virtual void SendCancel(std::uint64_t id) = 0;
};

class RemoteSearch;

// The searches of a RemoteDirectory that wait for their sinks, so that none waits for ever, and
// what they hold meanwhile stays bounded.
//
// Thread-safety: safe.
class PausedSearches {
 public:
  PausedSearches(std::chrono::milliseconds max_pause, std::size_t max_count)
      : max_pause_(max_pause), max_count_(max_count) {}

  // Ends those that have waited for too long, or beyond their deadline, with kTimeLimitExceeded.
  void Expire(std::chrono::steady_clock::time_point now);
  // Ends all with kUnavailable.
  void EndAll();

 private:
  friend class RemoteSearch;
  using Order = std::list<std::shared_ptr<RemoteSearch>>;

  // Another one, which has to end for this one, if there are too many: that which has waited
  // longest. Else null.
  std::shared_ptr<RemoteSearch> Enter(std::shared_ptr<RemoteSearch> search);
  void Leave(const RemoteSearch* search);
  std::vector<std::shared_ptr<RemoteSearch>> All() const;

  const std::chrono::milliseconds max_pause_;
  const std::size_t max_count_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  Order order_;  // since when they wait
  std::unordered_map<const RemoteSearch*, Order::iterator> places_;
};

class RemoteSearch final : public directory::SearchOperation,
                           public std::enable_shared_from_this<RemoteSearch> {
 public:
  using Clock = std::chrono::steady_clock;

  // What the searches of one RemoteDirectory share.
  struct Shared {
    std::shared_ptr<TimerThread> worker;
    std::shared_ptr<PausedSearches> paused;
    std::size_t window_bytes;
  };

  RemoteSearch(std::shared_ptr<directory::SearchSink> sink, Clock::time_point deadline,
               Shared shared)
      : shared_(std::move(shared)), deadline_(deadline), sink_(std::move(sink)) {}

  // Before the first event.
  void Attach(std::weak_ptr<SearchChannel> channel, std::uint64_t id);

  // `entries`: SearchResultEntry elements. `last`: the outcome follows at once.
  void OnEntriesEvent(std::string_view entries, bool last);
  void OnOutcomeEvent(directory::SearchOutcome outcome);
  // The stream has broken: what waits is dropped, `outcome` is all that is left to say.
  void Fail(directory::SearchOutcome outcome);

  void Resume() override;
  void Cancel() override;
  // Ends the search for others that wait, if it is (still) paused.
  void GiveUpPause();
  // Ends the search if it has been paused since before `since`, or is past its deadline.
  void ExpirePause(Clock::time_point now, Clock::time_point since);

 private:
  // Entries that the sink has not taken yet: what follows `begin`.
  struct Lot {
    std::string octets;
    std::size_t begin = 0;
  };
  using Lock = std::unique_lock<std::mutex>;

  // What follows REQUIRES: delivering_ was set by the caller; `lock` is held, and is held again
  // afterwards.

  void GiveFirstLot(Lock& lock);
  // Gives entries to the sink until it is full; returns those that are left.
  std::string_view GiveAll(std::string_view entries, Lock& lock);
  void Give(std::string_view dn, std::string_view attributes, Lock& lock);
  // Lets the sink pass on what it has, as far as it is not about to end.
  void FlushSink(Lock& lock);

  // Ends a delivery: the outcome, or credit that has come together. Releases `lock`.
  void Settle(Lock lock);
  void DeliverWaiting();
  // Ends the search from this side.
  void End(model::ResultCode code, const char* diagnostic);
  void Unpause();  // REQUIRES: mutex_ is held

  const Shared shared_;
  const Clock::time_point deadline_;
  std::weak_ptr<SearchChannel> channel_;
  std::uint64_t id_ = 0;

  std::mutex mutex_;
  // Guarded by mutex_.
  std::shared_ptr<directory::SearchSink> sink_;  // null once OnDone was called
  std::deque<Lot> waiting_;
  std::size_t taken_bytes_ = 0;  // by the sink, and not yet given back as credit
  std::optional<directory::SearchOutcome> outcome_;
  bool dropped_ = false;     // `outcome_` is ours: what the directory sends is of no interest
  bool delivering_ = false;  // some thread is in the sink; never seen together with paused_
  bool paused_ = false;
  Clock::time_point paused_at_;
  bool resumed_early_ = false;  // Resume() came before kFull was noticed
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_REMOTE_SEARCH_H_
