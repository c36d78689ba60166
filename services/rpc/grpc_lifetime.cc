#include "services/rpc/grpc_lifetime.h"

#include <grpc/grpc.h>

namespace twintree::rpc {

void KeepGrpcUntilExit() { grpc_init(); }

}  // namespace twintree::rpc
