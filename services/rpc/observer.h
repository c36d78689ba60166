// Lets something that counts (services/metrics) watch calls without this library knowing it.
#ifndef TWINTREE_SERVICES_RPC_OBSERVER_H_
#define TWINTREE_SERVICES_RPC_OBSERVER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "services/model/result.h"
#include "services/rpc/call_log.h"

namespace twintree::rpc {

// A method that the server offers, in the words of the usual gRPC metrics.
struct RpcMethod {
  std::string_view service;  // "twintree.directory.v1.DirectoryService"
  std::string_view name;     // "GetEntry"
  std::string_view type;     // "unary", "server_stream" or "bidi_stream"
};

inline constexpr std::string_view kDirectoryServiceName = "twintree.directory.v1.DirectoryService";
inline constexpr std::string_view kGatewayServiceName = "twintree.gateway.v1.GatewayService";

// The methods by name; also the index into AllRpcMethods().
enum class MethodId {
  kAuthenticate,
  kGetEntry,
  kSearchEntries,
  kCompareEntry,
  kCreateEntry,
  kModifyEntry,
  kDeleteEntry,
  kRenameEntry,
  kChangePassword,
  kConnect,
};

// Every method there is, for counters that start at zero.
std::span<const RpcMethod> AllRpcMethods();

// Status code 5 -> "NotFound", as grpc_server_handled_total{grpc_code} spells it.
std::string_view GrpcCodeName(int code);

// Is told of each call. Every OnStarted is followed by exactly one OnHandled.
//
// Thread-safety: implementations must be safe; they must not block.
class RpcObserver {
 public:
  virtual ~RpcObserver() = default;
  virtual void OnStarted(const RpcMethod& method) = 0;
  virtual void OnHandled(const RpcMethod& method, int code, std::chrono::nanoseconds duration) = 0;
};

// One call under observation. `observer` may be null; otherwise it must outlive this. `log` may be
// null.
//
// Thread-safety: compatible.
class ObservedCall {
 public:
  ObservedCall(RpcObserver* observer, MethodId method, std::shared_ptr<CallLog> log = nullptr)
      : observer_(observer),
        method_(&AllRpcMethods()[static_cast<std::size_t>(method)]),
        log_(std::move(log)) {
    if (observer_ == nullptr) return;
    begin_ = std::chrono::steady_clock::now();
    observer_->OnStarted(*method_);
  }
  // REQUIRES: called once.
  void Handled(int code) const {
    if (log_ != nullptr) log_->End(code);
    if (observer_ != nullptr) {
      observer_->OnHandled(*method_, code, std::chrono::steady_clock::now() - begin_);
    }
  }

  void SetSubject(std::string_view dn) const {
    if (log_ != nullptr) log_->SetSubject(dn);
  }
  void SetResult(model::ResultCode code, std::string_view diagnostic,
                 std::uint64_t entries = 0) const {
    if (log_ != nullptr) log_->SetResult(code, diagnostic, entries);
  }

 private:
  RpcObserver* observer_;
  const RpcMethod* method_;
  std::shared_ptr<CallLog> log_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_OBSERVER_H_
