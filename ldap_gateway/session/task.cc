#include "ldap_gateway/session/task.h"

#include <utility>

#include "ldap_gateway/session/session.h"

namespace twintree::ldap {

void CallTask::Complete(directory::Outcome outcome) {
  if (session_->InTurn()) {
    session_->FinishCall(this, outcome);
  } else {
    outcome_ = std::move(outcome);
    session_->Post(shared_from_this());
  }
}

void CallTask::Deliver() { session_->FinishCall(this, outcome_); }

void BindTask::Complete(directory::BindOutcome outcome) {
  if (session_->InTurn()) {
    session_->FinishBind(this, std::move(outcome));
  } else {
    outcome_ = std::move(outcome);
    session_->Post(shared_from_this());
  }
}

void BindTask::Deliver() { session_->FinishBind(this, std::move(outcome_)); }

std::shared_ptr<SearchTask> SearchTask::Self() {
  return std::static_pointer_cast<SearchTask>(shared_from_this());
}

SearchTask::Flow SearchTask::OnEntry(std::string_view dn,
                                     std::span<const std::string_view> attribute_pieces) {
  if (dropped()) return Flow::kMore;
  entries_.store(entries() + 1, std::memory_order_relaxed);
  return session_->InTurn() ? TakeInTurn(dn, attribute_pieces)
                            : TakeElsewhere(dn, attribute_pieces);
}

SearchTask::Flow SearchTask::TakeInTurn(std::string_view dn,
                                        std::span<const std::string_view> pieces) {
  if (elsewhere_) {
    Arrived arrived = TakeArrived();
    Send(&arrived);
  }
  EncodeSearchEntry(info().id, dn, pieces, session_->output_.tail());
  session_->PublishOutput();
  if (!session_->Congested()) return Flow::kMore;
  session_->paused_.push_back(Self());
  return Flow::kFull;
}

SearchTask::Flow SearchTask::TakeElsewhere(std::string_view dn,
                                           std::span<const std::string_view> pieces) {
  elsewhere_ = true;
  bool post = false;
  bool paused = false;
  {
    const std::lock_guard lock(mutex_);
    const std::size_t before = arrived_.entries.size();
    EncodeSearchEntry(info().id, dn, pieces, &arrived_.entries);
    session_->elsewhere_bytes_.fetch_add(arrived_.entries.size() - before,
                                         std::memory_order_relaxed);
    paused = arrived_.paused = session_->Congested();
    // The first one should not wait for others.
    const bool pass_on = paused || entries() == 1 || arrived_.entries.size() >= kHandOverBytes;
    post = pass_on && !std::exchange(queued_, true);
  }
  if (post) session_->Post(shared_from_this());
  return paused ? Flow::kFull : Flow::kMore;
}

void SearchTask::Flush() {
  if (session_->InTurn()) return;
  bool post = false;
  {
    const std::lock_guard lock(mutex_);
    post = !arrived_.entries.empty() && !std::exchange(queued_, true);
  }
  if (post) session_->Post(shared_from_this());
}

void SearchTask::OnDone(directory::SearchOutcome outcome) {
  if (session_->InTurn()) {
    if (elsewhere_) {
      Arrived arrived = TakeArrived();
      Send(&arrived);
    }
    session_->FinishSearch(this, std::move(outcome));
    return;
  }
  bool post = false;
  {
    const std::lock_guard lock(mutex_);
    arrived_.outcome = std::move(outcome);
    post = !std::exchange(queued_, true);
  }
  if (post) session_->Post(shared_from_this());
}

SearchTask::Arrived SearchTask::TakeArrived() {
  const std::lock_guard lock(mutex_);
  session_->elsewhere_bytes_.fetch_sub(arrived_.entries.size(), std::memory_order_relaxed);
  queued_ = false;
  return std::exchange(arrived_, {});
}

void SearchTask::Send(Arrived* arrived) {
  if (arrived->entries.empty() || dropped()) return;
  session_->output_.Append(std::move(arrived->entries));
  session_->PublishOutput();
}

void SearchTask::Deliver() {
  Arrived arrived = TakeArrived();
  Send(&arrived);
  if (arrived.outcome) {
    session_->FinishSearch(this, *std::move(arrived.outcome));
  } else if (arrived.paused && !dropped()) {
    session_->paused_.push_back(Self());
  }
}

void SearchTask::SetFinished() {
  Task::SetFinished();
  operation_.reset();
}

void SearchTask::Resume() {
  // The search may end, and let go of the operation, inside the call.
  if (const auto operation = operation_) operation->Resume();
}

void SearchTask::Stop() {
  if (const auto operation = operation_) operation->Cancel();
  if (dropped()) operation_.reset();
}

}  // namespace twintree::ldap
