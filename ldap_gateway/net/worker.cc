#include "ldap_gateway/net/worker.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <boost/asio/post.hpp>

#include "ldap_gateway/net/connection.h"
#include "ldap_gateway/protocol/response.h"
#include "services/log/log.h"

namespace twintree::ldap {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kAcceptsPerTurn = 64;
constexpr std::chrono::seconds kAcceptWarningInterval(10);

// Deadlines are looked at often enough to be kept to a quarter.
milliseconds TickFor(const LdapTimeouts& timeouts) {
  milliseconds shortest =
      std::min({timeouts.read, timeouts.write, timeouts.handshake, milliseconds(kLingerTimeout)});
  if (timeouts.idle.count() > 0) shortest = std::min(shortest, timeouts.idle);
  return std::clamp(shortest / 4, milliseconds(10), milliseconds(500));
}

// Signals belong to the main thread; SIGPIPE, which TLS could cause, to nobody.
void BlockSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

void ConfigureTcp(int fd) {
  const int on = 1;
  const int idle_seconds = 120;
  const int interval_seconds = 30;
  const int probes = 4;
  const int unsent_bytes = kMaxUnsentBytes;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof idle_seconds);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_seconds, sizeof interval_seconds);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
  setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent_bytes, sizeof unsent_bytes);
}

// Is the failure one of the client that was to be accepted, not of the listening socket?
bool ConcernsOneClient(int error) {
  return error == EINTR || error == ECONNABORTED || error == EPROTO || error == EPERM ||
         error == ENETDOWN || error == ENOPROTOOPT || error == EHOSTDOWN || error == ENONET ||
         error == EHOSTUNREACH || error == EOPNOTSUPP || error == ENETUNREACH;
}

}  // namespace

Worker::Worker(std::shared_ptr<ServerState> state, std::vector<Socket> sockets)
    : state_(std::move(state)),
      io_(1),
      work_(io_.get_executor()),
      read_buffer_(kReadBufferBytes),
      timer_(io_.get_executor()),
      tick_(TickFor(state_->timeouts)),
      turn_([this] { EndTurnSoon(); }) {
  for (Socket& socket : sockets) {
    acceptors_.push_back(std::make_unique<Acceptor>(io_, socket.transport, socket.fd.Release()));
  }
}

Worker::~Worker() = default;

void Worker::Start() {
  for (const auto& acceptor : acceptors_) WaitForClients(acceptor.get());
  next_reload_ = steady_clock::now() + kTlsReloadInterval;
  Tick();
  thread_ = std::thread([this] { Run(); });
}

void Worker::Run() {
  BlockSignals();
  const directory::Turn::Scope scope(&turn_);
  io_.run();
}

// Behind everything that is ready now.
void Worker::EndTurnSoon() {
  boost::asio::post(io_, [this] { turn_.End(); });
}

void Worker::WaitForClients(Acceptor* acceptor) {
  acceptor->descriptor.async_wait(Descriptor::wait_read,
                                  [this, acceptor](const boost::system::error_code& error) {
                                    if (!error && !draining_) AcceptAll(acceptor);
                                  });
}

