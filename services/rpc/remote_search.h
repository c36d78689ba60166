// A search that another process answers: what came in, and what its sink has taken of it.
//
// Entries go to the sink as they arrive. While the sink is full they wait here, never more than the
// search's window and one entry, since the directory stops when its credit is used up; credit goes
// back as the sink takes entries. After Resume() waiting entries are delivered by `worker`.
//
// Thread-safety: safe; OnEntryEvent and OnOutcomeEvent come from one thread at a time.
#ifndef TWINTREE_SERVICES_RPC_REMOTE_SEARCH_H_
#define TWINTREE_SERVICES_RPC_REMOTE_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

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

class RemoteSearch final : public directory::SearchOperation,
                           public std::enable_shared_from_this<RemoteSearch> {
 public:
  RemoteSearch(std::shared_ptr<directory::SearchSink> sink, std::shared_ptr<TimerThread> worker,
               std::size_t window_bytes)
      : worker_(std::move(worker)), window_bytes_(window_bytes), sink_(std::move(sink)) {}

  // Before the first event.
  void Attach(std::weak_ptr<SearchChannel> channel, std::uint64_t id);

  void OnEntryEvent(std::string_view dn, std::string_view attributes);
  void OnOutcomeEvent(directory::SearchOutcome outcome);
  // The stream has broken: what waits is dropped, `outcome` is all that is left to say.
  void Fail(directory::SearchOutcome outcome);

  void Resume() override;
  void Cancel() override;

 private:
  struct Entry {
    std::string dn;
    std::string attributes;
  };

  // Gives one entry to the sink. REQUIRES: delivering_ was set by the caller; `lock` is held and is
  // held again afterwards.
  void Give(std::string_view dn, std::string_view attributes, std::unique_lock<std::mutex>& lock);
  // Ends a delivery: the outcome, or credit that has come together. Releases `lock`.
  void Settle(std::unique_lock<std::mutex> lock);
  void DeliverWaiting();

  const std::shared_ptr<TimerThread> worker_;
  const std::size_t window_bytes_;
  std::weak_ptr<SearchChannel> channel_;
  std::uint64_t id_ = 0;

  std::mutex mutex_;
  // Guarded by mutex_.
  std::shared_ptr<directory::SearchSink> sink_;  // null once OnDone was called
  std::deque<Entry> waiting_;
  std::size_t taken_bytes_ = 0;  // by the sink, and not yet given back as credit
  std::optional<directory::SearchOutcome> outcome_;
  bool delivering_ = false;      // some thread is in the sink; never seen together with paused_
  bool paused_ = false;
  bool resumed_early_ = false;   // Resume() came before kFull was noticed
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_REMOTE_SEARCH_H_
