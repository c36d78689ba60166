// Takes gRPC's and protocol buffers' own messages away from standard error, where they would stand
// between events.
#ifndef TWINTREE_SERVICES_RPC_GRPC_LOG_H_
#define TWINTREE_SERVICES_RPC_GRPC_LOG_H_

#include <string_view>

namespace twintree::rpc {

// `sink` gets what gRPC has to say from now on, for the whole process: failed handshakes, ports
// that are taken and the like. `place` is file and line in gRPC. Called from any thread; must not
// block.
using GrpcLogSink = void (*)(std::string_view text, std::string_view place);
void RouteGrpcLog(GrpcLogSink sink);

// The same for protocol buffers, which write a line for each request whose text is no UTF-8: what
// any client can cause, as often as it likes.
void RouteProtobufLog(GrpcLogSink sink);

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_GRPC_LOG_H_
