#include "services/log/peer.h"

#include <netdb.h>
#include <sys/socket.h>

namespace twintree::log {

std::string PeerOf(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  char host[NI_MAXHOST];
  char port[NI_MAXSERV];
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      address.ss_family == AF_UNIX ||
      getnameinfo(reinterpret_cast<sockaddr*>(&address), size, host, sizeof host, port, sizeof port,
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return {};
  }
  const bool v6 = address.ss_family == AF_INET6;
  return (v6 ? "[" : "") + std::string(host) + (v6 ? "]:" : ":") + port;
}

}  // namespace twintree::log
