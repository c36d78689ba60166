// A TCP connection of a client that speaks neither TLS nor HTTP/2 unless a test makes it.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_RPC_RAW_CONNECTION_H_
#define TWINTREE_TESTS_UNIT_SERVICES_RPC_RAW_CONNECTION_H_

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <string_view>

#include "services/rpc/tcp_listener.h"
#include "tests/unit/services/rpc/fake_directory.h"

namespace twintree::rpc {

class RawConnection {
 public:
  // The socket only.
  RawConnection() : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{kPatience.count(), 0};
    setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  explicit RawConnection(int port) : RawConnection() { Connect(port); }

  // To 127.0.0.1.
  bool Connect(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  bool Send(std::string_view octets) const {
    return send(fd_.get(), octets.data(), octets.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(octets.size());
  }
  // Reads until the peer closes or resets; false when it does neither in time.
  bool WaitUntilClosed() const {
    char octets[4096];
    ssize_t count = 0;
    do {
      count = recv(fd_.get(), octets, sizeof octets, 0);
    } while (count > 0);
    return count == 0 || errno == ECONNRESET;
  }

 private:
  OwnedFd fd_;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_TESTS_UNIT_SERVICES_RPC_RAW_CONNECTION_H_
