#include "ldap_gateway/net/connection.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include <boost/asio/post.hpp>

#include "services/log/log.h"
#include "services/log/peer.h"

namespace twintree::ldap {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kQuietTime(1);

}  // namespace

Connection::Connection(std::shared_ptr<Worker> worker, OwnedFd fd, const SessionPeer& peer)
    : worker_(std::move(worker)),
      descriptor_(worker_->io().get_executor()),
      stream_(fd.get()),
      transport_(peer.transport),
      opened_(steady_clock::now()),
      last_activity_(opened_),
      last_write_(opened_) {
  descriptor_.assign(fd.Release());
  session_ = std::make_shared<Session>(worker_->state().door, peer);
}

Connection::~Connection() { session_->Close(); }

void Connection::Start() {
  session_->set_host(weak_from_this());
  if (ConnectionObserver* observer = worker_->state().door->observer()) {
    observer->OnOpened(transport_);
  }
  if (log::AccessEnabled()) {
    log::Access("connection_opened")
        .With("conn", session_->connection())
        .With("protocol", TransportName(transport_))
        .With("peer", log::PeerOf(descriptor_.native_handle()));
  }
  if (transport_ == Transport::kLdaps) {
    BeginHandshake();
  } else {
    WaitRead();
  }
}

void Connection::RequestWake() { worker_->ScheduleWake(shared_from_this()); }

void Connection::OnWake() {
  session_->Wake();
  if (state_ == State::kOpen) Advance();
}

void Connection::WaitRead() {
  if (std::exchange(read_armed_, true)) return;
  descriptor_.async_wait(Descriptor::wait_read,
                         [self = shared_from_this()](const boost::system::error_code& error) {
                           self->read_armed_ = false;
                           if (!error) self->OnReadable();
                         });
}

void Connection::WaitWrite() {
  if (std::exchange(write_armed_, true)) return;
  descriptor_.async_wait(Descriptor::wait_write,
                         [self = shared_from_this()](const boost::system::error_code& error) {
                           self->write_armed_ = false;
                           if (!error) self->OnWritable();
                         });
}

void Connection::YieldTurn() {
  if (std::exchange(yielded_, true)) return;
  boost::asio::post(worker_->io(), [self = shared_from_this()] {
    self->yielded_ = false;
    if (self->state_ == State::kOpen) self->TakeTurn();
  });
}

void Connection::TakeTurn() {
  if (!session_->wants_turn()) return Read();
  session_->Continue();
  Advance();
}

void Connection::OnReadable() {
  switch (state_) {
    case State::kOpen: return Read();
    case State::kHandshake: return Handshake();
    case State::kLingering: return Discard();
    case State::kClosed: return;
  }
}

void Connection::OnWritable() {
  switch (state_) {
    case State::kOpen: return Advance();
    case State::kHandshake: return Handshake();
    case State::kLingering:
    case State::kClosed: return;
  }
}

void Connection::BeginHandshake() {
  SslPtr ssl = worker_->state().tls->NewServerSide(descriptor_.native_handle());
  if (!ssl) return Close("TLS cannot be started");
  stream_.StartTls(std::move(ssl));
  state_ = State::kHandshake;
  state_since_ = steady_clock::now();
  Handshake();
}

void Connection::Handshake() {
  const IoResult result = stream_.Handshake();
  if (result.status == IoStatus::kWantRead) return WaitRead();
  if (result.status == IoStatus::kWantWrite) return WaitWrite();
  const bool succeeded = result.status == IoStatus::kDone;
  if (ConnectionObserver* observer = worker_->state().door->observer()) {
    observer->OnTlsHandshake(succeeded);
  }
  if (!succeeded) return Close("TLS handshake failed: " + stream_.error());
  state_ = State::kOpen;
  last_activity_ = steady_clock::now();
  session_->TlsStarted();
  Read();
}

void Connection::Read() {
  must_wait_ = false;
  if (session_->wants_input()) {
    const std::span<char> buffer = worker_->read_buffer();
    const IoResult result = stream_.Read(buffer);
    switch (result.status) {
      case IoStatus::kDone:
        last_activity_ = steady_clock::now();
        session_->Receive({buffer.data(), result.bytes});
        break;
      case IoStatus::kWantRead: must_wait_ = true; break;
      case IoStatus::kWantWrite: WaitWrite(); break;
      case IoStatus::kEnd: return Close("closed by the client");
      case IoStatus::kFailed: return Close(stream_.error());
    }
  }
  Advance();
}

bool Connection::Flush() {
  std::size_t total = 0;
  if (!session_->output().empty() && !write_armed_) last_write_ = steady_clock::now();
  while (!session_->output().empty()) {
    if (total >= kMaxBytesPerTurn) {
      YieldTurn();
      break;
    }
    const std::size_t size = session_->output().size();
    const IoResult result = stream_.Write(session_->output());
    if (result.status != IoStatus::kDone) return WaitToWrite(result.status);
    NoteSent(result.bytes);
    total += result.bytes;
    session_->Consume(result.bytes);
    // A socket in clear that takes a part is full.
    if (result.bytes < size && !stream_.tls()) return WaitToWrite(IoStatus::kWantWrite);
  }
  return true;
}

