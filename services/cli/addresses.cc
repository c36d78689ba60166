#include "services/cli/addresses.h"

#include <sys/un.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "ldap_gateway/net/listener.h"

namespace twintree::cli {

using model::Error;
using model::ResultCode;
using model::Status;

namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::size_t kMostPath = sizeof(sockaddr_un::sun_path) - 1;

Error Wrong(const std::string& flag, const std::string& text, const std::string& what) {
  return {ResultCode::kOther, flag + " '" + text + "' " + what, ""};
}

bool HasScheme(std::string_view target) {
  constexpr std::array<std::string_view, 6> kSchemes = {
      "dns:", "ipv4:", "ipv6:", kUnix, "unix-abstract:", "xds:",
  };
  return std::any_of(kSchemes.begin(), kSchemes.end(),
                     [target](std::string_view scheme) { return target.starts_with(scheme); });
}

}  // namespace

Status CheckListenAddress(const std::string& flag, const std::string& text) {
  if (ldap::ParseHostPort(text).ok()) return model::OkStatus();
  return Wrong(flag, text, "is no address to listen on: HOST:PORT is expected");
}

model::Result<std::string> GrpcListenAddress(const std::string& flag, const std::string& text) {
  if (text.starts_with(kUnix)) {
    TT_RETURN_IF_ERROR(CheckSocketPath(flag, text.substr(kUnix.size())));
    return text;
  }
  const auto parsed = ldap::ParseHostPort(text);
  if (!parsed.ok()) {
    return Wrong(flag, text, "is no address to listen on: HOST:PORT or unix:PATH is expected");
  }
  return parsed->host.empty() ? "[::]:" + std::to_string(parsed->port) : text;
}

Status CheckSocketPath(const std::string& flag, const std::string& path) {
  if (!path.empty() && path.size() <= kMostPath) return model::OkStatus();
  return Wrong(
      flag, path,
      "is no path of a socket: it must have 1 to " + std::to_string(kMostPath) + " octets");
}

Status CheckServerAddress(const std::string& flag, const std::string& text) {
  if (HasScheme(text)) return model::OkStatus();
  const auto parsed = ldap::ParseHostPort(text);
  if (parsed.ok() && !parsed->host.empty() && parsed->port != 0) return model::OkStatus();
  return Wrong(flag, text, "is no address of a server: HOST:PORT is expected");
}

std::string WithTlsHint(const std::string& reason, const std::string& flag, bool tls) {
  if (!tls && reason.find("Socket closed") != std::string::npos) {
    return reason + "; if the server takes TLS only, give " + flag;
  }
  if (tls && reason.find("wrong version number") != std::string::npos) {
    return reason + "; if the server speaks plain text only, leave " + flag + " out";
  }
  if (tls && reason.find("certificate verify failed") != std::string::npos) {
    return reason + "; the server's certificate is of no authority in " + flag +
           ", or is not valid at this time";
  }
  return reason;
}

}  // namespace twintree::cli
