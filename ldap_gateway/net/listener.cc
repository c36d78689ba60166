#include "ldap_gateway/net/listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <utility>

namespace twintree::ldap {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;

constexpr int kBacklog = 4096;

Error Failed(std::string message) { return Error{ResultCode::kOther, std::move(message), {}}; }

struct AddrInfoDeleter {
  void operator()(addrinfo* info) const { freeaddrinfo(info); }
};
using AddrInfoPtr = std::unique_ptr<addrinfo, AddrInfoDeleter>;

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  std::uint16_t port() const {
    return ntohs(storage.ss_family == AF_INET6
                     ? reinterpret_cast<const sockaddr_in6&>(storage).sin6_port
                     : reinterpret_cast<const sockaddr_in&>(storage).sin_port);
  }
  void set_port(std::uint16_t port) {
    if (storage.ss_family == AF_INET6) {
      reinterpret_cast<sockaddr_in6&>(storage).sin6_port = htons(port);
    } else {
      reinterpret_cast<sockaddr_in&>(storage).sin_port = htons(port);
    }
  }
  std::string text() const {
    char host[NI_MAXHOST] = "?";
    getnameinfo(get(), size, host, sizeof host, nullptr, 0, NI_NUMERICHOST);
    const std::string name =
        storage.ss_family == AF_INET6 ? "[" + std::string(host) + "]" : std::string(host);
    return name + ":" + std::to_string(port());
  }
};

Error CannotListen(Transport transport, std::string_view where, std::string_view reason) {
  const char* name = "LDAP";
  if (transport == Transport::kLdaps) name = "LDAPS";
  if (transport == Transport::kLdapi) name = "LDAP over a Unix socket";
  return Failed(std::string("cannot listen for ") + name + " on " + std::string(where) + ": " +
                std::string(reason));
}

Result<AddrInfoPtr> Resolve(Transport transport, const HostPort& target, std::string_view text) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(target.port);
  const char* host = target.host.empty() ? nullptr : target.host.c_str();
  const int error = getaddrinfo(host, port.c_str(), &hints, &found);
  if (error != 0) {
    return CannotListen(transport, text, gai_strerror(error));
  }
  return AddrInfoPtr(found);
}

// A bound socket, or errno in the second member.
std::pair<OwnedFd, int> Bind(const SocketAddress& address, bool reuse_port) {
  OwnedFd fd(socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  if (fd.get() < 0) return {OwnedFd(), errno};
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (reuse_port) setsockopt(fd.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  if (address.storage.ss_family == AF_INET6) {
    setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  }
  if (bind(fd.get(), address.get(), address.size) != 0) return {OwnedFd(), errno};
  return {std::move(fd), 0};
}

// Sockets that share a port with SO_REUSEPORT would also share it with a second server that was
// started by mistake; a plain bind tells.
int ProbeFree(const SocketAddress& address) {
  return address.port() == 0 ? 0 : Bind(address, false).second;
}

Result<Listener> ListenAt(Transport transport, SocketAddress address, std::size_t count,
                          int* error) {
  Listener listener;
  *error = ProbeFree(address);
  for (std::size_t i = 0; i < count && *error == 0; ++i) {
    std::pair<OwnedFd, int> bound = Bind(address, true);
    const OwnedFd& fd = bound.first;
    *error = bound.second;
    if (*error == 0 && listen(fd.get(), kBacklog) != 0) *error = errno;
    if (*error == 0 && address.port() == 0) {
      if (getsockname(fd.get(), address.get(), &address.size) != 0) *error = errno;
    }
    listener.sockets.push_back(std::move(bound.first));
  }
  if (*error != 0) {
    return CannotListen(transport, address.text(), std::strerror(*error));
  }
  listener.bound = {transport, address.text(), address.port()};
  return listener;
}

// Is this one address of several that this machine cannot serve?
bool IsMissingFamily(int error) { return error == EAFNOSUPPORT || error == EADDRNOTAVAIL; }

// Removes what a dead process left at `path`; an error if a living one listens there.
model::Status RemoveStale(const std::string& path, const sockaddr_un& address) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return model::OkStatus();
  if (!S_ISSOCK(status.st_mode)) {
    return CannotListen(Transport::kLdapi, path, "there is a file that is no socket");
  }
  const OwnedFd probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return CannotListen(Transport::kLdapi, path, std::strerror(EADDRINUSE));
  }
  if (errno != ECONNREFUSED || unlink(path.c_str()) != 0) {
    return CannotListen(Transport::kLdapi, path, std::strerror(errno));
  }
  return model::OkStatus();
}

}  // namespace

void OwnedFd::Reset(int fd) {
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
}

Result<HostPort> ParseHostPort(std::string_view text) {
  const Error error =
      Failed("\"" + std::string(text) + "\" is no address to listen on: HOST:PORT is expected");
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return error;
  std::string_view host = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find_first_of(":[]") != std::string_view::npos) {
    return error;
  }
  HostPort result;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, result.port);
  if (digits.empty() || parsed.ec != std::errc() || parsed.ptr != end) return error;
  if (host != "*") result.host = host;
  return result;
}

Result<std::vector<Listener>> ListenTcp(Transport transport, std::string_view host_port,
                                        std::size_t count) {
  TT_ASSIGN_OR_RETURN(HostPort target, ParseHostPort(host_port));
  TT_ASSIGN_OR_RETURN(const AddrInfoPtr found, Resolve(transport, target, host_port));
  std::vector<Listener> listeners;
  std::optional<Error> skipped;
  for (const addrinfo* info = found.get(); info != nullptr; info = info->ai_next) {
    SocketAddress address;
    std::memcpy(&address.storage, info->ai_addr, info->ai_addrlen);
    address.size = info->ai_addrlen;
    if (!listeners.empty() && target.port == 0) address.set_port(listeners[0].bound.port);
    int error = 0;
    auto listener = ListenAt(transport, address, count, &error);
    if (listener.ok()) {
      listeners.push_back(*std::move(listener));
    } else if (IsMissingFamily(error)) {
      skipped = listener.error();
    } else {
      return listener.error();
    }
  }
  if (listeners.empty()) return *skipped;
  return listeners;
}

Result<Listener> ListenUnix(const std::string& path, std::size_t count, unsigned mode) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return CannotListen(
        Transport::kLdapi, path,
        "the path must have 1 to " + std::to_string(sizeof address.sun_path - 1) + " octets");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  TT_RETURN_IF_ERROR(RemoveStale(path, address));
  OwnedFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (fd.get() < 0 ||
      bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      chmod(path.c_str(), static_cast<mode_t>(mode)) != 0 ||  // nobody connects before listen()
      listen(fd.get(), kBacklog) != 0) {
    return CannotListen(Transport::kLdapi, path, std::strerror(errno));
  }
  Listener listener{{Transport::kLdapi, path, 0}, {}};
  for (std::size_t i = 1; i < count; ++i) {
    OwnedFd copy(fcntl(fd.get(), F_DUPFD_CLOEXEC, 0));
    if (copy.get() < 0) return CannotListen(Transport::kLdapi, path, std::strerror(errno));
    listener.sockets.push_back(std::move(copy));
  }
  listener.sockets.push_back(std::move(fd));
  return listener;
}

}  // namespace twintree::ldap
