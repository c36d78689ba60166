// A non-blocking socket, in clear or under TLS.
//
// Thread-safety: confined.
#ifndef TWINTREE_LDAP_GATEWAY_NET_STREAM_H_
#define TWINTREE_LDAP_GATEWAY_NET_STREAM_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "ldap_gateway/net/tls_context.h"

namespace twintree::ldap {

// How an attempt to read, write or negotiate ended.
enum class IoStatus {
  kDone,       // `bytes` were moved, at least one; or the handshake is complete
  kWantRead,   // try again when the socket is readable
  kWantWrite,  // try again when the socket is writable
  kEnd,        // the peer has closed
  kFailed,     // the connection is of no use any more
};
struct IoResult {
  IoStatus status = IoStatus::kDone;
  std::size_t bytes = 0;
};

// Does not own the descriptor.
class Stream {
 public:
  explicit Stream(int fd) : fd_(fd) {}

  // From here on TLS. Followed by Handshake() until it is done.
  void StartTls(SslPtr ssl) { ssl_ = std::move(ssl); }
  bool tls() const { return ssl_ != nullptr; }
  IoResult Handshake();

  IoResult Read(std::span<char> buffer);
  IoResult Write(std::string_view octets);
  // Have octets been taken from the socket that Read() has not given yet? The socket says nothing
  // about those.
  bool HasBuffered() const { return ssl_ && SSL_has_pending(ssl_.get()) != 0; }
  // Octets that the peer has not yet taken from this machine.
  std::size_t Unacknowledged() const;
  // Has the peer gone, or said that it sends nothing more? Says so even while octets that it sent
  // before are left unread.
  bool PeerHasClosed() const;
  // Tells the peer that nothing more comes.
  void ShutdownWrite();
  // Why the last attempt failed, for logs.
  const std::string& error() const { return error_; }

 private:
  IoResult ReadTls(std::span<char> buffer);
  IoResult TlsStatus(int returned);
  IoResult SocketStatus();

  const int fd_;
  SslPtr ssl_;
  std::string error_;
};

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_NET_STREAM_H_
