// One client: a socket, a session, and what has to happen until when.
//
// Thread-safety: confined to the worker's thread, but for RequestWake().
#ifndef TWINTREE_LDAP_GATEWAY_NET_CONNECTION_H_
#define TWINTREE_LDAP_GATEWAY_NET_CONNECTION_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "ldap_gateway/net/stream.h"
#include "ldap_gateway/net/worker.h"
#include "ldap_gateway/session/session.h"

namespace twintree::ldap {

class Connection final : public SessionHost, public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<Worker> worker, OwnedFd fd, const SessionPeer& peer);
  ~Connection() override;

  void Start();
  // Takes the session's answers from other threads.
  void OnWake();
  void CheckDeadlines(std::chrono::steady_clock::time_point now);
  // Ends the session once it has finished what is under way.
  void Drain();
  // Ends the session now, and the connection once the client has had the time to read that.
  void CutOff();
  // Ends it now. `reason` is for the log.
  void Close(std::string_view reason);

  // SessionHost
  void RequestWake() override;

  // Where the worker keeps it.
  std::size_t slot() const { return slot_; }
  void set_slot(std::size_t slot) { slot_ = slot; }

 private:
  using TimePoint = std::chrono::steady_clock::time_point;
  enum class State {
    kOpen,
    kHandshake,
    kLingering,  // all is sent; the client has to take it and close
    kClosed,
  };

  void OnReadable();
  void OnWritable();
  void BeginHandshake();
  void Handshake();
  void Read();
  // Does all that can be done now: sends, closes, negotiates, waits for what comes next.
  void Advance();
  // Sends until nothing is left or the socket is full. False if the connection is closed.
  bool Flush();
  // After an attempt to write that ended so. False if the connection is closed.
  bool WaitToWrite(IoStatus status);
  void NoteSent(std::size_t bytes);
  void BeginLinger();
  void Discard();
  void WaitRead();
  void WaitWrite();
  void YieldTurn();
  void TakeTurn();
  void NotePartialMessage();
  void CheckOpen(TimePoint now);
  // Like Advance, after the session has ended itself.
  void Disconnect(model::ResultCode code, std::string_view diagnostic);

  const std::shared_ptr<Worker> worker_;
  Descriptor descriptor_;
  Stream stream_;
  const Transport transport_;
  std::string_view end_reason_ = "session ended";
  std::shared_ptr<Session> session_;
  State state_ = State::kOpen;
  bool read_armed_ = false;
  bool write_armed_ = false;
  bool yielded_ = false;
  bool must_wait_ = false;  // the last read found nothing, whatever the TLS layer holds
  std::size_t slot_ = 0;
  TimePoint opened_;
  TimePoint state_since_;             // of kHandshake and kLingering
  TimePoint last_activity_;           // octets moved in either direction
  std::size_t unacknowledged_ = 0;    // at the last look
  TimePoint last_write_;              // octets sent, or an attempt to send began
  TimePoint message_since_;           // the message that is arriving
  std::uint64_t message_number_ = 0;  // requests before it, plus 1; 0: none is arriving
};

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_NET_CONNECTION_H_
