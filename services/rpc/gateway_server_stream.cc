#include "services/rpc/gateway_server_stream.h"

#include <algorithm>
#include <utility>

#include "services/rpc/gateway_limits.h"

namespace twintree::rpc {
namespace {

using directory::SearchSink;
using model::ResultCode;
using std::chrono::steady_clock;

// Answers gather while a message of operations is worked through, but no more than this many: the
// first ones should not wait for the last.
constexpr std::size_t kMaxCorkedEvents = 16;
// More credit than this at a time is cut, so that sums cannot overflow.
constexpr std::uint64_t kMaxCreditBytes = std::uint64_t{1} << 40;

std::int64_t BoundedCredit(std::uint64_t bytes) {
  return static_cast<std::int64_t>(std::min(bytes, kMaxCreditBytes));
}

// One number of two, which nobody can aim at another's (the finalizer of SplitMix64).
std::uint64_t MixClient(std::uint64_t stream, std::uint64_t client) {
  std::uint64_t mixed = stream + client * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

}  // namespace

// A search of the gateway's. Members are guarded by the stream's mutex.
class GatewayServerStream::Search final : public SearchSink {
 public:
  Search(std::shared_ptr<GatewayServerStream> stream, std::uint64_t chosen_id,
         std::int64_t first_credit)
      : id(chosen_id), credit(first_credit), stream_(std::move(stream)) {}

  Flow OnEntry(std::string_view dn, std::span<const std::string_view> pieces) override {
    return stream_->AppendEntry(this, dn, pieces);
  }
  void Flush() override { stream_->FlushEntries(); }
  void OnDone(directory::SearchOutcome outcome) override {
    stream_->EndSearch(this, std::move(outcome));
  }

  const std::uint64_t id;
  std::int64_t credit;
  std::shared_ptr<directory::SearchOperation> operation;  // null until Search() has returned
  bool paused = false;            // OnEntry said kFull, Resume() was not called yet
  bool resume_on_return = false;  // wanted before `operation` was known
  bool cancel_on_return = false;
  bool oversized = false;  // met an entry that cannot cross: nothing more is sent
  bool ended = false;

 private:
  const std::shared_ptr<GatewayServerStream> stream_;
};

void GatewayServerStream::Start(std::chrono::milliseconds max_age) {
  self_ = shared_from_this();
  if (max_age.count() > 0) {
    age_alarm_.Set(std::chrono::system_clock::now() + max_age,
                   [stream = weak_from_this()](bool expired) {
                     const auto self = stream.lock();
                     if (expired && self != nullptr) self->Retire();
                   });
  }
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    queue_.Current()->mutable_hello()->set_protocol_version(kGatewayProtocolVersion);
    queue_.Added(1);
    todo = Next();
  }
  Do(std::move(todo));
  StartRead(&incoming_);
}

void GatewayServerStream::Retire() {
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    if (cancelled_ || finished_ || reads_done_) return;
    queue_.Current()->set_retiring(true);
    queue_.Added(1);
    todo = Next();
  }
  Do(std::move(todo));
}

void GatewayServerStream::OnReadDone(bool ok) {
  if (ok && !greeted_) {
    greeted_ = true;
    const std::uint32_t version = incoming_.hello().protocol_version();
    if (version != kGatewayProtocolVersion) {
      return Fail(grpc::Status(grpc::StatusCode::FAILED_PRECONDITION,
                               "this directory speaks version " +
                                   std::to_string(kGatewayProtocolVersion) +
                                   " of the gateway protocol, and the gateway version " +
                                   std::to_string(version) + ": run both of the same release"));
    }
  }
  {
    std::lock_guard lock(mutex_);
    corked_ = true;
    if (!ok) reads_done_ = true;
  }
  if (ok) HandleMessage();
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    corked_ = false;
    if (ok) ++handled_;
    todo = Next();
    if (failure_) ok = false;
  }
  Do(std::move(todo));
  if (ok) StartRead(&incoming_);
}

