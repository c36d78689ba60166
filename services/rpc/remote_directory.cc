#include "services/rpc/remote_directory.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "services/rpc/credentials.h"
#include "services/rpc/gateway_client_stream.h"
#include "services/rpc/gateway_limits.h"
#include "services/rpc/timer_thread.h"

namespace twintree::rpc {
namespace {

using directory::RequestContext;
using model::ResultCode;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using StreamPointer = std::shared_ptr<GatewayClientStream>;
using WeakStream = std::weak_ptr<GatewayClientStream>;

constexpr int kKeepaliveTimeMs = 5000;
constexpr int kKeepaliveTimeoutMs = 4000;
// A stream that is not greeted within this is given up.
constexpr milliseconds kConnectLimit{8000};
// How long a stream that the directory wants to close is used while its successor connects.
// For a first attempt that is still under way by then, until it has ended.
constexpr milliseconds kRetireLimit{1000};
constexpr milliseconds kExpiryInterval{1000};

void SetArguments(grpc::ChannelArguments* arguments) {
  // A connection of its own for each channel.
  arguments->SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments->SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveTimeMs);
  arguments->SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  arguments->SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments->SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // How long one attempt may take.
  arguments->SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, static_cast<int>(kConnectLimit.count()));
  arguments->SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments->SetMaxReceiveMessageSize(static_cast<int>(kMaxGatewayMessageBytes));
  arguments->SetMaxSendMessageSize(-1);
}

// Spreads the calling threads over the streams, each thread always to the same.
std::size_t ThreadOrdinal() {
  static std::atomic<std::size_t> next{0};
  thread_local const std::size_t kOrdinal = next.fetch_add(1, std::memory_order_relaxed);
  return kOrdinal;
}

// A search that never began.
class EndedSearch final : public directory::SearchOperation {
 public:
  void Resume() override {}
  void Cancel() override {}
};

// Why a stream has ended.
std::string ReasonOf(const grpc::Status& status) {
  const std::string refuses = std::string(kRefusedByDirectory) + ": ";
  switch (status.error_code()) {
    case grpc::StatusCode::OK: return "the directory closed the stream";
    case grpc::StatusCode::UNAUTHENTICATED:
    case grpc::StatusCode::FAILED_PRECONDITION:
    case grpc::StatusCode::PERMISSION_DENIED: return refuses + status.error_message();
    case grpc::StatusCode::UNIMPLEMENTED:
      return refuses + "it serves none, or is of another release";
    default: return status.error_message();
  }
}

class RemoteDirectoryImpl final : public RemoteDirectory {
 public:
  explicit RemoteDirectoryImpl(RemoteDirectoryOptions options)
      : options_(std::move(options)),
        timers_(std::make_shared<TimerThread>()),
        paused_(
            std::make_shared<PausedSearches>(options_.max_pause, options_.max_paused_searches)) {}
  ~RemoteDirectoryImpl() override;

  model::Status Start();

  bool connected() const override;
  std::string WhyUnreachable() const override;
  bool WaitUntilConnected(milliseconds limit) override;

  void Bind(const RequestContext& context, directory::BindRequest request,
            BindCallback done) override {
    Send(context, request, Waiter(std::move(done)));
  }
  std::shared_ptr<directory::SearchOperation> Search(
      const RequestContext& context, directory::SearchRequest request,
      std::shared_ptr<directory::SearchSink> sink) override;
  void Compare(const RequestContext& context, directory::CompareRequest request,
               Callback done) override {
    Send(context, request, Waiter(std::move(done)));
  }
  void Add(const RequestContext& context, directory::AddRequest request, Callback done) override {
    Send(context, request, Waiter(std::move(done)));
  }
  void Modify(const RequestContext& context, directory::ModifyRequest request,
              Callback done) override {
    Send(context, request, Waiter(std::move(done)));
  }
  void Delete(const RequestContext& context, directory::DeleteRequest request,
              Callback done) override {
    Send(context, request, Waiter(std::move(done)));
  }
  void ModifyDn(const RequestContext& context, directory::ModifyDnRequest request,
                Callback done) override {
    Send(context, request, Waiter(std::move(done)));
  }
  void ModifyPassword(const RequestContext& context, directory::ModifyPasswordRequest request,
                      Callback done) override {
    Send(context, request, Waiter(std::move(done)));
  }

