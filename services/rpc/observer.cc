#include "services/rpc/observer.h"

#include <array>

namespace twintree::rpc {
namespace {

constexpr std::array<RpcMethod, 10> kMethods = {{
    {kDirectoryServiceName, "Authenticate", "unary"},
    {kDirectoryServiceName, "GetEntry", "unary"},
    {kDirectoryServiceName, "SearchEntries", "server_stream"},
    {kDirectoryServiceName, "CompareEntry", "unary"},
    {kDirectoryServiceName, "CreateEntry", "unary"},
    {kDirectoryServiceName, "ModifyEntry", "unary"},
    {kDirectoryServiceName, "DeleteEntry", "unary"},
    {kDirectoryServiceName, "RenameEntry", "unary"},
    {kDirectoryServiceName, "ChangePassword", "unary"},
    {kGatewayServiceName, "Connect", "bidi_stream"},
}};

constexpr std::array<std::string_view, 17> kCodeNames = {
    "OK",       "Canceled",        "Unknown",          "InvalidArgument",   "DeadlineExceeded",
    "NotFound", "AlreadyExists",   "PermissionDenied", "ResourceExhausted", "FailedPrecondition",
    "Aborted",  "OutOfRange",      "Unimplemented",    "Internal",          "Unavailable",
    "DataLoss", "Unauthenticated",
};

}  // namespace

std::span<const RpcMethod> AllRpcMethods() { return kMethods; }

std::string_view GrpcCodeName(int code) {
  if (code < 0 || static_cast<std::size_t>(code) >= kCodeNames.size()) return "Unknown";
  return kCodeNames[static_cast<std::size_t>(code)];
}

}  // namespace twintree::rpc
