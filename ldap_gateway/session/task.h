// One request under way.
//
// A task is made by its session, is the callback or sink that the directory answers to, and keeps
// the session alive until the answer has come. Answers that arrive during the session's own turn
// are written at once; others are kept in the task, which then waits in the session's mailbox.
//
// Thread-safety: what the directory calls is safe; all else is confined to the session.
#ifndef TWINTREE_LDAP_GATEWAY_SESSION_TASK_H_
#define TWINTREE_LDAP_GATEWAY_SESSION_TASK_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ldap_gateway/protocol/envelope.h"
#include "ldap_gateway/session/access_log.h"
#include "ldap_gateway/session/observer.h"
#include "services/directory/directory.h"

namespace twintree::ldap {

class Session;

// What is known of a request before it is decoded.
struct RequestInfo {
  MessageId id = 0;
  OperationKind kind = OperationKind::kUnbind;
  std::uint64_t number = 0;  // counts the session's requests from 1
  std::chrono::steady_clock::time_point start;
  std::size_t bytes = 0;                            // of the message
  BindMechanism mechanism = BindMechanism::kOther;  // kBind
};

class Task : public std::enable_shared_from_this<Task> {
 public:
  Task(std::shared_ptr<Session> session, const RequestInfo& info, AccessDetails details)
      : session_(std::move(session)), info_(info), details_(std::move(details)) {}
  virtual ~Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  const RequestInfo& info() const { return info_; }
  const AccessDetails& details() const { return details_; }

  // The session's turn to take what has arrived.
  virtual void Deliver() = 0;
  // Asks the directory to stop, where that is possible.
  virtual void Stop() {}
  // Entries that a search has found so far.
  virtual std::uint64_t entries() const { return 0; }
  // The session ended, or the client lost interest: nothing is sent any more.
  void Drop() {
    dropped_.store(true, std::memory_order_relaxed);
    if (interest_ != nullptr) interest_->Lose();
  }

  // What the request takes while it is under way.
  std::size_t bytes() const { return info_.bytes + filter_bytes_; }
  void set_filter_bytes(std::size_t bytes) { filter_bytes_ = bytes; }

  // The session counts these until the task has finished.
  bool tracked() const { return tracked_; }
  void set_tracked() { tracked_ = true; }

  bool dropped() const { return dropped_.load(std::memory_order_relaxed); }
  // Until it is dropped. For whoever works for the task, without keeping it alive.
  std::shared_ptr<directory::Interest> interest() {
    if (interest_ == nullptr) interest_ = std::make_shared<directory::SingleInterest>();
    return interest_;
  }
  bool finished() const { return finished_; }
  virtual void SetFinished() { finished_ = true; }
  // The cancel request to answer when this one has ended; null: none.
  const std::shared_ptr<Task>& canceled_by() const { return canceled_by_; }
  void set_canceled_by(std::shared_ptr<Task> task) { canceled_by_ = std::move(task); }

 protected:
  const std::shared_ptr<Session> session_;

 private:
  const RequestInfo info_;
  const AccessDetails details_;
  std::size_t filter_bytes_ = 0;
  std::atomic<bool> dropped_ = false;
  std::shared_ptr<directory::SingleInterest> interest_;  // null until asked for
  bool finished_ = false;
  bool tracked_ = false;
  std::shared_ptr<Task> canceled_by_;
};

// Anything but a bind or a search.
class CallTask final : public Task {
 public:
  using Task::Task;
  // From the directory.
  void Complete(directory::Outcome outcome);
  void Deliver() override;

 private:
  directory::Outcome outcome_;
};

class BindTask final : public Task {
 public:
  using Task::Task;
  // From the directory.
  void Complete(directory::BindOutcome outcome);
  void Deliver() override;

 private:
  directory::BindOutcome outcome_;
};

// A cancel that waits for its target; the session completes it.
class CancelTask final : public Task {
 public:
  using Task::Task;
  void Deliver() override {}
};

class SearchTask final : public Task, public directory::SearchSink {
 public:
  using Task::Task;

  // From the directory.
  Flow OnEntry(std::string_view dn, std::span<const std::string_view> attribute_pieces) override;
  void Flush() override;
  void OnDone(directory::SearchOutcome outcome) override;

  // Kept until the search has ended, or has been told to.
  void set_operation(std::shared_ptr<directory::SearchOperation> operation) {
    if (!finished()) operation_ = std::move(operation);
  }
  void SetFinished() override;
  void Resume();
  void Deliver() override;
  void Stop() override;
  std::uint64_t entries() const override { return entries_.load(std::memory_order_relaxed); }

 private:
  Flow TakeInTurn(std::string_view dn, std::span<const std::string_view> pieces);
  Flow TakeElsewhere(std::string_view dn, std::span<const std::string_view> pieces);
  // What other threads have left here.
  struct Arrived {
    std::string entries;
    std::optional<directory::SearchOutcome> outcome;
    bool paused = false;  // the searcher waits for Resume()
  };
  Arrived TakeArrived();
  void Send(Arrived* arrived);
  std::shared_ptr<SearchTask> Self();

  std::shared_ptr<directory::SearchOperation> operation_;
  std::atomic<std::uint64_t> entries_ = 0;
  // Entries came outside the session's turn. Written by whoever calls the sink; calls never
  // overlap.
  bool elsewhere_ = false;

  std::mutex mutex_;  // guards what follows
  Arrived arrived_;
  bool queued_ = false;  // in the session's mailbox
};

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_SESSION_TASK_H_