bool Connection::WaitToWrite(IoStatus status) {
  switch (status) {
    case IoStatus::kDone: break;
    case IoStatus::kWantRead: WaitRead(); break;
    case IoStatus::kWantWrite: WaitWrite(); break;
    case IoStatus::kEnd: Close("closed by the client"); return false;
    case IoStatus::kFailed: Close(stream_.error()); return false;
  }
  return true;
}

void Connection::NoteSent(std::size_t bytes) {
  if (write_armed_) last_write_ = steady_clock::now();
  last_activity_ = last_write_;
  if (ConnectionObserver* observer = worker_->state().door->observer()) observer->OnSent(bytes);
}

void Connection::Advance() {
  if (!Flush()) return;
  NotePartialMessage();
  if (session_->output().empty()) {
    if (session_->next() == Session::Next::kClose) return BeginLinger();
    if (session_->next() == Session::Next::kStartTls) return BeginHandshake();
  }
  if (session_->wants_turn()) return YieldTurn();
  if (!session_->wants_input()) return;
  if (stream_.HasBuffered() && !must_wait_) return YieldTurn();
  WaitRead();
}

void Connection::NotePartialMessage() {
  if (session_->partial_message_bytes() == 0) {
    message_number_ = 0;
  } else if (message_number_ != session_->requests() + 1) {
    message_number_ = session_->requests() + 1;
    message_since_ = last_activity_;
  }
}

void Connection::BeginLinger() {
  session_->Close();
  state_ = State::kLingering;
  state_since_ = steady_clock::now();
  stream_.ShutdownWrite();
  Discard();
}

void Connection::Discard() {
  // Closing a socket with unread octets would reset the connection and take back what was sent.
  const std::span<char> buffer = worker_->read_buffer();
  const ssize_t n = recv(descriptor_.native_handle(), buffer.data(), buffer.size(), 0);
  if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))) {
    return WaitRead();
  }
  Close(end_reason_);
}

void Connection::Drain() {
  if (state_ == State::kHandshake) return Close("the server is shutting down");
  if (state_ != State::kOpen) return;
  end_reason_ = "the server is shutting down";
  session_->Drain();
  Advance();
}

void Connection::CutOff() {
  if (state_ == State::kHandshake) return Close("the server is shutting down");
  if (state_ != State::kOpen) return;
  session_->CutOff();
  Advance();
}

void Connection::Close(std::string_view reason) {
  if (state_ == State::kClosed) return;
  const std::shared_ptr<Connection> self = shared_from_this();
  state_ = State::kClosed;
  session_->Close();
  boost::system::error_code ignored;
  descriptor_.close(ignored);
  if (ConnectionObserver* observer = worker_->state().door->observer()) {
    observer->OnClosed(transport_);
  }
  if (log::AccessEnabled()) {
    log::Access("connection_closed")
        .With("conn", session_->connection())
        .With("reason", reason)
        .With("duration_seconds", steady_clock::now() - opened_);
  }
  worker_->Remove(this);
}

void Connection::CheckDeadlines(TimePoint now) {
  const LdapTimeouts& timeouts = worker_->state().timeouts;
  switch (state_) {
    case State::kHandshake:
      if (now - state_since_ < timeouts.handshake) return;
      if (ConnectionObserver* observer = worker_->state().door->observer()) {
        observer->OnTlsHandshake(false);
      }
      return Close("the TLS handshake took too long");
    case State::kLingering:
      // Answers that are still on their way would be lost if octets came after the close.
      if (const std::size_t left = stream_.Unacknowledged();
          std::exchange(unacknowledged_, left) > left) {
        state_since_ = now;
      }
      if (now - state_since_ >= kLingerTimeout) Close(end_reason_);
      return;
    case State::kOpen: return CheckOpen(now);
    case State::kClosed: return;
  }
}

void Connection::CheckOpen(TimePoint now) {
  const LdapTimeouts& timeouts = worker_->state().timeouts;
  // Nobody waits for the socket while the session wants no input. A client that is gone must not
  // keep its operations; updates are finished, and reading goes on then.
  if (!read_armed_ && !yielded_ && session_->may_be_cut_off() && stream_.PeerHasClosed()) {
    return Close("closed by the client");
  }
  if (!session_->output().empty()) {
    // The socket becomes writable in large steps; a slow client takes smaller ones.
    const std::size_t left = stream_.Unacknowledged();
    if (std::exchange(unacknowledged_, left) > left) last_write_ = now;
    if (now - last_write_ >= timeouts.write) Close("the client does not take its answers");
    return;
  }
  if (const std::size_t bytes = session_->partial_message_bytes(); bytes > 0) {
    const milliseconds allowed =
        timeouts.read + milliseconds(bytes * 1000 / kMinReadBytesPerSecond);
    if (now - message_since_ >= allowed) {
      Disconnect(model::ResultCode::kProtocolError, "the message was not complete in time");
    }
    return;
  }
  if (!session_->idle()) return;
  if (now - last_activity_ >= kQuietTime) session_->Shrink();
  if (timeouts.idle.count() > 0 && now - last_activity_ >= timeouts.idle) {
    end_reason_ = "idle for too long";
    session_->End();
    Advance();
  }
}

void Connection::Disconnect(model::ResultCode code, std::string_view diagnostic) {
  session_->Disconnect(code, diagnostic);
  Advance();
}

}  // namespace twintree::ldap
