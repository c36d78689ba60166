// Settings of the gRPC library for a whole process.
#ifndef TWINTREE_SERVICES_RPC_GRPC_SETUP_H_
#define TWINTREE_SERVICES_RPC_GRPC_SETUP_H_

namespace twintree::rpc {

// To be called once, before anything else of gRPC is used.
//
// - Leaves gRPC set up until the process ends. Otherwise it is taken down with its last object,
//   which may wait for ten seconds: as long as a thread of its polls for a connection that had to
//   wait for its reader, although the connection is closed by then.
// - Switches off the search for deadlocks in the mutexes of Abseil, which gRPC uses. Debian builds
//   Abseil with it, so each lock taken while another is held would go through one graph of all
//   mutexes, under one lock for all threads.
void SetUpGrpc();

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_GRPC_SETUP_H_