void GatewayServerStream::HandleMessage() {
  const auto now = steady_clock::now();
  for (gateway_pb::Operation& operation : *incoming_.mutable_operations()) {
    Dispatch(&operation, now);
  }
  for (const gateway_pb::Credit& credit : incoming_.credits()) {
    GrantCredit(credit.id(), credit.bytes());
  }
  for (const std::uint64_t id : incoming_.cancellations()) Cancel(id);
  if (!incoming_.chunk().empty() || incoming_.last_chunk()) HandleChunk();
}

void GatewayServerStream::HandleChunk() {
  if (chunks_.size() + incoming_.chunk().size() > kMaxGatewayMessageBytes) {
    return Fail(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "an operation is too large"));
  }
  chunks_ += incoming_.chunk();
  if (!incoming_.last_chunk()) return;
  gateway_pb::Operation operation;
  const bool parsed = operation.ParseFromString(chunks_);
  std::string().swap(chunks_);
  if (!parsed) {
    return Fail(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "chunks make up no operation"));
  }
  Dispatch(&operation, steady_clock::now());
}

void GatewayServerStream::Dispatch(gateway_pb::Operation* operation, steady_clock::time_point now) {
  const std::uint64_t id = operation->id();
  bool busy = false;
  {
    std::lock_guard lock(mutex_);
    if (cancelled_ || finished_) return;
    busy = under_way_ >= kMaxOperationsPerStream;
    ++under_way_;
  }
  if (busy) {
    return AppendError(id, {ResultCode::kBusy, "too many operations on one gateway stream", ""});
  }
  using directory::Directory;
  directory::RequestContext context = DecodeContext(operation, now);
  // Numbers of clients are a gateway's own.
  context.client = MixClient(reinterpret_cast<std::uintptr_t>(this), operation->client());
  context.interest = self_;
  context.interest_number = id;
  if (operation->has_search()) return DispatchSearch(id, context, operation);
  if (operation->has_bind()) {
    return directory_->Bind(context, DecodeBind(operation),
                            [self = shared_from_this(), id](directory::BindOutcome outcome) {
                              self->AppendOutcome(id, std::move(outcome));
                            });
  }
  if (operation->has_compare()) {
    return DispatchSimple(id, context, DecodeCompare(operation), &Directory::Compare);
  }
  if (operation->has_modify()) {
    return DispatchSimple(id, context, DecodeModify(operation), &Directory::Modify);
  }
  if (operation->has_add()) {
    return DispatchSimple(id, context, DecodeAdd(operation), &Directory::Add);
  }
  if (operation->has_delete_()) {
    return DispatchSimple(id, context, DecodeDelete(operation), &Directory::Delete);
  }
  if (operation->has_modify_dn()) {
    return DispatchSimple(id, context, DecodeModifyDn(operation), &Directory::ModifyDn);
  }
  if (operation->has_modify_password()) {
    return DispatchSimple(
        id, context,
        model::Result<directory::ModifyPasswordRequest>(DecodeModifyPassword(operation)),
        &Directory::ModifyPassword);
  }
  AppendError(id, {ResultCode::kProtocolError, "gateway sent an operation of no known kind", ""});
}

template <typename Request, typename Method>
void GatewayServerStream::DispatchSimple(std::uint64_t id, const directory::RequestContext& context,
                                         model::Result<Request> request, Method method) {
  if (!request.ok()) return AppendError(id, std::move(request).error());
  (directory_.get()->*method)(context, std::move(request).value(),
                              [self = shared_from_this(), id](directory::Outcome outcome) {
                                self->AppendOutcome(id, std::move(outcome));
                              });
}

void GatewayServerStream::DispatchSearch(std::uint64_t id, const directory::RequestContext& context,
                                         gateway_pb::Operation* operation) {
  const std::int64_t credit = BoundedCredit(operation->search().credit_bytes());
  model::Result<directory::SearchRequest> request = DecodeSearch(operation);
  if (!request.ok()) return AppendError(id, std::move(request).error());
  auto search = std::make_shared<Search>(shared_from_this(), id, credit);
  {
    std::lock_guard lock(mutex_);
    if (!searches_.emplace(id, search).second) {
      failure_ = grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "gateway used an id twice");
      return;
    }
  }
  auto under_way = directory_->Search(context, std::move(request).value(), search);
  bool resume = false;
  bool cancel = false;
  {
    std::lock_guard lock(mutex_);
    if (search->ended) return;
    search->operation = under_way;
    resume = search->resume_on_return;
    cancel = search->cancel_on_return || cancelled_;
  }
  if (cancel) return under_way->Cancel();
  if (resume) under_way->Resume();
}

