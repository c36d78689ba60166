#include "ldap_gateway/net/stream.h"

#include <linux/sockios.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "services/tls/openssl_error.h"

namespace twintree::ldap {

IoResult Stream::SocketStatus() {
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {IoStatus::kWantRead, 0};
  if (errno == ECONNRESET || errno == EPIPE) return {IoStatus::kEnd, 0};
  error_ = std::strerror(errno);
  return {IoStatus::kFailed, 0};
}

IoResult Stream::TlsStatus(int returned) {
  switch (SSL_get_error(ssl_.get(), returned)) {
    case SSL_ERROR_WANT_READ: return {IoStatus::kWantRead, 0};
    case SSL_ERROR_WANT_WRITE: return {IoStatus::kWantWrite, 0};
    case SSL_ERROR_ZERO_RETURN: return {IoStatus::kEnd, 0};
    case SSL_ERROR_SYSCALL:
      error_ = errno != 0 ? std::strerror(errno) : "connection closed";
      return {IoStatus::kFailed, 0};
    default: error_ = tls::TakeError(); return {IoStatus::kFailed, 0};
  }
}

IoResult Stream::Handshake() {
  ERR_clear_error();
  errno = 0;
  const int returned = SSL_do_handshake(ssl_.get());
  return returned == 1 ? IoResult{IoStatus::kDone, 0} : TlsStatus(returned);
}

IoResult Stream::Read(std::span<char> buffer) {
  if (ssl_) return ReadTls(buffer);
  const ssize_t n = recv(fd_, buffer.data(), buffer.size(), 0);
  if (n > 0) return {IoStatus::kDone, static_cast<std::size_t>(n)};
  return n == 0 ? IoResult{IoStatus::kEnd, 0} : SocketStatus();
}

IoResult Stream::ReadTls(std::span<char> buffer) {
  std::size_t total = 0;
  // One call gives one record at most; several may have come together.
  do {
    const std::span<char> rest = buffer.subspan(total);
    ERR_clear_error();
    errno = 0;
    const int n = SSL_read(ssl_.get(), rest.data(),
                           static_cast<int>(std::min<std::size_t>(rest.size(), INT_MAX)));
    if (n <= 0) {
      // What is wrong will be seen again by the next call.
      return total > 0 ? IoResult{IoStatus::kDone, total} : TlsStatus(n);
    }
    total += static_cast<std::size_t>(n);
  } while (total < buffer.size() && HasBuffered());
  return {IoStatus::kDone, total};
}

IoResult Stream::Write(std::string_view octets) {
  if (!ssl_) {
    const ssize_t n = send(fd_, octets.data(), octets.size(), MSG_NOSIGNAL);
    if (n >= 0) return {IoStatus::kDone, static_cast<std::size_t>(n)};
    const IoResult result = SocketStatus();
    return result.status == IoStatus::kWantRead ? IoResult{IoStatus::kWantWrite, 0} : result;
  }
  ERR_clear_error();
  errno = 0;
  const int n = SSL_write(ssl_.get(), octets.data(),
                          static_cast<int>(std::min<std::size_t>(octets.size(), INT_MAX)));
  return n > 0 ? IoResult{IoStatus::kDone, static_cast<std::size_t>(n)} : TlsStatus(n);
}

std::size_t Stream::Unacknowledged() const {
  int octets = 0;
  return ioctl(fd_, SIOCOUTQ, &octets) == 0 ? static_cast<std::size_t>(octets) : 0;
}

bool Stream::PeerHasClosed() const {
  pollfd socket{fd_, POLLRDHUP, 0};
  return poll(&socket, 1, 0) > 0 && (socket.revents & (POLLERR | POLLHUP | POLLRDHUP)) != 0;
}

void Stream::ShutdownWrite() {
  if (ssl_ && SSL_is_init_finished(ssl_.get())) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
  }
  shutdown(fd_, SHUT_WR);
}

}  // namespace twintree::ldap