 private:
  // A place for one stream at a time, and its successor while that connects.
  struct Slot {
    CompletionPoller poller;
    mutable std::mutex mutex;
    // Guarded by mutex.
    StreamPointer active;
    StreamPointer connecting;
    std::vector<std::weak_ptr<GatewayClientStream>> all;  // also those that are being left
    bool reconnect_planned = false;
    milliseconds backoff{0};
  };

  // False when no stream took it; `waiter` has been told.
  template <typename Request>
  bool Send(const RequestContext& context, const Request& request, Waiter waiter);
  template <typename Encode>
  GatewayClientStream::Submission SubmitTo(std::size_t slot, Waiter* waiter,
                                           const RequestContext& context, Encode encode);
  StreamPointer ActiveStream(std::size_t slot) const;
  static std::vector<StreamPointer> AllStreams(const Slot& slot);

  std::unique_ptr<gateway_pb::GatewayService::Stub> MakeStub() const;
  void Connect(Slot* slot);
  void OnReady(Slot* slot, const StreamPointer& stream);
  void OnRetiring(Slot* slot, const StreamPointer& stream);
  void RetireSoon(Slot* slot, const WeakStream& stream, const WeakStream& successor);
  void OnClosed(Slot* slot, const StreamPointer& stream, const grpc::Status& status);
  void PlanReconnect(Slot* slot);  // REQUIRES: slot->mutex is held
  void ExpireOperations();
  void NoteChange(int difference, const std::string& reason);

  const RemoteDirectoryOptions options_;
  grpc::ChannelArguments arguments_;                       // constant after Start() began
  std::shared_ptr<grpc::ChannelCredentials> credentials_;  // likewise
  const std::shared_ptr<TimerThread> timers_;
  const std::shared_ptr<PausedSearches> paused_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::atomic<bool> stopping_{false};

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  int active_ = 0;          // streams that are up
  int alive_ = 0;           // streams that gRPC has not finished with
  std::string last_error_;  // empty: none yet
};

model::Status RemoteDirectoryImpl::Start() {
  SetArguments(&arguments_);
  TT_ASSIGN_OR_RETURN(credentials_, MakeChannelCredentials(options_.tls, &arguments_));
  for (std::size_t i = 0; i < std::max<std::size_t>(options_.streams, 1); ++i) {
    slots_.push_back(std::make_unique<Slot>());
  }
  for (const auto& slot : slots_) Connect(slot.get());
  timers_->After(kExpiryInterval, [this] { ExpireOperations(); });
  return model::OkStatus();
}

RemoteDirectoryImpl::~RemoteDirectoryImpl() {
  stopping_ = true;
  for (const auto& slot : slots_) {
    for (const StreamPointer& stream : AllStreams(*slot)) stream->TryCancel();
  }
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return alive_ == 0; });
  }
  timers_->Stop();
  paused_->EndAll();
}

bool RemoteDirectoryImpl::connected() const {
  std::lock_guard lock(mutex_);
  return active_ > 0;
}

bool RemoteDirectoryImpl::WaitUntilConnected(milliseconds limit) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, limit, [this] { return active_ > 0; });
}

StreamPointer RemoteDirectoryImpl::ActiveStream(std::size_t slot) const {
  std::lock_guard lock(slots_[slot]->mutex);
  return slots_[slot]->active;
}

std::vector<StreamPointer> RemoteDirectoryImpl::AllStreams(const Slot& slot) {
  std::vector<StreamPointer> streams;
  std::lock_guard lock(slot.mutex);
  for (const auto& weak : slot.all) {
    if (StreamPointer stream = weak.lock()) streams.push_back(std::move(stream));
  }
  return streams;
}

