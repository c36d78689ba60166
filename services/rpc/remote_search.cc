#include "services/rpc/remote_search.h"

#include <span>
#include <utility>

#include "ldap_gateway/ber/ber.h"
#include "services/rpc/gateway_codec.h"
#include "services/rpc/gateway_limits.h"

namespace twintree::rpc {

using directory::SearchSink;

std::shared_ptr<RemoteSearch> PausedSearches::Enter(std::shared_ptr<RemoteSearch> search) {
  std::lock_guard lock(mutex_);
  const RemoteSearch* const key = search.get();
  places_[key] = order_.insert(order_.end(), std::move(search));
  if (order_.size() <= max_count_) return nullptr;
  // Out at once: the next one that enters ends another.
  std::shared_ptr<RemoteSearch> longest = std::move(order_.front());
  order_.pop_front();
  places_.erase(longest.get());
  return longest;
}

void PausedSearches::Leave(const RemoteSearch* search) {
  std::lock_guard lock(mutex_);
  const auto found = places_.find(search);
  if (found == places_.end()) return;
  order_.erase(found->second);
  places_.erase(found);
}

std::vector<std::shared_ptr<RemoteSearch>> PausedSearches::All() const {
  std::lock_guard lock(mutex_);
  return {order_.begin(), order_.end()};
}

void PausedSearches::Expire(std::chrono::steady_clock::time_point now) {
  for (const auto& search : All()) search->ExpirePause(now, now - max_pause_);
}

void PausedSearches::EndAll() {
  directory::SearchOutcome outcome;
  outcome.code = model::ResultCode::kUnavailable;
  outcome.diagnostic = "the connection to the directory was closed";
  for (const auto& search : All()) search->Fail(outcome);
}

void RemoteSearch::Attach(std::weak_ptr<SearchChannel> channel, std::uint64_t id) {
  channel_ = std::move(channel);
  id_ = id;
}

void RemoteSearch::OnEntriesEvent(std::string_view entries, bool last) {
  Lock lock(mutex_);
  if (sink_ == nullptr || outcome_) return;
  if (paused_ || delivering_ || !waiting_.empty()) {
    waiting_.push_back({std::string(entries)});
    return;
  }
  delivering_ = true;
  const std::string_view left = GiveAll(entries, lock);
  if (!left.empty()) waiting_.push_front({std::string(left)});
  if (!last) FlushSink(lock);
  delivering_ = false;
  Settle(std::move(lock));
}

void RemoteSearch::OnOutcomeEvent(directory::SearchOutcome outcome) {
  std::unique_lock lock(mutex_);
  if (sink_ == nullptr || outcome_) return;
  outcome_ = std::move(outcome);
  if (!delivering_) Settle(std::move(lock));
}

void RemoteSearch::Fail(directory::SearchOutcome outcome) {
  std::unique_lock lock(mutex_);
  if (sink_ == nullptr) return;
  waiting_.clear();
  Unpause();
  dropped_ = true;
  outcome_ = std::move(outcome);
  if (!delivering_) Settle(std::move(lock));
}

void RemoteSearch::Resume() {
  {
    std::lock_guard lock(mutex_);
    if (!paused_) {
      resumed_early_ = true;
      return;
    }
    Unpause();
    if (waiting_.empty()) return;
  }
  shared_.worker->Post([self = shared_from_this()] { self->DeliverWaiting(); });
}

void RemoteSearch::Cancel() { End(model::ResultCode::kCanceled, ""); }

void RemoteSearch::GiveUpPause() {
  {
    std::lock_guard lock(mutex_);
    if (!paused_) return;
  }
  End(model::ResultCode::kBusy,
      "the search was paused, and others need its place: read its entries faster");
}

void RemoteSearch::ExpirePause(Clock::time_point now, Clock::time_point since) {
  const char* why = nullptr;
  {
    std::lock_guard lock(mutex_);
    if (!paused_) return;
    if (deadline_ < now) why = "the deadline has passed";
    if (paused_at_ < since) why = "the reader has not gone on for too long";
  }
  if (why != nullptr) End(model::ResultCode::kTimeLimitExceeded, why);
}

void RemoteSearch::End(model::ResultCode code, const char* diagnostic) {
  {
    std::unique_lock lock(mutex_);
    if (sink_ == nullptr) return;
    waiting_.clear();
    Unpause();
    dropped_ = true;
    outcome_.emplace();
    outcome_->code = code;
    outcome_->diagnostic = diagnostic;
    if (!delivering_) Settle(std::move(lock));
  }
  if (const auto channel = channel_.lock()) channel->SendCancel(id_);
}

void RemoteSearch::Unpause() {
  if (paused_) shared_.paused->Leave(this);
  paused_ = false;
}

void RemoteSearch::DeliverWaiting() {
  std::unique_lock lock(mutex_);
  if (delivering_) return;
  delivering_ = true;
  const auto ready = [this] { return sink_ != nullptr && !paused_ && !waiting_.empty(); };
  while (ready()) {
    GiveFirstLot(lock);
    // More may come while the sink is flushed.
    if (!ready()) FlushSink(lock);
  }
  delivering_ = false;
  Settle(std::move(lock));
}

void RemoteSearch::GiveFirstLot(Lock& lock) {
  Lot lot = std::move(waiting_.front());
  waiting_.pop_front();
  const std::string_view octets = lot.octets;
  const std::string_view left = GiveAll(octets.substr(lot.begin), lock);
  if (left.empty()) return;
  lot.begin = octets.size() - left.size();
  waiting_.push_front(std::move(lot));
}

std::string_view RemoteSearch::GiveAll(std::string_view entries, Lock& lock) {
  ber::Reader elements(entries);
  ber::Element entry;
  while (!paused_ && !dropped_ && elements.Next(&entry)) {
    ber::Reader fields(entry.content);
    std::string_view dn;
    std::string_view attributes;
    if (entry.tag != kSearchResultEntryTag || !fields.Expect(ber::kOctetString, &dn) ||
        !fields.Expect(ber::kSequence, &attributes) || !fields.Finished()) {
      elements.Fail();
      break;
    }
    Give(dn, attributes, lock);
  }
  if (dropped_) return {};
  if (elements.ok()) return elements.rest();
  waiting_.clear();
  dropped_ = true;
  outcome_.emplace();
  outcome_->code = model::ResultCode::kOther;
  outcome_->diagnostic = "the directory sent an entry that cannot be read";
  return {};
}

void RemoteSearch::FlushSink(Lock& lock) {
  if (sink_ == nullptr || paused_ || outcome_) return;
  SearchSink* const sink = sink_.get();  // stays: OnDone waits for delivering_
  lock.unlock();
  sink->Flush();
  lock.lock();
}

void RemoteSearch::Give(std::string_view dn, std::string_view attributes, Lock& lock) {
  SearchSink* const sink = sink_.get();  // stays: OnDone waits for delivering_
  resumed_early_ = false;
  lock.unlock();
  const std::string_view pieces[] = {attributes};
  const auto flow = sink->OnEntry(dn, pieces);
  lock.lock();
  taken_bytes_ += dn.size() + attributes.size() + kEntryOverheadBytes;
  if (flow != SearchSink::Flow::kFull || resumed_early_) return;
  paused_ = true;
  paused_at_ = Clock::now();
  const auto other = shared_.paused->Enter(shared_from_this());
  // Not here: it has a lock of its own.
  if (other != nullptr) shared_.worker->Post([other] { other->GiveUpPause(); });
}

void RemoteSearch::Settle(Lock lock) {
  if (sink_ == nullptr) return;
  if (outcome_ && waiting_.empty()) {
    Unpause();
    const auto sink = std::exchange(sink_, nullptr);
    directory::SearchOutcome outcome = std::move(*outcome_);
    lock.unlock();
    return sink->OnDone(std::move(outcome));
  }
  if (outcome_ || taken_bytes_ < shared_.window_bytes / 2) return;
  const std::size_t bytes = std::exchange(taken_bytes_, 0);
  lock.unlock();
  if (const auto channel = channel_.lock()) channel->SendCredit(id_, bytes);
}

}  // namespace twintree::rpc
