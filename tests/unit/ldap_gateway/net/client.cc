#include "tests/unit/ldap_gateway/net/client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

namespace twintree::ldap::testing {
namespace {

OwnedFd ConnectUnix(const std::string& path) {
  OwnedFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  EXPECT_EQ(connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return fd;
}

OwnedFd ConnectTcp(std::uint16_t port, int receive_buffer) {
  OwnedFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (receive_buffer > 0) {
    setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return fd;
}

}  // namespace

Client::Client(const BoundAddress& address, int receive_buffer)
    : fd_(address.transport == Transport::kLdapi ? ConnectUnix(address.address)
                                                 : ConnectTcp(address.port, receive_buffer)) {
  const timeval limit{kPatience.count(), 0};
  setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(fd_.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

Client::~Client() = default;

bool Client::StartTls(const std::string& certificate_file, const std::string& key_file) {
  context_.reset(SSL_CTX_new(TLS_client_method()), SslDeleter());
  if (!certificate_file.empty()) {
    EXPECT_EQ(SSL_CTX_use_certificate_chain_file(context_.get(), certificate_file.c_str()), 1);
    EXPECT_EQ(SSL_CTX_use_PrivateKey_file(context_.get(), key_file.c_str(), SSL_FILETYPE_PEM), 1);
  }
  return Handshake();
}

bool Client::StartTlsAtMost(int version) {
  context_.reset(SSL_CTX_new(TLS_client_method()), SslDeleter());
  SSL_CTX_set_security_level(context_.get(), 0);
  SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(context_.get(), version);
  return Handshake();
}

bool Client::Handshake() {
  ssl_.reset(SSL_new(context_.get()));
  SSL_set_fd(ssl_.get(), fd_.get());
  ERR_clear_error();
  return SSL_connect(ssl_.get()) == 1;
}

void Client::Send(std::string_view octets) {
  while (!octets.empty()) {
    const ssize_t n = ssl_ ? SSL_write(ssl_.get(), octets.data(), static_cast<int>(octets.size()))
                           : send(fd_.get(), octets.data(), octets.size(), MSG_NOSIGNAL);
    if (n <= 0) return;  // the server may have closed, which is for the test to find out
    octets.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool Client::ReadSome() {
  char buffer[65536];
  ERR_clear_error();
  const ssize_t n = ssl_ ? SSL_read(ssl_.get(), buffer, sizeof buffer)
                         : recv(fd_.get(), buffer, sizeof buffer, 0);
  if (n > 0) {
    rest_.append(buffer, static_cast<std::size_t>(n));
    return true;
  }
  ended_well_ =
      ssl_ ? SSL_get_error(ssl_.get(), static_cast<int>(n)) == SSL_ERROR_ZERO_RETURN : n == 0;
  timed_out_ = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  return false;
}

std::vector<Response> Client::Receive(std::size_t count) {
  std::vector<Response> responses;
  for (;;) {
    for (Response& response : TakeResponses(&rest_)) responses.push_back(std::move(response));
    if (responses.size() >= count) return responses;
    if (!ReadSome()) {
      ADD_FAILURE() << responses.size() << " of " << count << " responses came";
      responses.resize(count);
      return responses;
    }
  }
}

void Client::WaitClosedOr(std::size_t count) {
  std::string copy;
  do {
    copy = rest_;
  } while (TakeResponses(&copy).size() < count && ReadSome());
}

bool Client::WaitClosed() {
  while (ReadSome()) {
  }
  return !timed_out_;
}

}  // namespace twintree::ldap::testing
