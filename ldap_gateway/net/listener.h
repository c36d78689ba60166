// Listening sockets: from what the settings say to descriptors, one set a thread.
#ifndef TWINTREE_LDAP_GATEWAY_NET_LISTENER_H_
#define TWINTREE_LDAP_GATEWAY_NET_LISTENER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ldap_gateway/session/observer.h"
#include "services/model/result.h"

namespace twintree::ldap {

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
  int Release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  void Reset(int fd);
  int fd_;
};

struct HostPort {
  std::string host;  // empty: every address of the machine
  std::uint16_t port = 0;
};
// "127.0.0.1:1389", "localhost:0", "[::1]:389", ":389", "*:389".
// Errors: kOther, naming the text.
model::Result<HostPort> ParseHostPort(std::string_view text);

// Where clients can connect.
struct BoundAddress {
  Transport transport = Transport::kLdap;
  std::string address;     // "127.0.0.1:1389", "[::1]:1389" or a path
  std::uint16_t port = 0;  // 0 for a path
};

// One place to listen at: `sockets` are as many as asked for, all on the same address.
struct Listener {
  BoundAddress bound;
  std::vector<OwnedFd> sockets;
};

// Listens on all addresses of `host_port`, with `count` SO_REUSEPORT sockets each. Port 0 is the
// same port everywhere.
// Errors: kOther for what cannot be resolved, is in use or not permitted; names protocol and
// address.
model::Result<std::vector<Listener>> ListenTcp(Transport transport, std::string_view host_port,
                                               std::size_t count);
// Listens on a Unix socket whose file has the permissions `mode`, whatever the umask. A socket that
// a dead process left is replaced.
model::Result<Listener> ListenUnix(const std::string& path, std::size_t count, unsigned mode);

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_NET_LISTENER_H_
