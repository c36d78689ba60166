#include "services/rpc/grpc_setup.h"

#include <absl/synchronization/mutex.h>
#include <grpc/grpc.h>

namespace twintree::rpc {

void SetUpGrpc() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  grpc_init();
}

}  // namespace twintree::rpc
