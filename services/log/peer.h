// How the log writes the other end of a connection.
#ifndef TWINTREE_SERVICES_LOG_PEER_H_
#define TWINTREE_SERVICES_LOG_PEER_H_

#include <string>

namespace twintree::log {

// Of a connected socket: "192.0.2.1:51000", "[2001:db8::1]:51000", or "" for a Unix socket and one
// that is gone.
std::string PeerOf(int fd);

}  // namespace twintree::log

#endif  // TWINTREE_SERVICES_LOG_PEER_H_