void GatewayServerStream::GrantCredit(std::uint64_t id, std::uint64_t bytes) {
  std::shared_ptr<directory::SearchOperation> operation;
  {
    std::lock_guard lock(mutex_);
    const auto found = searches_.find(id);
    if (found == searches_.end()) return;  // ended meanwhile
    Search& search = *found->second;
    search.credit = BoundedCredit(bytes) + std::min(search.credit, BoundedCredit(kMaxCreditBytes));
    if (!search.paused || search.credit <= 0) return;
    if (queue_.waiting_bytes() >= kMaxWaitingEventBytes) {
      stalled_.push_back(id);
      return;
    }
    search.paused = false;
    search.resume_on_return = search.operation == nullptr;
    operation = search.operation;
  }
  if (operation != nullptr) operation->Resume();
}

bool GatewayServerStream::IsLost(std::uint64_t id) const {
  std::lock_guard lock(mutex_);
  return cancelled_ || lost_.count(id) != 0;
}

void GatewayServerStream::RememberCancellation(std::uint64_t id) {
  if (!lost_.insert(id).second) return;
  lost_order_.push_back(id);
  if (lost_order_.size() <= kMaxRememberedCancellations) return;
  lost_.erase(lost_order_.front());
  lost_order_.pop_front();
}

void GatewayServerStream::Cancel(std::uint64_t id) {
  std::shared_ptr<directory::SearchOperation> operation;
  {
    std::lock_guard lock(mutex_);
    const auto found = searches_.find(id);
    if (found == searches_.end()) return RememberCancellation(id);
    found->second->cancel_on_return = true;
    operation = found->second->operation;
  }
  if (operation != nullptr) operation->Cancel();
}

SearchSink::Flow GatewayServerStream::AppendEntry(Search* search, std::string_view dn,
                                                  std::span<const std::string_view> pieces) {
  std::size_t size = dn.size();
  for (const std::string_view piece : pieces) size += piece.size();
  Todo todo;
  auto flow = SearchSink::Flow::kMore;
  {
    std::lock_guard lock(mutex_);
    if (size > kMaxGatewayItemBytes) search->oversized = true;
    if (cancelled_ || finished_ || search->oversized) return flow;
    AppendSearchEntry(dn, pieces, EventOf(search->id)->mutable_entries());
    queue_.Added(size + kEntryOverheadBytes);

    search->credit -= static_cast<std::int64_t>(size + kEntryOverheadBytes);
    const bool stalled = queue_.waiting_bytes() >= kMaxWaitingEventBytes;
    if (stalled && search->credit > 0) stalled_.push_back(search->id);
    if (stalled || search->credit <= 0) {
      search->paused = true;
      flow = SearchSink::Flow::kFull;
    }
    if (search->paused || queue_.waiting_bytes() >= kEntryBatchBytes) todo = Next();
  }
  Do(std::move(todo));
  return flow;
}

void GatewayServerStream::FlushEntries() {
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    todo = Next();
  }
  Do(std::move(todo));
}

gateway_pb::Event* GatewayServerStream::EventOf(std::uint64_t id) {
  auto& events = *queue_.Current()->mutable_events();
  if (!events.empty() && events.rbegin()->id() == id) return &*events.rbegin();
  gateway_pb::Event* const event = events.Add();
  event->set_id(id);
  return event;
}

void GatewayServerStream::EndSearch(Search* search, directory::SearchOutcome outcome) {
  // Held until the lock is released: the last reference may go here.
  std::shared_ptr<Search> keep;
  std::shared_ptr<directory::SearchOperation> operation;
  {
    std::lock_guard lock(mutex_);
    search->ended = true;
    operation = std::move(search->operation);
    if (search->oversized) {
      outcome.code = ResultCode::kAdminLimitExceeded;
      outcome.diagnostic = "an entry is larger than what crosses to a gateway (64 MiB)";
    }
    const auto found = searches_.find(search->id);
    if (found != searches_.end()) {
      keep = std::move(found->second);
      searches_.erase(found);
    }
  }
  AppendOutcome(search->id, std::move(outcome));
}

