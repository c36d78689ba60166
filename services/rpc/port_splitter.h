// One port for TLS, plain text or both: accepts connections and tells them apart by their first
// octet.
//
// 0x16 opens a TLS record with a handshake (RFC 8446 5.1). HTTP/2 in plain text begins with "PRI"
// (RFC 9113 3.4), so the two cannot be mistaken for each other; whatever is not TLS is handed to
// the plain side, which knows how to refuse it. The octet is only peeked at: who takes a connection
// reads it from its beginning.
//
// One thread of its own, which never waits for a client. A client that sends nothing is closed
// after `first_octet_limit`; when `max_undecided` clients have sent nothing yet, the one that has
// waited longest is closed for the next, so idle connections keep nobody out. Connections that
// would take the descriptors which `kept_descriptors` leaves to others are closed at once. Without
// descriptors for new connections it logs `accept_failed` and tries again soon.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_PORT_SPLITTER_H_
#define TWINTREE_SERVICES_RPC_PORT_SPLITTER_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "services/model/result.h"
#include "services/rpc/tcp_listener.h"

namespace twintree::rpc {

struct PortSplitterOptions {
  // Takes a connected, non-blocking socket that came in through the socket `listener`. Called on
  // the splitter's thread; must not block.
  using Take = std::function<void(OwnedFd connection, int listener)>;
  Take take_tls;
  Take take_plain;
  std::chrono::milliseconds first_octet_limit{20000};
  std::size_t max_undecided = 1024;  // at least 1
  // So many of the process's descriptors, its limit at the start being what counts.
  std::size_t kept_descriptors = 0;
};

class PortSplitter {
 public:
  // Errors: kOther when the process is out of descriptors.
  static model::Result<std::unique_ptr<PortSplitter>> Start(TcpListener listener,
                                                            PortSplitterOptions options);
  // Stops.
  virtual ~PortSplitter() = default;

  // Stops listening and closes who has sent nothing yet. Afterwards nothing is handed over any
  // more. Idempotent; not from `take_tls` or `take_plain`.
  virtual void Stop() = 0;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_PORT_SPLITTER_H_