// A stream that is being left may just have been succeeded.
template <typename Encode>
GatewayClientStream::Submission RemoteDirectoryImpl::SubmitTo(std::size_t slot, Waiter* waiter,
                                                              const RequestContext& context,
                                                              Encode encode) {
  StreamPointer tried;
  for (StreamPointer stream = ActiveStream(slot); stream != tried; stream = ActiveStream(slot)) {
    if (stream == nullptr) break;
    const auto submission = stream->Submit(waiter, context, encode);
    if (submission != GatewayClientStream::Submission::kClosed) return submission;
    tried = std::move(stream);
  }
  return GatewayClientStream::Submission::kClosed;
}

template <typename Request>
bool RemoteDirectoryImpl::Send(const RequestContext& context, const Request& request,
                               Waiter waiter) {
  using Submission = GatewayClientStream::Submission;
  const auto now = steady_clock::now();
  const std::size_t first = ThreadOrdinal();
  const auto encode = [&](gateway_pb::Operation* operation) {
    EncodeContext(context, now, operation);
    EncodeRequest(request, operation);
    if constexpr (std::is_same_v<Request, directory::SearchRequest>) {
      operation->mutable_search()->set_credit_bytes(options_.search_window_bytes);
    }
  };
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    switch (SubmitTo((first + i) % slots_.size(), &waiter, context, encode)) {
      case Submission::kSent: return true;
      case Submission::kClosed: continue;
      case Submission::kBusy:
        FailWaiter(std::move(waiter), ResultCode::kBusy, "the directory does not keep up");
        return false;
      case Submission::kTooLarge:
        FailWaiter(std::move(waiter), ResultCode::kAdminLimitExceeded,
                   "the operation is larger than 64 MiB");
        return false;
    }
  }
  FailWaiter(std::move(waiter), ResultCode::kUnavailable, "the directory cannot be reached");
  return false;
}

std::shared_ptr<directory::SearchOperation> RemoteDirectoryImpl::Search(
    const RequestContext& context, directory::SearchRequest request,
    std::shared_ptr<directory::SearchSink> sink) {
  auto search = std::make_shared<RemoteSearch>(
      std::move(sink), context.deadline,
      RemoteSearch::Shared{timers_, paused_, options_.search_window_bytes});
  if (!Send(context, request, Waiter(search))) return std::make_shared<EndedSearch>();
  return search;
}

std::unique_ptr<gateway_pb::GatewayService::Stub> RemoteDirectoryImpl::MakeStub() const {
  return gateway_pb::GatewayService::NewStub(
      grpc::CreateCustomChannel(options_.target, credentials_, arguments_));
}

void RemoteDirectoryImpl::Connect(Slot* slot) {
  StreamPointer stream;
  {
    std::lock_guard lock(slot->mutex);
    slot->reconnect_planned = false;
    if (stopping_ || slot->connecting != nullptr) return;
    stream = std::make_shared<GatewayClientStream>(GatewayClientStream::Listener{
        [this, slot](const StreamPointer& ready) { OnReady(slot, ready); },
        [this, slot](const StreamPointer& retiring) { OnRetiring(slot, retiring); },
        [this, slot](const StreamPointer& closed, const grpc::Status& status) {
          OnClosed(slot, closed, status);
        }});
    slot->connecting = stream;
    std::erase_if(slot->all, [](const auto& weak) { return weak.expired(); });
    slot->all.push_back(stream);
    std::lock_guard counts(mutex_);
    ++alive_;
  }
  // A channel of its own. One that has failed would wait by its own rules before it tries, or looks
  // up the name, again: for minutes, at worst. One that is there leads to the connection which the
  // directory wants to be left.
  stream->Start(MakeStub().get(), &slot->poller, options_.token);
  if (stopping_) stream->TryCancel();
  timers_->After(kConnectLimit, [slot, late = std::weak_ptr(stream)] {
    const StreamPointer waiting = late.lock();
    if (waiting == nullptr) return;
    bool too_late = false;
    {
      std::lock_guard lock(slot->mutex);
      too_late = slot->connecting == waiting;
    }
    if (too_late) waiting->TryCancel();
  });
}

