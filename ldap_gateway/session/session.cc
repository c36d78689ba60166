#include "ldap_gateway/session/session.h"

#include <algorithm>
#include <utility>

namespace twintree::ldap {
namespace {

// The session whose call is running on this thread.
thread_local const Session* running_session = nullptr;

constexpr std::string_view kShuttingDown = "the server is shutting down";

}  // namespace

// While one exists, answers of the directory are written at once.
class Session::Turn {
 public:
  explicit Turn(const Session* session) : previous_(std::exchange(running_session, session)) {}
  ~Turn() { running_session = previous_; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  const Session* const previous_;
};

bool Session::InTurn() const { return running_session == this; }

Session::Session(std::shared_ptr<const Door> door, const SessionPeer& peer)
    : door_(std::move(door)), peer_(peer) {
  context_.client = peer.connection;
}

Session::~Session() = default;

bool Session::MayStart() const {
  return next_ == Next::kContinue && !turn_over_ && !binding_ && !waiting_bind_ && !draining_ &&
         !closed_ && tasks_.size() + stopping_ < door_->limits().max_pending_operations &&
         pending_bytes_ < door_->limits().max_pending_bytes &&
         paused_.size() < kMaxPausedSearches && output_.size() < door_->limits().max_output_bytes;
}

std::size_t Session::message_limit() const {
  return context_.subject.anonymous() ? door_->limits().max_anonymous_message_bytes
                                      : door_->limits().max_message_bytes;
}

void Session::Receive(std::string_view octets) {
  if (closed_ || next_ != Next::kContinue) return;
  const Turn turn(this);
  turn_began_.reset();
  if (ConnectionObserver* observer = door_->observer()) observer->OnReceived(octets.size());
  if (input_.empty()) {
    const std::size_t used = Process(octets);
    if (next_ == Next::kContinue && used < octets.size()) KeepInput(octets.substr(used));
  } else {
    KeepInput(octets);
  }
  Settle();
}

void Session::KeepInput(std::string_view octets) {
  directory::Budget& budget = door_->input_budget(context_.subject.anonymous());
  if (input_.Append(octets, expected_bytes_, &budget)) return;
  input_.Clear();
  Disconnect(model::ResultCode::kBusy, "too much of the requests of all clients is incomplete");
}

std::size_t Session::Process(std::string_view octets) {
  std::size_t used = 0;
  expected_bytes_ = 0;
  while (used < octets.size() && MayStart()) {
    const Frame frame = NextFrame(octets.substr(used), message_limit());
    if (frame.state == Frame::State::kIncomplete) {
      expected_bytes_ = static_cast<std::size_t>(frame.size);
      break;
    }
    if (frame.state == Frame::State::kMalformed) {
      Disconnect(model::ResultCode::kProtocolError, "this is no LDAP message");
      break;
    }
    if (frame.state == Frame::State::kTooLarge) {
      Disconnect(model::ResultCode::kProtocolError,
                 "a message of " + std::to_string(frame.size) + " octets is larger than the " +
                     std::to_string(message_limit()) + " that are allowed");
      break;
    }
    const auto now = std::chrono::steady_clock::now();
    if (TurnIsOver(now)) break;
    const std::size_t size = static_cast<std::size_t>(frame.size);
    HandleMessage(octets.substr(used, size), used + size == octets.size(), now);
    used += size;
  }
  return used;
}

bool Session::TurnIsOver(std::chrono::steady_clock::time_point now) {
  if (!turn_began_) {
    turn_began_ = now;
    return false;
  }
  turn_over_ = now - *turn_began_ >= door_->limits().max_turn_time;
  return turn_over_;
}

bool Session::ProcessBuffered() {
  if (input_.empty() || !MayStart()) return false;
  const std::size_t used = Process(input_.view());
  input_.Consume(used);
  if (next_ != Next::kContinue) input_.Clear();
  return used > 0;
}

void Session::Settle() {
  do {
    if (waiting_bind_ && tasks_.empty()) {
      StartBind(*std::exchange(waiting_bind_, std::nullopt));
    }
  } while (ProcessBuffered());
  if (draining_ && next_ == Next::kContinue && tasks_.empty() && !waiting_bind_) {
    if (input_.empty()) {
      End();
    } else {  // what has come of further requests will have no answer
      Disconnect(model::ResultCode::kUnavailable, kShuttingDown);
    }
  }
  PublishOutput();
}

void Session::HandleMessage(std::string_view message, bool last,
                            std::chrono::steady_clock::time_point now) {
  model::Result<Envelope> envelope = DecodeEnvelope(message);
  if (!envelope.ok()) {
    Disconnect(envelope.error().code, envelope.error().message);
    return;
  }
  if (Find(envelope->id) != nullptr) {
    Disconnect(model::ResultCode::kProtocolError,
               "message ID " + std::to_string(envelope->id) + " is still in use");
    return;
  }
  const RequestInfo info{envelope->id, envelope->kind, ++requests_, now, message.size()};
  Dispatch(Incoming{info, message, *envelope, last});
}

void Session::Dispatch(const Incoming& in) {
  switch (in.info.kind) {
    case OperationKind::kBind: return HandleBind(in);
    case OperationKind::kUnbind: return HandleUnbind(in);
    case OperationKind::kSearch: return HandleSearch(in);
    case OperationKind::kModify: return HandleModify(in);
    case OperationKind::kAdd: return HandleAdd(in);
    case OperationKind::kDelete: return HandleDelete(in);
    case OperationKind::kModifyDn: return HandleModifyDn(in);
    case OperationKind::kCompare: return HandleCompare(in);
    case OperationKind::kAbandon: return HandleAbandon(in);
    case OperationKind::kExtended: return HandleExtended(in);
  }
}

Task* Session::Find(MessageId id) const {
  for (const std::shared_ptr<Task>& task : tasks_) {
    if (task->info().id == id) return task.get();
  }
  return nullptr;
}

void Session::TlsStarted() {
  const Turn turn(this);
  peer_.tls_active = true;
  next_ = Next::kContinue;
  Settle();
}

void Session::Wake() {
  std::vector<std::shared_ptr<Task>> arrived;
  {
    const std::lock_guard lock(mailbox_mutex_);
    arrived.swap(mailbox_);
  }
  if (closed_) return;
  const Turn turn(this);
  turn_began_.reset();
  for (const std::shared_ptr<Task>& task : arrived) task->Deliver();
  Settle();
}

void Session::Continue() {
  if (closed_) return;
  const Turn turn(this);
  turn_began_.reset();
  turn_over_ = false;
  Settle();
}

void Session::Post(std::shared_ptr<Task> task) {
  bool wake = false;
  {
    const std::lock_guard lock(mailbox_mutex_);
    if (mailbox_closed_) return;
    wake = mailbox_.empty();
    mailbox_.push_back(std::move(task));
  }
  if (!wake) return;
  if (const std::shared_ptr<SessionHost> host = host_.lock()) host->RequestWake();
}

void Session::Disconnect(model::ResultCode code, std::string_view diagnostic) {
  if (next_ == Next::kClose || closed_) return;
  const Turn turn(this);
  EncodeNoticeOfDisconnection(code, diagnostic, output_.tail());
  next_ = Next::kClose;
  AbandonAll();
  PublishOutput();
}

void Session::End() {
  if (next_ == Next::kClose || closed_) return;
  next_ = Next::kClose;
}

void Session::CutOff() {
  if (tasks_.empty() && !waiting_bind_ && input_.empty()) return End();
  Disconnect(model::ResultCode::kUnavailable, kShuttingDown);
}

void Session::AbandonAll() {
  waiting_bind_.reset();
  paused_.clear();
  std::vector<std::shared_ptr<Task>> tasks = std::exchange(tasks_, {});
  for (const std::shared_ptr<Task>& task : tasks) {
    Report(task->info(), task->details(), model::ResultCode::kCanceled, "the session ended",
           task->entries());
    task->set_canceled_by(nullptr);
    GiveUp(task.get());
  }
}

void Session::GiveUp(Task* task) {
  ++stopping_;
  task->Drop();
  task->Stop();
}

void Session::Drain() {
  const Turn turn(this);
  draining_ = true;
  Settle();
}

void Session::Close() {
  if (closed_) return;
  const Turn turn(this);
  closed_ = true;
  AbandonAll();
  input_.Clear();
  input_.Shrink(0);
  output_ = OutputBuffer();
  std::vector<std::shared_ptr<Task>> arrived;
  const std::lock_guard lock(mailbox_mutex_);
  mailbox_closed_ = true;
  arrived.swap(mailbox_);
}

void Session::Consume(std::size_t n) {
  output_.Consume(n);
  PublishOutput();
  if (closed_) return;
  const bool room = output_.size() < door_->limits().output_low_watermark_bytes;
  if (input_.empty() && (paused_.empty() || !room)) return;
  const Turn turn(this);
  // Requests first: one of them may abandon a search that would only fill the output again.
  ProcessBuffered();
  if (room) ResumeWaiting();
  Settle();
}

bool Session::may_be_cut_off() const {
  return std::all_of(tasks_.begin(), tasks_.end(), [](const auto& task) {
    return task->info().kind == OperationKind::kSearch ||
           task->info().kind == OperationKind::kCompare ||
           task->info().kind == OperationKind::kBind;
  });
}

void Session::ResumeWaiting() {
  const std::size_t high = door_->limits().output_high_watermark_bytes;
  for (std::size_t left = paused_.size(); left > 0 && output_.size() < high; --left) {
    if (paused_.empty()) return;
    const std::shared_ptr<SearchTask> task = std::move(paused_.front());
    paused_.pop_front();
    task->Resume();
  }
}

void Session::Shrink() {
  output_.Shrink(kIdleBufferBytes);
  input_.Shrink(kIdleBufferBytes);
}

std::size_t Session::partial_message_bytes() const {
  if (input_.empty() || !MayStart()) return 0;
  const Frame frame = NextFrame(input_.view(), message_limit());
  return static_cast<std::size_t>(std::max<std::uint64_t>(frame.size, 1));
}

}  // namespace twintree::ldap
