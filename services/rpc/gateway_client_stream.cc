#include "services/rpc/gateway_client_stream.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "services/rpc/gateway_limits.h"

namespace twintree::rpc {
namespace {

using model::ResultCode;
using std::chrono::steady_clock;

// Operations that answers lead to gather while a message of answers is worked through, but no more
// than this many: the first ones should not wait for the last.
constexpr std::size_t kMaxCorkedOperations = 16;
// How much later than its deadline an operation is given up here: the directory's own answer, which
// knows more, goes first.
constexpr std::chrono::seconds kDeadlineGrace{2};
// Operations kept to be used again, and the largest of them.
constexpr std::size_t kMaxSpareOperations = 2 * kMaxGatheredOperations;
constexpr std::size_t kMaxSpareBytes = 4096;

// Removes operation `id` from a message; its bytes, 0 if it is not in there.
std::size_t RemoveOperation(std::uint64_t id, gateway_pb::ConnectRequest* message) {
  auto& operations = *message->mutable_operations();
  const auto found =
      std::find_if(operations.begin(), operations.end(),
                   [id](const gateway_pb::Operation& operation) { return operation.id() == id; });
  if (found == operations.end()) return 0;
  const std::size_t bytes = found->ByteSizeLong();
  operations.DeleteSubrange(static_cast<int>(found - operations.begin()), 1);
  return bytes;
}

directory::SearchOutcome FailedSearch(ResultCode code, const std::string& diagnostic) {
  directory::SearchOutcome outcome;
  outcome.code = code;
  outcome.diagnostic = diagnostic;
  return outcome;
}

std::string VersionMismatch(std::uint32_t version) {
  return "it speaks version " + std::to_string(version) +
         " of the gateway protocol, and this gateway version " +
         std::to_string(kGatewayProtocolVersion) + ": run both of the same release";
}

// `what` has happened to an operation, and what that means for one that writes.
std::string WithEffect(const char* what, bool writes) {
  return writes ? std::string(what) + "; the change may have been made" : what;
}

}  // namespace

void FailWaiter(Waiter waiter, ResultCode code, const std::string& diagnostic) {
  if (auto* search = std::get_if<std::shared_ptr<RemoteSearch>>(&waiter)) {
    (*search)->Fail(FailedSearch(code, diagnostic));
  } else if (auto* bind = std::get_if<directory::Directory::BindCallback>(&waiter)) {
    (*bind)(directory::BindOutcome{code, diagnostic, {}});
  } else {
    std::get<directory::Directory::Callback>(waiter)(
        directory::OutcomeOf(model::Error{code, diagnostic, ""}));
  }
}

void GatewayClientStream::Start(gateway_pb::GatewayService::Stub* stub, CompletionPoller* poller,
                                const model::Secret& token) {
  self_ = shared_from_this();
  grpc::ClientContext* context = nullptr;
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    context = context_.get();  // stays: gRPC is not done with what has not begun
    queue_.Current()->mutable_hello()->set_protocol_version(kGatewayProtocolVersion);
    queue_.Added(1);
    todo = NextWrite();
  }
  if (!token.empty()) {
    context->AddMetadata("authorization", "Bearer " + std::string(token.Reveal()));
  }
  context->set_initial_metadata_corked(true);
  AddHold();
  StartCall(stub->PrepareAsyncConnect(context, poller->queue()), &incoming_);
  DoWrite(todo);
}

void GatewayClientStream::Retire() {
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    if (state_ != State::kReady) return;
    state_ = State::kRetiring;
    todo = NextWrite();
  }
  DoWrite(todo);
}

void GatewayClientStream::TryCancel() {
  std::lock_guard lock(mutex_);
  if (context_ != nullptr) context_->TryCancel();
}

void GatewayClientStream::Expire(steady_clock::time_point now) {
  std::vector<Pending> expired;
  {
    std::lock_guard lock(mutex_);
    for (auto it = pending_.begin(); it != pending_.end();) {
      if (it->second.deadline < steady_clock::time_point::max() - kDeadlineGrace &&
          it->second.deadline + kDeadlineGrace < now) {
        waiting_.Remove(it->first);
        expired.push_back(std::move(it->second));
        it = pending_.erase(it);
      } else {
        ++it;
      }
    }
  }
  for (Pending& pending : expired) {
    FailWaiter(std::move(pending.waiter), ResultCode::kTimeLimitExceeded,
               WithEffect("the directory did not answer in time", pending.writes));
  }
  if (expired.empty()) return;
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    todo = NextWrite();
  }
  DoWrite(todo);
}

void GatewayClientStream::SendCredit(std::uint64_t id, std::size_t bytes) {
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    if (!CanCancel()) return;
    gateway_pb::Credit* credit = queue_.Current()->add_credits();
    credit->set_id(id);
    credit->set_bytes(bytes);
    queue_.Added(16);
    todo = NextWrite();
  }
  DoWrite(todo);
}