void RemoteDirectoryImpl::OnReady(Slot* slot, const StreamPointer& stream) {
  StreamPointer previous;
  {
    std::lock_guard lock(slot->mutex);
    previous = std::exchange(slot->active, stream);
    if (slot->connecting == stream) slot->connecting = nullptr;
    slot->backoff = milliseconds(0);
  }
  if (previous != nullptr) {
    previous->Retire();
  } else {
    NoteChange(+1, "");
  }
}

void RemoteDirectoryImpl::OnRetiring(Slot* slot, const StreamPointer& stream) {
  Connect(slot);
  std::lock_guard lock(slot->mutex);
  RetireSoon(slot, stream, slot->connecting);
}

void RemoteDirectoryImpl::RetireSoon(Slot* slot, const WeakStream& stream,
                                     const WeakStream& successor) {
  timers_->After(kRetireLimit, [this, slot, stream, successor] {
    const StreamPointer retiring = stream.lock();
    if (retiring == nullptr) return;
    bool may_come = false;
    {
      const StreamPointer awaited = successor.lock();
      std::lock_guard lock(slot->mutex);
      may_come = awaited != nullptr && slot->connecting == awaited;
    }
    if (may_come) return RetireSoon(slot, stream, successor);
    retiring->Retire();
  });
}

void RemoteDirectoryImpl::OnClosed(Slot* slot, const StreamPointer& stream,
                                   const grpc::Status& status) {
  bool was_active = false;
  {
    std::lock_guard lock(slot->mutex);
    was_active = slot->active == stream;
    const bool was_connecting = slot->connecting == stream;
    if (was_active) slot->active = nullptr;
    if (was_connecting) slot->connecting = nullptr;
    if ((was_active && slot->connecting == nullptr) || was_connecting) PlanReconnect(slot);
  }
  const std::string reason = ReasonOf(status);
  if (was_active) {
    NoteChange(-1, reason);
  } else {
    std::lock_guard lock(mutex_);
    if (!status.ok()) last_error_ = reason;
  }
  std::lock_guard lock(mutex_);
  --alive_;
  changed_.notify_all();
}

void RemoteDirectoryImpl::PlanReconnect(Slot* slot) {
  if (stopping_ || slot->reconnect_planned) return;
  slot->reconnect_planned = true;
  slot->backoff = std::clamp(slot->backoff * 8 / 5, options_.first_backoff, options_.max_backoff);
  // Up to two fifths less, so that gateways do not come back all at once.
  thread_local std::minstd_rand random{std::random_device{}()};
  const auto percent = std::uniform_int_distribution<int>(60, 100)(random);
  timers_->After(slot->backoff * percent / 100, [this, slot] { Connect(slot); });
}

void RemoteDirectoryImpl::ExpireOperations() {
  const auto now = steady_clock::now();
  paused_->Expire(now);
  for (const auto& slot : slots_) {
    for (const StreamPointer& stream : AllStreams(*slot)) stream->Expire(now);
  }
  timers_->After(kExpiryInterval, [this] { ExpireOperations(); });
}

void RemoteDirectoryImpl::NoteChange(int difference, const std::string& reason) {
  bool changed = false;
  bool reachable = false;
  {
    std::lock_guard lock(mutex_);
    const bool before = active_ > 0;
    active_ += difference;
    reachable = active_ > 0;
    changed = before != reachable;
    if (!reachable) last_error_ = reason;
  }
  changed_.notify_all();
  // What is left on purpose is not lost.
  if (changed && !stopping_ && options_.on_change) options_.on_change(reachable, reason);
}

std::string RemoteDirectoryImpl::WhyUnreachable() const {
  std::lock_guard lock(mutex_);
  return last_error_;
}

}  // namespace

model::Result<std::unique_ptr<RemoteDirectory>> RemoteDirectory::Make(
    RemoteDirectoryOptions options) {
  auto remote = std::make_unique<RemoteDirectoryImpl>(std::move(options));
  TT_RETURN_IF_ERROR(remote->Start());
  return std::unique_ptr<RemoteDirectory>(std::move(remote));
}

}  // namespace twintree::rpc
