// Addresses in settings: are they written as they must be? Nothing is resolved or opened.
//
// Errors: kOther, naming flag and value.
#ifndef TWINTREE_SERVICES_CLI_ADDRESSES_H_
#define TWINTREE_SERVICES_CLI_ADDRESSES_H_

#include <string>

#include "services/model/result.h"

namespace twintree::cli {

// HOST:PORT, [HOST]:PORT, and for every address of the machine :PORT or *:PORT.
model::Status CheckListenAddress(const std::string& flag, const std::string& text);

// The same, or unix:PATH; gives it as gRPC understands it.
model::Result<std::string> GrpcListenAddress(const std::string& flag, const std::string& text);

// The path of a Unix socket, which the kernel bounds.
model::Status CheckSocketPath(const std::string& flag, const std::string& path);

// A server to call: HOST:PORT, [HOST]:PORT, or a name with a scheme of gRPC's, such as
// dns:///directory:8389 or unix:PATH.
model::Status CheckServerAddress(const std::string& flag, const std::string& text);

// `reason`, which a gRPC client gives for not reaching a server, with a hint where one side speaks
// TLS and the other does not. `flag`: the one that makes the client speak it; `tls`: it does.
std::string WithTlsHint(const std::string& reason, const std::string& flag, bool tls);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_ADDRESSES_H_
