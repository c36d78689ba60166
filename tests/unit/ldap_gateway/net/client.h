// A blocking LDAP client over real sockets, for tests. Every wait ends after kPatience.
#ifndef TWINTREE_TESTS_UNIT_LDAP_GATEWAY_NET_CLIENT_H_
#define TWINTREE_TESTS_UNIT_LDAP_GATEWAY_NET_CLIENT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ldap_gateway/net/listener.h"
#include "ldap_gateway/net/tls_context.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap::testing {

// For what must come; only a failure waits that long.
inline constexpr std::chrono::seconds kPatience{60};

class Client {
 public:
  // `receive_buffer`: bytes of the socket's buffer; 0: the system's choice.
  explicit Client(const BoundAddress& address, int receive_buffer = 0);
  ~Client();

  // Negotiates TLS; false if that fails. A certificate and key are shown if given.
  bool StartTls(const std::string& certificate_file = {}, const std::string& key_file = {});
  // The same with this version of TLS at most.
  bool StartTlsAtMost(int version);

  void Send(std::string_view octets);
  // Waits for `count` responses.
  std::vector<Response> Receive(std::size_t count);
  std::vector<Response> Exchange(std::string_view octets, std::size_t count = 1) {
    Send(octets);
    return Receive(count);
  }
  // Waits until the server has closed; what came before is in rest(). False after kPatience.
  bool WaitClosed();
  // Has the server closed in order: no reset, and under TLS with a close_notify?
  bool ended_well() const { return ended_well_; }
  // Waits until the server has closed or this many responses are in rest().
  void WaitClosedOr(std::size_t count);
  std::string& rest() { return rest_; }
  int fd() const { return fd_.get(); }

 private:
  // Appends what comes to rest_; false at the end, on an error and after kPatience.
  bool ReadSome();
  bool Handshake();

  OwnedFd fd_;
  std::shared_ptr<SSL_CTX> context_;
  SslPtr ssl_;
  std::string rest_;
  bool timed_out_ = false;
  bool ended_well_ = false;
};

}  // namespace twintree::ldap::testing

#endif  // TWINTREE_TESTS_UNIT_LDAP_GATEWAY_NET_CLIENT_H_