template <typename AnyOutcome>
void GatewayServerStream::AppendOutcome(std::uint64_t id, AnyOutcome outcome) {
  std::size_t size = EstimateBytes(outcome);
  if constexpr (requires { outcome.pre_read; }) {
    if (size > kMaxGatewayItemBytes) {
      outcome.pre_read.reset();
      outcome.post_read.reset();
      outcome.diagnostic = "the entry is too large to be returned (64 MiB)";
      size = EstimateBytes(outcome);
    }
  }
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    --under_way_;
    if (!lost_.empty()) lost_.erase(id);
    if (!cancelled_ && !finished_) {
      EncodeOutcome(std::move(outcome), EventOf(id)->mutable_outcome());
      queue_.Added(size);
    }
    todo = Next();
  }
  Do(std::move(todo));
}

void GatewayServerStream::AppendError(std::uint64_t id, model::Error error) {
  AppendOutcome(id, directory::OutcomeOf(std::move(error)));
}

GatewayServerStream::Todo GatewayServerStream::Next() {
  Todo todo;
  if (finished_) return todo;
  const bool held = corked_ && queue_.items_in_current() < kMaxCorkedEvents;
  if (!cancelled_ && !failure_ && !held) todo.write = BeginWrite();
  if (todo.write != nullptr || queue_.writing()) return todo;
  if (failure_) {
    todo.finish = failure_;
  } else if (cancelled_) {
    todo.finish = grpc::Status(grpc::StatusCode::CANCELLED, "gateway is gone");
  } else if (reads_done_ && under_way_ == 0 && queue_.idle()) {
    todo.finish = grpc::Status::OK;
  }
  if (todo.finish) {
    finished_ = true;
    status_code_ = todo.finish->error_code();
  }
  return todo;
}

gateway_pb::ConnectResponse* GatewayServerStream::BeginWrite() {
  if (queue_.writing()) return nullptr;
  if (handled_ > 0 && queue_.idle()) {
    queue_.Current();
    queue_.Added(1);
  }
  gateway_pb::ConnectResponse* const message = queue_.BeginWrite();
  if (message != nullptr && handled_ > 0) message->set_handled(std::exchange(handled_, 0));
  return message;
}

void GatewayServerStream::Do(Todo todo) {
  if (todo.write != nullptr) StartWrite(todo.write);
  if (todo.finish) Finish(*std::move(todo.finish));
}

void GatewayServerStream::Fail(grpc::Status status) {
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(status);
    todo = Next();
  }
  Do(std::move(todo));
}

void GatewayServerStream::OnWriteDone(bool ok) {
  queue_.ClearInFlight();
  std::vector<std::shared_ptr<directory::SearchOperation>> resumed;
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    queue_.EndWrite();
    if (!ok) cancelled_ = true;  // OnCancel follows and stops the searches
    if (queue_.waiting_bytes() < kMaxWaitingEventBytes / 2) {
      for (const std::uint64_t id : std::exchange(stalled_, {})) {
        const auto found = searches_.find(id);
        if (found == searches_.end() || !found->second->paused) continue;
        found->second->paused = false;
        found->second->resume_on_return = found->second->operation == nullptr;
        resumed.push_back(found->second->operation);
      }
    }
    todo = Next();
  }
  Do(std::move(todo));
  for (const auto& operation : resumed) {
    if (operation != nullptr) operation->Resume();
  }
}

void GatewayServerStream::OnCancel() {
  std::vector<std::shared_ptr<directory::SearchOperation>> operations;
  Todo todo;
  {
    std::lock_guard lock(mutex_);
    cancelled_ = true;
    queue_.Drop();
    for (const auto& [id, search] : searches_) {
      search->cancel_on_return = true;
      if (search->operation != nullptr) operations.push_back(search->operation);
    }
    todo = Next();
  }
  for (const auto& operation : operations) operation->Cancel();
  Do(std::move(todo));
}

void GatewayServerStream::OnDone() {
  age_alarm_.Cancel();
  // A failure of ours ends the stream without OnCancel: stop what still runs.
  OnCancel();
  call_.Handled(status_code_);
  closed_(this);
  self_.reset();
}

}  // namespace twintree::rpc
