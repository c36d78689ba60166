// gRPC credentials from TLS settings.
#ifndef TWINTREE_SERVICES_RPC_CREDENTIALS_H_
#define TWINTREE_SERVICES_RPC_CREDENTIALS_H_

#include <memory>
#include <optional>

#include "services/model/result.h"
#include "services/rpc/tls_options.h"

namespace grpc {
class ChannelArguments;
class ChannelCredentials;
class ServerCredentials;
}  // namespace grpc

namespace twintree::rpc {

// Can the files be used? Errors: kOther, naming the one that cannot.
model::Status CheckTlsFiles(const ClientTls& tls);

// Plain text without `tls`. Errors: kOther, naming the file that cannot be read or does not fit.
model::Result<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(
    const std::optional<ServerTls>& tls);

// The same for a client; sets the expected name in `arguments`.
model::Result<std::shared_ptr<grpc::ChannelCredentials>> MakeChannelCredentials(
    const std::optional<ClientTls>& tls, grpc::ChannelArguments* arguments);

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_CREDENTIALS_H_
