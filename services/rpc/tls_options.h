// TLS settings of servers and clients: paths of PEM files.
//
// Files are read again when they change, so certificates can be renewed under a running process.
#ifndef TWINTREE_SERVICES_RPC_TLS_OPTIONS_H_
#define TWINTREE_SERVICES_RPC_TLS_OPTIONS_H_

#include <string>

namespace twintree::rpc {

struct ServerTls {
  std::string certificate_file;  // with its chain
  std::string key_file;
  // Certificates of clients are asked for and checked against this. Empty: they are not asked for.
  // A client without one is let in; what it may do is decided by its other credentials.
  std::string client_ca_file;
};

struct ClientTls {
  std::string ca_file;           // empty: the system's
  std::string certificate_file;  // empty: none is shown
  std::string key_file;
  std::string server_name;  // expected in the server's certificate; empty: the target's host
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_TLS_OPTIONS_H_
