#include "load/client/ldap_connection.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "load/client/ldap_answer.h"
#include "load/client/ldap_request.h"

namespace twintree::load {
namespace {

constexpr std::size_t kInputBytes = 32 * 1024;
constexpr timeval kConnectTimeout = {30, 0};

struct FreeAddresses {
  void operator()(addrinfo* addresses) const { ::freeaddrinfo(addresses); }
};

[[noreturn]] void Throw(const std::string& what, int error) {
  throw std::runtime_error(what + ": " + std::strerror(error));
}

}  // namespace

LdapConnection::~LdapConnection() { Close(); }

LdapConnection::LdapConnection(LdapConnection&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      output_(std::move(other.output_)),
      output_sent_(other.output_sent_),
      input_(std::move(other.input_)),
      input_begin_(other.input_begin_),
      input_end_(other.input_end_),
      failure_(std::move(other.failure_)) {}

void LdapConnection::Connect(const Target& target, const Credentials& credentials) {
  input_.resize(kInputBytes);
  Open(target);
  if (!credentials.dn.empty()) Bind(credentials);
  ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
}

void LdapConnection::Open(const Target& target) {
  if (target.protocol == Protocol::kLdapi) {
    OpenSocketFile(target.path);
  } else {
    OpenAddress(target);
  }
}

void LdapConnection::OpenSocketFile(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    throw std::runtime_error(path + " is too long for a socket's name");
  }
  path.copy(address.sun_path, path.size());
  fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd_ < 0) Throw("socket", errno);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    Throw("cannot connect to " + path, errno);
  }
}

void LdapConnection::OpenAddress(const Target& target) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(target.host.c_str(), target.port.c_str(), &hints, &found);
  if (failed != 0) throw std::runtime_error(target.host + ": " + ::gai_strerror(failed));
  const std::unique_ptr<addrinfo, FreeAddresses> addresses(found);
  int error = 0;
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    fd_ = ::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd_ < 0) Throw("socket", errno);
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &kConnectTimeout, sizeof kConnectTimeout);
    if (::connect(fd_, address->ai_addr, address->ai_addrlen) == 0) return;
    error = errno;
    Close();
  }
  Throw("cannot connect to " + target.Address(), error);
}

void LdapConnection::Bind(const Credentials& credentials) {
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &kConnectTimeout, sizeof kConnectTimeout);
  output_ = EncodeSimpleBind(credentials.dn, credentials.password);
  LdapAnswer answer;
  std::size_t size = 0;
  if (!Flush()) throw std::runtime_error("bind: " + failure_);
  AnswerState state = AnswerState::kIncomplete;
  while (state == AnswerState::kIncomplete) {
    const std::size_t before = input().size();
    if (!Receive()) throw std::runtime_error("bind: " + failure_);
    if (input().size() == before) throw std::runtime_error("bind: no answer");
    state = ReadLdapAnswer(input(), &answer, &size);
  }
  if (state == AnswerState::kMalformed || answer.tag != kBindResponse) {
    throw std::runtime_error("bind: the answer is not that of an LDAP server");
  }
  if (answer.result != kSuccess) {
    throw std::runtime_error("bind as " + credentials.dn + ": result " +
                             std::to_string(answer.result) + " " + std::string(answer.diagnostic));
  }
  Consume(size);
}

bool LdapConnection::Flush() {
  while (has_output()) {
    const ssize_t sent =
        ::send(fd_, output_.data() + output_sent_, output_.size() - output_sent_, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    if (sent < 0) return Fail(std::strerror(errno));
    output_sent_ += static_cast<std::size_t>(sent);
  }
  output_.clear();
  output_sent_ = 0;
  return true;
}

bool LdapConnection::Receive() {
  MakeRoom();
  while (true) {
    const ssize_t got = ::recv(fd_, input_.data() + input_end_, input_.size() - input_end_, 0);
    if (got > 0) {
      input_end_ += static_cast<std::size_t>(got);
      return true;
    }
    if (got == 0) return Fail("closed by the server");
    if (errno == EAGAIN || errno == EWOULDBLOCK) return true;
    if (errno != EINTR) return Fail(std::strerror(errno));
  }
}

std::string_view LdapConnection::input() const {
  return {input_.data() + input_begin_, input_end_ - input_begin_};
}

// Moves what was not consumed to the front, and doubles the buffer if one message fills it.
void LdapConnection::MakeRoom() {
  const std::size_t left = input_end_ - input_begin_;
  if (input_begin_ != 0) std::memmove(input_.data(), input_.data() + input_begin_, left);
  input_begin_ = 0;
  input_end_ = left;
  if (left == input_.size()) input_.resize(2 * input_.size());
}

void LdapConnection::Close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

bool LdapConnection::Fail(const std::string& why) {
  failure_ = why;
  return false;
}

}  // namespace twintree::load
