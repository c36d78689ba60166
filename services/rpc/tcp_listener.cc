#include "services/rpc/tcp_listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace twintree::rpc {
namespace {

using std::chrono::milliseconds;

struct HostPort {
  std::string host;
  std::uint16_t port = 0;
};

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  sockaddr_in& v4() { return reinterpret_cast<sockaddr_in&>(storage); }
  sockaddr_in6& v6() { return reinterpret_cast<sockaddr_in6&>(storage); }
  bool is_v6() const { return storage.ss_family == AF_INET6; }
  bool IsWildcard() {
    return is_v6() ? IN6_IS_ADDR_UNSPECIFIED(&v6().sin6_addr) : v4().sin_addr.s_addr == INADDR_ANY;
  }
  std::uint16_t port() { return ntohs(is_v6() ? v6().sin6_port : v4().sin_port); }
  void set_port(std::uint16_t port) { (is_v6() ? v6().sin6_port : v4().sin_port) = htons(port); }
};

std::optional<HostPort> ParseHostPort(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find_first_of(":[]") != std::string_view::npos) {
    return std::nullopt;
  }
  HostPort result{std::string(host), 0};
  const char* const end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, result.port);
  if (host.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return result;
}

SocketAddress Wildcard(int family, std::uint16_t port) {
  SocketAddress address;
  address.storage.ss_family = static_cast<sa_family_t>(family);
  address.size = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  address.set_port(port);
  return address;
}

// In the order of preference. Empty: `*reason` says why.
std::vector<SocketAddress> Resolve(const HostPort& target, std::string* reason) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(target.port);
  const int error = getaddrinfo(target.host.c_str(), port.c_str(), &hints, &found);
  std::vector<SocketAddress> addresses;
  if (error != 0) {
    *reason = gai_strerror(error);
    return addresses;
  }
  for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
    if (info->ai_family != AF_INET && info->ai_family != AF_INET6) continue;
    SocketAddress& address = addresses.emplace_back();
    std::memcpy(&address.storage, info->ai_addr, info->ai_addrlen);
    address.size = info->ai_addrlen;
  }
  freeaddrinfo(found);
  if (addresses.empty()) *reason = "no IP address";
  return addresses;
}

// Listens and puts the port in use into `address`; 0 or errno.
int ListenAt(SocketAddress* address, bool dual_stack, milliseconds user_timeout,
             OwnedFd* listening) {
  OwnedFd fd(socket(address->storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (fd.get() < 0) return errno;
  const int on = 1;
  const int v6_only = dual_stack ? 0 : 1;
  const unsigned int timeout = static_cast<unsigned int>(user_timeout.count());
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address->is_v6() &&
      setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &v6_only, sizeof v6_only) != 0) {
    return errno;
  }
  // Accepted sockets inherit these.
  setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout);
  if (bind(fd.get(), address->get(), address->size) != 0 || listen(fd.get(), SOMAXCONN) != 0 ||
      getsockname(fd.get(), address->get(), &address->size) != 0) {
    return errno;
  }
  *listening = std::move(fd);
  return 0;
}

// Is this one address of several that this machine cannot serve?
bool IsMissingFamily(int error) { return error == EAFNOSUPPORT || error == EADDRNOTAVAIL; }

int ListenOnWildcard(std::uint16_t port, milliseconds user_timeout, TcpListener* listener) {
  int error = 0;
  for (const int family : {AF_INET6, AF_INET}) {
    SocketAddress address = Wildcard(family, port);
    OwnedFd fd;
    error = ListenAt(&address, true, user_timeout, &fd);
    if (error == 0) {
      listener->port = address.port();
      listener->sockets.push_back(std::move(fd));
    }
    if (!IsMissingFamily(error)) break;
  }
  return error;
}

int ListenOnAll(std::vector<SocketAddress> addresses, milliseconds user_timeout,
                TcpListener* listener) {
  int skipped = 0;
  for (SocketAddress& address : addresses) {
    // What was resolved for port 0 must end up on one port.
    if (listener->port != 0) address.set_port(listener->port);
    OwnedFd fd;
    const int error = ListenAt(&address, false, user_timeout, &fd);
    if (error == 0) {
      listener->port = address.port();
      listener->sockets.push_back(std::move(fd));
    } else if (IsMissingFamily(error)) {
      skipped = error;
    } else {
      return error;
    }
  }
  return listener->sockets.empty() ? skipped : 0;
}

}  // namespace

void OwnedFd::Reset(int fd) {
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
}

model::Result<TcpListener> ListenTcp(const std::string& listen, milliseconds user_timeout) {
  const auto error = [&listen](const std::string& reason) {
    return model::Error{model::ResultCode::kOther,
                        "cannot listen for gRPC on " + listen + ": " + reason, ""};
  };
  const std::optional<HostPort> target = ParseHostPort(listen);
  if (!target) return error("HOST:PORT or [HOST]:PORT is expected");
  std::string reason;
  std::vector<SocketAddress> addresses = Resolve(*target, &reason);
  if (addresses.empty()) return error(reason);
  TcpListener listener;
  const int failed = addresses.front().IsWildcard()
                         ? ListenOnWildcard(target->port, user_timeout, &listener)
                         : ListenOnAll(std::move(addresses), user_timeout, &listener);
  if (failed != 0) return error(std::strerror(failed));
  return listener;
}

}  // namespace twintree::rpc
