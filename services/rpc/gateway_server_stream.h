// One gateway stream in the directory.
//
// Lifetime: shared by gRPC (until OnDone) and by the operations under way, whose late results are
// dropped once the stream has ended.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_GATEWAY_SERVER_STREAM_H_
#define TWINTREE_SERVICES_RPC_GATEWAY_SERVER_STREAM_H_

#include <grpcpp/alarm.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "services/directory/directory.h"
#include "services/rpc/batch_queue.h"
#include "services/rpc/gateway_codec.h"
#include "services/rpc/observer.h"
#include "twintree/gateway/v1/gateway_service.grpc.pb.h"

namespace twintree::rpc {

class GatewayServerStream final
    : public grpc::ServerBidiReactor<gateway_pb::ConnectRequest, gateway_pb::ConnectResponse>,
      public directory::Interest,
      public std::enable_shared_from_this<GatewayServerStream> {
 public:
  using Closed = std::function<void(GatewayServerStream*)>;

  GatewayServerStream(std::shared_ptr<directory::Directory> directory, ObservedCall call,
                      Closed closed)
      : directory_(std::move(directory)), call_(std::move(call)), closed_(std::move(closed)) {}

  // Says hello and reads. `max_age` zero: for ever.
  void Start(std::chrono::milliseconds max_age);
  // Asks the gateway to open another stream and to close this one.
  void Retire();

  // Has operation `id` been cancelled, or the gateway gone?
  bool IsLost(std::uint64_t id) const override;

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  class Search;

  void HandleMessage();
  void HandleChunk();
  void Dispatch(gateway_pb::Operation* operation, std::chrono::steady_clock::time_point now);
  void DispatchSearch(std::uint64_t id, const directory::RequestContext& context,
                      gateway_pb::Operation* operation);
  template <typename Request, typename Method>
  void DispatchSimple(std::uint64_t id, const directory::RequestContext& context,
                      model::Result<Request> request, Method method);
  void GrantCredit(std::uint64_t id, std::uint64_t bytes);
  void Cancel(std::uint64_t id);
  void RememberCancellation(std::uint64_t id);  // REQUIRES: mutex_ is held

  directory::SearchSink::Flow AppendEntry(Search* search, std::string_view dn,
                                          std::span<const std::string_view> pieces);
  void FlushEntries();
  void EndSearch(Search* search, directory::SearchOutcome outcome);
  template <typename AnyOutcome>
  void AppendOutcome(std::uint64_t id, AnyOutcome outcome);
  void AppendError(std::uint64_t id, model::Error error);

  // What is to be done once mutex_ is released.
  struct Todo {
    gateway_pb::ConnectResponse* write = nullptr;
    std::optional<grpc::Status> finish;
  };
  // Where the next words about an operation go: into the last event, if that is about it too.
  gateway_pb::Event* EventOf(std::uint64_t id);  // REQUIRES: mutex_ is held
  Todo Next();                                   // REQUIRES: mutex_ is held
  gateway_pb::ConnectResponse* BeginWrite();     // REQUIRES: mutex_ is held
  void Do(Todo todo);
  void Fail(grpc::Status status);

  const std::shared_ptr<directory::Directory> directory_;
  const ObservedCall call_;
  const Closed closed_;

  // Touched by one gRPC reaction at a time.
  std::shared_ptr<GatewayServerStream> self_;
  gateway_pb::ConnectRequest incoming_;
  bool greeted_ = false;
  std::string chunks_;
  grpc::Alarm age_alarm_;

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  BatchQueue<gateway_pb::ConnectResponse> queue_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Search>> searches_;
  std::vector<std::uint64_t> stalled_;  // searches paused because of queue_, not for their credit
  // Cancelled operations that are no searches. One that had ended already is not forgotten before
  // many others have come: that is what the order is for.
  std::unordered_set<std::uint64_t> lost_;
  std::deque<std::uint64_t> lost_order_;
  std::size_t under_way_ = 0;
  std::uint32_t handled_ = 0;  // messages, since the gateway was told last
  bool corked_ = false;        // a message is being handled: let its answers gather
  bool reads_done_ = false;
  bool cancelled_ = false;
  bool finished_ = false;
  std::optional<grpc::Status> failure_;
  int status_code_ = 0;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_GATEWAY_SERVER_STREAM_H_
