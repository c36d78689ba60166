// The LDAP door's sockets: listeners, threads, TLS, deadlines.
//
//   TT_ASSIGN_OR_RETURN(auto server, ldap::LdapServer::Start(options, directory));
//   ...
//   server->Drain(std::chrono::seconds(20));
//
// Each thread has its own event loop and its own listening sockets; a connection stays on the
// thread that accepted it. No thread blocks: what the directory cannot answer at once it answers
// from elsewhere.
//
// Thread-safety: compatible; Drain() may be called while others read addresses().
#ifndef TWINTREE_LDAP_GATEWAY_NET_LDAP_SERVER_H_
#define TWINTREE_LDAP_GATEWAY_NET_LDAP_SERVER_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ldap_gateway/limits.h"
#include "ldap_gateway/net/listener.h"
#include "ldap_gateway/net/tls_context.h"
#include "ldap_gateway/session/door.h"
#include "services/directory/directory.h"
#include "services/model/result.h"

namespace twintree::ldap {

// 0 switches an idle timeout off; the others must be positive.
struct LdapTimeouts {
  std::chrono::milliseconds idle = kIdleTimeout;
  std::chrono::milliseconds read = kReadTimeout;  // of one message, see limits.h
  std::chrono::milliseconds write = kWriteTimeout;
  std::chrono::milliseconds handshake = kHandshakeTimeout;
};

struct LdapServerOptions {
  std::vector<std::string> ldap_listen;   // HOST:PORT
  std::vector<std::string> ldaps_listen;  // HOST:PORT; needs tls
  std::vector<std::string> ldapi_listen;  // paths of Unix sockets
  unsigned ldapi_mode = 0777;             // of their files: who may write may connect
  std::size_t threads = 1;                // at least 1
  TlsOptions tls;                         // enabled: StartTLS is offered
  LdapTimeouts timeouts;
  std::size_t max_connections = kMaxConnections;
  SessionLimits limits;
  std::shared_ptr<ConnectionObserver> observer;  // may be null
};

class LdapServer {
 public:
  // Listens and serves. Logs one event `listening` for each address.
  // Errors: kOther for an address, a certificate or an option that cannot be used, in words.
  static model::Result<std::unique_ptr<LdapServer>> Start(
      const LdapServerOptions& options, std::shared_ptr<directory::Directory> directory);

  // Cuts off whoever is left.
  ~LdapServer();

  // Where clients can connect, real port numbers included.
  const std::vector<BoundAddress>& addresses() const { return addresses_; }
  std::size_t connections() const;
  // When the certificate in use ends; nullopt without TLS.
  std::optional<std::chrono::system_clock::time_point> certificate_not_after() const;
  // Reads the certificate's files again if they have changed, now instead of within ten seconds.
  void ReloadCertificate();

  // Stops listening, closes idle sessions, lets the others finish what is under way, and cuts off
  // who is left after `limit`, with a Notice of Disconnection; for taking that there is half a
  // second more. Returns when all is closed. Idempotent.
  void Drain(std::chrono::milliseconds limit);

 private:
  class Impl;
  explicit LdapServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
  std::vector<BoundAddress> addresses_;
};

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_NET_LDAP_SERVER_H_
