#include "services/rpc/remote_search.h"

#include <span>
#include <utility>

#include "services/rpc/gateway_limits.h"

namespace twintree::rpc {

using directory::SearchSink;

void RemoteSearch::Attach(std::weak_ptr<SearchChannel> channel, std::uint64_t id) {
  channel_ = std::move(channel);
  id_ = id;
}

void RemoteSearch::OnEntryEvent(std::string_view dn, std::string_view attributes) {
  std::unique_lock lock(mutex_);
  if (sink_ == nullptr || outcome_) return;
  if (paused_ || delivering_ || !waiting_.empty()) {
    waiting_.push_back({std::string(dn), std::string(attributes)});
    return;
  }
  delivering_ = true;
  Give(dn, attributes, lock);
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
    paused_ = false;
    if (waiting_.empty()) return;
  }
  worker_->Post([self = shared_from_this()] { self->DeliverWaiting(); });
}

void RemoteSearch::Cancel() {
  {
    std::unique_lock lock(mutex_);
    if (sink_ == nullptr) return;
    waiting_.clear();
    outcome_.emplace().code = model::ResultCode::kCanceled;
    if (!delivering_) Settle(std::move(lock));
  }
  if (const auto channel = channel_.lock()) channel->SendCancel(id_);
}

void RemoteSearch::DeliverWaiting() {
  std::unique_lock lock(mutex_);
  if (delivering_) return;
  delivering_ = true;
  while (sink_ != nullptr && !paused_ && !waiting_.empty()) {
    const Entry entry = std::move(waiting_.front());
    waiting_.pop_front();
    Give(entry.dn, entry.attributes, lock);
  }
  delivering_ = false;
  Settle(std::move(lock));
}

void RemoteSearch::Give(std::string_view dn, std::string_view attributes,
                        std::unique_lock<std::mutex>& lock) {
  SearchSink* const sink = sink_.get();  // stays: OnDone waits for delivering_
  resumed_early_ = false;
  lock.unlock();
  const std::string_view pieces[] = {attributes};
  const auto flow = sink->OnEntry(dn, pieces);
  lock.lock();
  taken_bytes_ += dn.size() + attributes.size() + kEntryOverheadBytes;
  if (flow == SearchSink::Flow::kFull && !resumed_early_) paused_ = true;
}

void RemoteSearch::Settle(std::unique_lock<std::mutex> lock) {
  if (sink_ == nullptr) return;
  if (outcome_ && waiting_.empty()) {
    const auto sink = std::exchange(sink_, nullptr);
    directory::SearchOutcome outcome = std::move(*outcome_);
    lock.unlock();
    return sink->OnDone(std::move(outcome));
  }
  if (outcome_ || taken_bytes_ < window_bytes_ / 2) return;
  const std::size_t bytes = std::exchange(taken_bytes_, 0);
  lock.unlock();
  if (const auto channel = channel_.lock()) channel->SendCredit(id_, bytes);
}

}  // namespace twintree::rpc
