// The gRPC door: DirectoryService, the gateway's service, health and reflection on one port.
//
//   TT_ASSIGN_OR_RETURN(auto server, GrpcServer::Start(directory, options));
//   server->SetServing(true);      // when the store answers
//   ...
//   server->Drain(std::chrono::seconds(10));
//
// With a certificate the port takes TLS and plain text, told apart by the client's first octet, as
// LDAP's plain port takes StartTLS; so probes and clients without TLS go on working. Only what came
// over TLS can show a client certificate: a plain-text gateway needs the token.
//
// Threads are gRPC's own: half as many as the machine has cores, at least two; and one that accepts
// the connections of a port, which leaves a quarter of the descriptors, at most 2048, to others.
// They never block here; what may take long is the Directory's business.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_GRPC_SERVER_H_
#define TWINTREE_SERVICES_RPC_GRPC_SERVER_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "services/directory/directory.h"
#include "services/model/result.h"
#include "services/model/secret.h"
#include "services/rpc/authenticator.h"
#include "services/rpc/observer.h"
#include "services/rpc/tls_options.h"

namespace twintree::rpc {

struct GrpcServerOptions {
  std::string listen = "127.0.0.1:8389";  // HOST:PORT, [HOST]:PORT or unix:PATH; port 0: any
  std::optional<ServerTls> tls;           // nullopt: plain text
  // With `tls`: is plain text refused? A Unix socket with `tls` always refuses it.
  bool tls_required = false;
  // A connection that is not set up by then, first octet, TLS and HTTP/2 settings, is closed.
  std::chrono::milliseconds handshake_limit{20000};

  // The secret that gateways show. Empty, and no names below: no gateway is served.
  model::Secret gateway_token;
  // Names in client certificates that are gateways; "*": any certificate under tls->client_ca_file.
  std::vector<std::string> gateway_certificate_names;

  AuthenticationOptions authentication;
  bool reflection = true;
  // The largest request of DirectoryService, in bytes. Gateways may send 64 MiB whatever this is.
  std::size_t max_request_bytes = 16u << 20;
  // What gRPC keeps of messages that are not complete yet and of connections, all together. When it
  // is used up, calls that send are broken off (RESOURCE_EXHAUSTED), whoever's they are.
  std::size_t max_transport_bytes = std::size_t{512} << 20;
  // Calls of one connection at a time; its client keeps further ones back.
  int max_calls_per_connection = 256;
  // SearchEntries calls at a time. For one more, that whose answer has waited longest for its
  // reader is cut off, if it has waited for `search_patience`; else the new one is refused.
  std::size_t max_searches = 1024;
  std::chrono::milliseconds search_patience{1000};
  // Clients are asked to connect again after this, a tenth more or less, so that they find servers
  // that were added; gateways change over before, without losing an operation. Calls under way have
  // the grace to end. Zero: never.
  std::chrono::milliseconds max_connection_age{300000};
  std::chrono::milliseconds connection_age_grace{3600000};

  std::shared_ptr<RpcObserver> observer;  // may be null
};

class GrpcServer {
 public:
  // Listens at once, as NOT_SERVING. Errors: kOther when the address is taken or cannot be
  // understood, or TLS files cannot be used; the message names them.
  static model::Result<std::unique_ptr<GrpcServer>> Start(
      std::shared_ptr<directory::Directory> directory, GrpcServerOptions options);
  // That of gRPC, "1.51.1".
  static std::string LibraryVersion();

  // Without Drain() before, cuts off whatever is under way.
  virtual ~GrpcServer() = default;

  // The port in use; 0 for a Unix socket.
  virtual int port() const = 0;
  // As `listen`, with the port in use.
  virtual std::string address() const = 0;

  // What the health service tells.
  virtual void SetServing(bool serving) = 0;

  // NOT_SERVING, no new connections, gateways are asked to leave; waits for what is under way and
  // cuts off what is left after `limit`. Further calls do nothing.
  virtual void Drain(std::chrono::milliseconds limit) = 0;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_GRPC_SERVER_H_
