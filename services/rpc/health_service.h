// The gRPC health service: one status a service name, and "" for the server as a whole.
//
// Check answers NOT_FOUND for a name it does not know; Watch answers SERVICE_UNKNOWN and goes on.
// Everything starts as NOT_SERVING. (gRPC's own service starts as SERVING, keeps Watch streams open
// while the server drains, and cannot be described by reflection.)
//
// Thread-safety: safe.
// Source: gRPC health checking protocol.
#ifndef TWINTREE_SERVICES_RPC_HEALTH_SERVICE_H_
#define TWINTREE_SERVICES_RPC_HEALTH_SERVICE_H_

#include <memory>
#include <string>
#include <vector>

namespace grpc {
class Service;
}

namespace twintree::rpc {

class HealthService {
 public:
  // `names`: every name with a status, "" included by itself.
  static std::unique_ptr<HealthService> Make(const std::vector<std::string>& names);
  virtual ~HealthService() = default;

  virtual grpc::Service* service() = 0;
  // Of all names at once; watchers are told.
  virtual void SetServing(bool serving) = 0;
  // NOT_SERVING for good; Watch streams are told and ended.
  virtual void ShutDown() = 0;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_HEALTH_SERVICE_H_
