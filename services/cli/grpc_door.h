// The gRPC door as settings describe it.
#ifndef TWINTREE_SERVICES_CLI_GRPC_DOOR_H_
#define TWINTREE_SERVICES_CLI_GRPC_DOOR_H_

#include <memory>

#include "services/cli/settings.h"
#include "services/directory/directory.h"
#include "services/directory/engine/local_directory.h"
#include "services/metrics/grpc_metrics.h"
#include "services/model/result.h"
#include "services/rpc/grpc_server.h"

namespace twintree::cli {

// What the settings come to, with the gateways' token read; nothing is opened.
// Errors: kOther, naming flags and values.
model::Result<rpc::GrpcServerOptions> PlanGrpcDoor(const GrpcSettings& settings,
                                                   const TlsSettings& tls);

// Listens, not yet serving; logs `listening`. `directory` is asked, `engine` knows the passwords.
// Errors: kOther, naming what cannot be used.
model::Result<std::unique_ptr<rpc::GrpcServer>> StartGrpcDoor(
    rpc::GrpcServerOptions plan, std::shared_ptr<directory::Directory> directory,
    std::shared_ptr<const directory::LocalDirectory> engine,
    std::shared_ptr<metrics::GrpcMetrics> metrics);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_GRPC_DOOR_H_
