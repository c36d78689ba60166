// How long the gRPC library stays set up.
#ifndef TWINTREE_SERVICES_RPC_GRPC_LIFETIME_H_
#define TWINTREE_SERVICES_RPC_GRPC_LIFETIME_H_

namespace twintree::rpc {

// Leaves gRPC set up until the process ends. Otherwise it is taken down with its last object, which
// may wait for ten seconds: as long as a thread of its polls for a connection that had to wait for
// its reader, although the connection is closed by then.
void KeepGrpcUntilExit();

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_GRPC_LIFETIME_H_
