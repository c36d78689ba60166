// Listening TCP sockets, for connections that gRPC does not accept itself.
#ifndef TWINTREE_SERVICES_RPC_TCP_LISTENER_H_
#define TWINTREE_SERVICES_RPC_TCP_LISTENER_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "services/model/result.h"

namespace twintree::rpc {

// A descriptor that is closed in the end.
class OwnedFd {
 public:
  explicit OwnedFd(int fd = -1) : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(other.Release()) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    Reset(other.Release());
    return *this;
  }
  ~OwnedFd() { Reset(-1); }

  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  void Reset(int fd);
  int fd_;
};

struct TcpListener {
  std::vector<OwnedFd> sockets;  // non-blocking, all on the same port
  std::uint16_t port = 0;
};

// Listens on all addresses of HOST:PORT or [HOST]:PORT; port 0 is any free one. As with gRPC's own
// listeners, either wildcard address (0.0.0.0, [::]) takes IPv4 and IPv6 where the machine has
// both. Accepted sockets send at once (TCP_NODELAY) and give up a peer that has not acknowledged
// what was sent after `user_timeout`.
//
// Errors: kOther for what cannot be understood or resolved, is in use or not permitted; the message
// names `listen`.
model::Result<TcpListener> ListenTcp(const std::string& listen,
                                     std::chrono::milliseconds user_timeout);

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_TCP_LISTENER_H_