void Worker::AcceptAll(Acceptor* acceptor) {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    OwnedFd fd(accept4(acceptor->descriptor.native_handle(), nullptr, nullptr,
                       SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (fd.get() >= 0) {
      Welcome(acceptor->transport, std::move(fd));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (!ConcernsOneClient(errno)) {
      return RetryLater(acceptor, errno);
    }
  }
  WaitForClients(acceptor);
}

void Worker::RetryLater(Acceptor* acceptor, int error) {
  const auto now = steady_clock::now();
  if (last_accept_warning_ == steady_clock::time_point() ||
      now - last_accept_warning_ > kAcceptWarningInterval) {
    last_accept_warning_ = now;
    log::Warning("accept_failed")
        .With("protocol", TransportName(acceptor->transport))
        .With("error", std::strerror(error));
  }
  acceptor->retry.expires_after(kAcceptRetryDelay);
  acceptor->retry.async_wait([this, acceptor](const boost::system::error_code& canceled) {
    if (!canceled && !draining_) AcceptAll(acceptor);
  });
}

bool Worker::Admit(Transport transport, int fd) {
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->connections < state_->max_connections) {
      ++state_->connections;
      return true;
    }
  }
  if (transport != Transport::kLdaps) {
    std::string notice;
    EncodeNoticeOfDisconnection(model::ResultCode::kUnavailable, "there are too many connections",
                                &notice);
    // Best effort; the connection is closed in any case.
    [[maybe_unused]] const ssize_t sent =
        send(fd, notice.data(), notice.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  if (ConnectionObserver* observer = state_->door->observer()) observer->OnRefused(transport);
  return false;
}

void Worker::Welcome(Transport transport, OwnedFd fd) {
  if (!Admit(transport, fd.get())) return;
  if (transport != Transport::kLdapi) ConfigureTcp(fd.get());
  const SessionPeer peer{state_->next_connection.fetch_add(1, std::memory_order_relaxed), transport,
                         transport == Transport::kLdaps};
  auto connection = std::make_shared<Connection>(shared_from_this(), std::move(fd), peer);
  Add(connection);
  connection->Start();
}

void Worker::Add(std::shared_ptr<Connection> connection) {
  connection->set_slot(connections_.size());
  connections_.push_back(std::move(connection));
}

void Worker::Remove(Connection* connection) {
  const std::size_t slot = connection->slot();
  std::swap(connections_[slot], connections_.back());
  connections_[slot]->set_slot(slot);
  connections_.pop_back();
  const std::lock_guard lock(state_->mutex);
  --state_->connections;
  state_->changed.notify_all();
}

void Worker::ScheduleWake(std::shared_ptr<Connection> connection) {
  bool post = false;
  {
    const std::lock_guard lock(wakes_mutex_);
    if (stopped_) return;
    post = wakes_.empty();
    wakes_.push_back(std::move(connection));
  }
  if (post) boost::asio::post(io_, [this] { DeliverWakes(); });
}

void Worker::DeliverWakes() {
  std::vector<std::shared_ptr<Connection>> wakes;
  {
    const std::lock_guard lock(wakes_mutex_);
    wakes.swap(wakes_);
  }
  for (const auto& connection : wakes) connection->OnWake();
}

void Worker::Tick() {
  const auto now = steady_clock::now();
  // Closing a connection puts another one into its slot: from the back, each is seen once.
  for (std::size_t i = connections_.size(); i-- > 0;) {
    const std::shared_ptr<Connection> connection = connections_[i];
    connection->CheckDeadlines(now);
  }
  if (state_->tls && now >= next_reload_) {
    next_reload_ = now + kTlsReloadInterval;
    state_->tls->ReloadIfChanged();
  }
  timer_.expires_at(now + tick_);
  timer_.async_wait([this](const boost::system::error_code& canceled) {
    // A timer that was due before it was cancelled still says that it expired.
    if (!canceled && !closed_) Tick();
  });
}

void Worker::CloseAcceptors() {
  for (const auto& acceptor : acceptors_) {
    boost::system::error_code ignored;
    acceptor->descriptor.close(ignored);
    acceptor->retry.cancel();
  }
}

void Worker::BeginDrain() {
  boost::asio::post(io_, [this] {
    draining_ = true;
    CloseAcceptors();
    const std::vector<std::shared_ptr<Connection>> connections = connections_;
    for (const auto& connection : connections) connection->Drain();
  });
}

void Worker::CutOff() {
  boost::asio::post(io_, [this] {
    const std::vector<std::shared_ptr<Connection>> connections = connections_;
    for (const auto& connection : connections) connection->CutOff();
  });
}

void Worker::CloseAll() {
  draining_ = true;
  closed_ = true;
  CloseAcceptors();
  timer_.cancel();
  const std::vector<std::shared_ptr<Connection>> connections = connections_;
  for (const auto& connection : connections) connection->Close("the server is shutting down");
  std::vector<std::shared_ptr<Connection>> wakes;
  const std::lock_guard lock(wakes_mutex_);
  stopped_ = true;
  wakes.swap(wakes_);
}

void Worker::Stop() {
  if (!thread_.joinable()) return;
  boost::asio::post(io_, [this] {
    CloseAll();
    work_.reset();
  });
  thread_.join();
}

}  // namespace twintree::ldap
