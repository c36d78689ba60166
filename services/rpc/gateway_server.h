// The directory's end of the gateway streams: operations in, events out.
//
// See proto/twintree/gateway/v1/gateway_service.proto for the protocol.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_GATEWAY_SERVER_H_
#define TWINTREE_SERVICES_RPC_GATEWAY_SERVER_H_

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "services/directory/directory.h"
#include "services/model/secret.h"
#include "services/rpc/observer.h"

namespace grpc {
class Service;
}

namespace twintree::rpc {

struct GatewayServerOptions {
  // What a gateway must show. Empty: tokens are not accepted.
  model::Secret token;
  // Names in client certificates (DNS or URI alternative names, or the common name) that are
  // gateways. "*": every certificate that the TLS layer has verified. Empty: certificates are not
  // enough.
  std::vector<std::string> certificate_names;
  // A stream is asked to retire after this; zero: never.
  std::chrono::milliseconds max_stream_age{0};
  RpcObserver* observer = nullptr;  // may be null

  // Otherwise there is nobody to serve, and the service should not be offered.
  bool enabled() const { return !token.empty() || !certificate_names.empty(); }
};

class GatewayServer {
 public:
  static std::unique_ptr<GatewayServer> Make(std::shared_ptr<directory::Directory> directory,
                                             GatewayServerOptions options);
  virtual ~GatewayServer() = default;

  // To be registered; owned by this object.
  virtual grpc::Service* service() = 0;
  // Asks every gateway to leave, and refuses new streams.
  virtual void RetireStreams() = 0;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_GATEWAY_SERVER_H_