void GatewayClientStream::SendCancel(std::uint64_t id) {
  Pending ended;
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    const auto found = pending_.find(id);
    if (found == pending_.end()) return;
    ended = std::move(found->second);
    pending_.erase(found);
    if (!CanCancel()) return;
    // An operation that has not left yet never will: whoever abandons searches as quickly as they
    // are sent makes no work for the directory.
    if (!TakeBack(id)) AddCancellation(id);
    todo = NextWrite();
  }
  DoWrite(todo);
}

// Updates that have not left still go: many a client sends one and is gone.
void GatewayClientStream::OnInterestLost(std::uint64_t id) {
  Pending ended;
  bool taken_back = false;
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    const auto found = pending_.find(id);
    if (found == pending_.end() || !CanCancel()) return;
    taken_back = std::holds_alternative<directory::Directory::BindCallback>(found->second.waiter) &&
                 TakeBack(id);
    if (taken_back) {
      ended = std::move(found->second);
      pending_.erase(found);
    } else {
      AddCancellation(id);
    }
    todo = NextWrite();
  }
  DoWrite(todo);
  if (taken_back) {
    FailWaiter(std::move(ended.waiter), ResultCode::kCanceled, "nobody waits any more");
  }
}

bool GatewayClientStream::TakeBack(std::uint64_t id) {
  return waiting_.Remove(id) || queue_.TakeBack([id](gateway_pb::ConnectRequest* message) {
    return RemoveOperation(id, message);
  });
}

void GatewayClientStream::AddCancellation(std::uint64_t id) {
  queue_.Current()->add_cancellations(id);
  queue_.Added(10);
}

void GatewayClientStream::OnReadDone(bool ok) {
  if (!ok) {
    {
      std::lock_guard lock(mutex_);
      state_ = State::kClosed;
      queue_.Drop();
      waiting_.Clear();
    }
    return ReleaseWriter();
  }
  if (!greeted_) {
    greeted_ = true;
    if (!Greet()) TryCancel();
  }
  if (incoming_.events_size() > 0) DeliverEvents();
  if (incoming_.retiring()) listener_.retiring(self_);
  const std::size_t handled = incoming_.handled();
  StartRead(&incoming_);
  Uncork(handled);
}

// Writes what has gathered, or ends a stream that is being left and has had its last answer.
void GatewayClientStream::Uncork(std::size_t handled) {
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    corked_ = false;
    pace_.Handled(handled);
    todo = NextWrite();
  }
  DoWrite(todo);
}

// The first message. False when the directory speaks another protocol.
bool GatewayClientStream::Greet() {
  const std::uint32_t version = incoming_.hello().protocol_version();
  if (version != kGatewayProtocolVersion) {
    mismatch_ = VersionMismatch(version);
    return false;
  }
  {
    std::lock_guard lock(mutex_);
    state_ = State::kReady;
  }
  listener_.ready(self_);
  return true;
}

void GatewayClientStream::DeliverEvents() {
  std::size_t bytes = 0;
  {
    std::lock_guard lock(mutex_);
    corked_ = true;
    for (gateway_pb::Event& event : *incoming_.mutable_events()) {
      const auto found = pending_.find(event.id());
      if (found == pending_.end()) continue;  // cancelled or expired
      if (event.has_outcome()) {
        deliveries_.push_back({&event, std::move(found->second.waiter)});
        pending_.erase(found);
      } else {
        deliveries_.push_back({&event, found->second.waiter});
      }
      bytes += event.entries().size();
    }
  }
  for (Delivery& delivery : deliveries_) Deliver(&delivery);
  deliveries_.clear();
  if (bytes > kMaxBatchBytes) {  // give the memory back
    const bool retiring = incoming_.retiring();
    const std::uint32_t handled = incoming_.handled();
    incoming_ = gateway_pb::ConnectResponse();
    incoming_.set_retiring(retiring);
    incoming_.set_handled(handled);
  }
}

void GatewayClientStream::Deliver(Delivery* delivery) {
  gateway_pb::Event& event = *delivery->event;
  gateway_pb::Outcome* outcome = event.has_outcome() ? event.mutable_outcome() : nullptr;
  if (auto* search = std::get_if<std::shared_ptr<RemoteSearch>>(&delivery->waiter)) {
    if (!event.entries().empty()) (*search)->OnEntriesEvent(event.entries(), outcome != nullptr);
    if (outcome != nullptr) (*search)->OnOutcomeEvent(DecodeSearchOutcome(outcome));
  } else if (outcome == nullptr) {
    return;  // entries for something that is no search: not of this protocol
  } else if (auto* bind = std::get_if<directory::Directory::BindCallback>(&delivery->waiter)) {
    (*bind)(DecodeBindOutcome(outcome));
  } else {
    std::get<directory::Directory::Callback>(delivery->waiter)(DecodeOutcome(outcome));
  }
}

