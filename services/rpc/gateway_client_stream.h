// A gateway's end of one stream to the directory: operations out, events in.
//
// Lifetime: shared by gRPC (until the stream has ended) and whoever uses it. Every operation that
// was accepted is answered exactly once: by the directory, or with kUnavailable when the stream
// breaks, or with kTimeLimitExceeded by Expire().
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_GATEWAY_CLIENT_STREAM_H_
#define TWINTREE_SERVICES_RPC_GATEWAY_CLIENT_STREAM_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "services/directory/directory.h"
#include "services/directory/fair_queue.h"
#include "services/directory/turn.h"
#include "services/rpc/batch_queue.h"
#include "services/rpc/gateway_codec.h"
#include "services/rpc/pace.h"
#include "services/rpc/polled_stream.h"
#include "services/rpc/remote_search.h"
#include "twintree/gateway/v1/gateway_service.grpc.pb.h"

namespace twintree::rpc {

// Who waits for an operation's outcome.
using Waiter = std::variant<directory::Directory::Callback, directory::Directory::BindCallback,
                            std::shared_ptr<RemoteSearch>>;

// Tells a waiter that its operation failed on the way.
void FailWaiter(Waiter waiter, model::ResultCode code, const std::string& diagnostic);

class GatewayClientStream final
    : public PolledStream<gateway_pb::ConnectRequest, gateway_pb::ConnectResponse>,
      public SearchChannel,
      public directory::Turn::Work,
      public directory::Interest::Watcher,
      public std::enable_shared_from_this<GatewayClientStream> {
 public:
  // Called from the poller's thread, each at most once, `closed` always and last.
  struct Listener {
    std::function<void(const std::shared_ptr<GatewayClientStream>&)> ready;
    std::function<void(const std::shared_ptr<GatewayClientStream>&)> retiring;
    std::function<void(const std::shared_ptr<GatewayClientStream>&, const grpc::Status&)> closed;
  };
  enum class Submission { kSent, kClosed, kBusy, kTooLarge };

  explicit GatewayClientStream(Listener listener) : listener_(std::move(listener)) {}

  // `token` empty: none is shown. `poller` outlives the stream.
  void Start(gateway_pb::GatewayService::Stub* stub, CompletionPoller* poller,
             const model::Secret& token);

  // Encodes an operation with `encode(gateway_pb::Operation*)` and sends it soon, or, while the
  // directory is behind, when it is its client's turn. `waiter` is taken only with kSent.
  template <typename Encode>
  Submission Submit(Waiter* waiter, const directory::RequestContext& context, Encode encode);

  // Sends no new operations, answers what is under way, then closes.
  void Retire();
  // Breaks the stream.
  void TryCancel();
  // Answers operations whose deadline has long passed.
  void Expire(std::chrono::steady_clock::time_point now);

  void SendCredit(std::uint64_t id, std::size_t bytes) override;
  void SendCancel(std::uint64_t id) override;

  void OnTurnEnd() override;
  // A bind that has not left is answered with kCanceled; the directory is told of what has.
  void OnInterestLost(std::uint64_t id) override;

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnWritesDoneDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

 private:
  enum class State { kConnecting, kReady, kRetiring, kClosed };
  struct Pending {
    Waiter waiter;
    std::chrono::steady_clock::time_point deadline;
    bool writes = false;  // without an answer nobody knows whether it was done
  };
  using OperationPointer = std::unique_ptr<gateway_pb::Operation>;
  // An event and whom it is for.
  struct Delivery {
    gateway_pb::Event* event;
    Waiter waiter;
  };
  enum class WriteStep { kNothing, kWrite, kHalfClose };
  struct Todo {
    WriteStep step = WriteStep::kNothing;
    gateway_pb::ConnectRequest* message = nullptr;
  };

  bool Greet();
  void DeliverEvents();
  static void Deliver(Delivery* delivery);
  // REQUIRES: mutex_ is held
  template <typename Encode>
  bool EncodeNext(Encode encode);
  template <typename Encode>
  bool EncodeForLater(std::uint64_t client, Encode encode);
  void EnqueueChunks(const gateway_pb::Operation& operation);
  bool MustWait() const;
  OperationPointer TakeSpare();
  void TakeTurns();
  bool TakeBack(std::uint64_t id);
  void AddCancellation(std::uint64_t id);
  bool CanCancel() const { return state_ == State::kReady || state_ == State::kRetiring; }
  Todo NextWrite();
  bool ShouldGather() const;
  void PutOffWrite();

  void DoWrite(const Todo& todo);
  void Uncork(std::size_t handled);
  void ReleaseWriter();

  const Listener listener_;

  // Touched by reactions only.
  std::shared_ptr<GatewayClientStream> self_;
  gateway_pb::ConnectResponse incoming_;
  bool greeted_ = false;
  std::string mismatch_;  // what to do about a directory of another protocol; else empty
  std::vector<Delivery> deliveries_;

  std::mutex mutex_;
  // Guarded by mutex_.
  // Null once gRPC is done. It holds on to the channel, and a channel's last reference must not go
  // in a reaction, where late users of this object may release it.
  std::unique_ptr<grpc::ClientContext> context_ = std::make_unique<grpc::ClientContext>();
  State state_ = State::kConnecting;
  BatchQueue<gateway_pb::ConnectRequest> queue_;
  Pace pace_;
  directory::FairQueue<OperationPointer> waiting_;  // while queue_ has as much as it should
  std::vector<OperationPointer> spare_;
  std::unordered_map<std::uint64_t, Pending> pending_;
  std::uint64_t last_id_ = 0;
  bool corked_ = false;   // answers are being delivered: let what they lead to gather
  bool put_off_ = false;  // a thread's turn will write what has gathered
  bool half_closed_ = false;
  bool half_closing_ = false;  // until gRPC has done it
  bool writer_held_ = true;    // gRPC waits for us before OnDone, since writes come from any thread
};

template <typename Encode>
GatewayClientStream::Submission GatewayClientStream::Submit(
    Waiter* waiter, const directory::RequestContext& context, Encode encode) {
  Todo todo;
  std::uint64_t id = 0;
  {
    std::lock_guard lock(mutex_);
    if (state_ != State::kReady) return Submission::kClosed;
    if (queue_.waiting_bytes() + waiting_.bytes() > kMaxWaitingOperationBytes) {
      return Submission::kBusy;
    }
    id = ++last_id_;
    bool writes = false;
    const auto encode_noting = [&](gateway_pb::Operation* operation) {
      encode(operation);
      writes = IsWrite(*operation);
    };
    const bool fits =
        MustWait() ? EncodeForLater(context.client, encode_noting) : EncodeNext(encode_noting);
    if (!fits) return Submission::kTooLarge;
    if (auto* search = std::get_if<std::shared_ptr<RemoteSearch>>(waiter)) {
      (*search)->Attach(weak_from_this(), id);
    }
    pending_.emplace(id, Pending{std::move(*waiter), context.deadline, writes});
    PutOffWrite();
    todo = NextWrite();
  }
  DoWrite(todo);
  if (context.interest != nullptr) context.interest->Watch(weak_from_this(), id);
  return Submission::kSent;
}

// False if it is too large.
template <typename Encode>
bool GatewayClientStream::EncodeNext(Encode encode) {
  auto* operations = queue_.Current()->mutable_operations();
  gateway_pb::Operation* operation = operations->Add();
  operation->set_id(last_id_);
  encode(operation);
  const std::size_t bytes = operation->ByteSizeLong();
  if (bytes <= kMaxBatchBytes) {
    queue_.Added(bytes);
    return true;
  }
  const gateway_pb::Operation large = std::move(*operation);
  operations->RemoveLast();
  if (bytes > kMaxGatewayItemBytes) return false;
  EnqueueChunks(large);
  return true;
}

template <typename Encode>
bool GatewayClientStream::EncodeForLater(std::uint64_t client, Encode encode) {
  OperationPointer operation = TakeSpare();
  operation->set_id(last_id_);
  encode(operation.get());
  const std::size_t bytes = operation->ByteSizeLong();
  if (bytes > kMaxGatewayItemBytes) return false;
  waiting_.Push(client, {last_id_, bytes, std::move(operation)});
  return true;
}

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_GATEWAY_CLIENT_STREAM_H_