void GatewayClientStream::EnqueueChunks(const gateway_pb::Operation& operation) {
  const std::string octets = operation.SerializeAsString();
  std::string_view rest = octets;
  while (!rest.empty()) {
    const std::string_view piece = rest.substr(0, kMaxBatchBytes);
    rest.remove_prefix(piece.size());
    queue_.CloseCurrent();
    gateway_pb::ConnectRequest* message = queue_.Current();
    message->mutable_chunk()->assign(piece);
    message->set_last_chunk(rest.empty());
    queue_.Added(piece.size());
    queue_.CloseCurrent();
  }
}

void GatewayClientStream::PutOffWrite() {
  directory::Turn* const turn = directory::Turn::Current();
  if (turn == nullptr || put_off_) return;
  put_off_ = true;
  turn->PutOff(shared_from_this());
}

void GatewayClientStream::OnTurnEnd() {
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    put_off_ = false;
    todo = NextWrite();
  }
  DoWrite(todo);
}

// Has the next message as many operations as it should, or are others waiting to be in it?
bool GatewayClientStream::MustWait() const {
  return !waiting_.empty() || queue_.full() || queue_.items_in_current() >= pace_.operations();
}

GatewayClientStream::OperationPointer GatewayClientStream::TakeSpare() {
  if (spare_.empty()) return std::make_unique<gateway_pb::Operation>();
  OperationPointer operation = std::move(spare_.back());
  spare_.pop_back();
  return operation;
}

// Fills the next message with operations that wait for their turn.
void GatewayClientStream::TakeTurns() {
  while (!waiting_.empty() && !queue_.full() && queue_.items_in_current() < pace_.operations()) {
    auto next = waiting_.Pop();
    if (next.bytes > kMaxBatchBytes) {
      EnqueueChunks(*next.item);
      continue;
    }
    // What was used before for what is new.
    queue_.Current()->add_operations()->Swap(next.item.get());
    queue_.Added(next.bytes);
    if (next.bytes <= kMaxSpareBytes && spare_.size() < kMaxSpareOperations) {
      spare_.push_back(std::move(next.item));
    }
  }
}

bool GatewayClientStream::ShouldGather() const {
  if (pace_.unhandled() >= kMaxMessagesAhead) return true;
  if (queue_.full()) return false;
  const std::size_t gathered = queue_.items_in_current();
  if (pace_.unhandled() > 0) return gathered < pace_.operations();
  return (corked_ || put_off_) && gathered < std::min(kMaxCorkedOperations, pace_.operations());
}

GatewayClientStream::Todo GatewayClientStream::NextWrite() {
  if (half_closed_ || state_ == State::kClosed || queue_.writing()) return {};
  if (pace_.unhandled() < kMaxMessagesAhead) TakeTurns();
  if (ShouldGather()) return {};
  if (auto* message = queue_.BeginWrite()) {
    pace_.Sent(static_cast<std::size_t>(message->operations_size()));
    return {WriteStep::kWrite, message};
  }
  // What is under way may still need credit or a cancellation.
  if (state_ != State::kRetiring || !queue_.idle() || !pending_.empty()) return {};
  half_closed_ = true;
  half_closing_ = true;
  return {WriteStep::kHalfClose, nullptr};
}

void GatewayClientStream::DoWrite(const Todo& todo) {
  if (todo.step == WriteStep::kWrite) StartWrite(todo.message);
  if (todo.step == WriteStep::kHalfClose) StartWritesDone();
}

void GatewayClientStream::OnWriteDone(bool ok) {
  queue_.ClearInFlight();
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    queue_.EndWrite();
    if (!ok) state_ = State::kClosed;
    todo = NextWrite();
  }
  DoWrite(todo);
  if (todo.step == WriteStep::kNothing) ReleaseWriter();
}

void GatewayClientStream::OnWritesDoneDone(bool) {
  {
    std::lock_guard lock(mutex_);
    half_closing_ = false;
  }
  ReleaseWriter();
}

// Lets gRPC end the stream once nothing is written any more and nothing will be.
void GatewayClientStream::ReleaseWriter() {
  {
    std::lock_guard lock(mutex_);
    if (state_ != State::kClosed || queue_.writing() || half_closing_ || !writer_held_) return;
    writer_held_ = false;
  }
  RemoveHold();
}

void GatewayClientStream::OnDone(const grpc::Status& status) {
  std::unordered_map<std::uint64_t, Pending> lost;
  std::unique_ptr<grpc::ClientContext> ended;
  {
    std::lock_guard lock(mutex_);
    state_ = State::kClosed;
    lost.swap(pending_);
    ended = std::move(context_);
  }
  ended = nullptr;
  for (auto& [id, pending] : lost) {
    FailWaiter(std::move(pending.waiter), ResultCode::kUnavailable,
               WithEffect("the connection to the directory was lost", pending.writes));
  }
  const auto self = std::move(self_);
  // Either end may notice first, and only cancels then.
  listener_.closed(self, mismatch_.empty()
                             ? status
                             : grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, mismatch_));
}

}  // namespace twintree::rpc
