// An LDAP session: octets in, octets out, no sockets.
//
// Whoever carries the octets (the host) tells the session what happens and, after every call, looks
// at what it has to send and what comes next:
//
//   session->Receive(octets);
//   session->Consume(Send(session->output()));
//   if (session->output().empty() && session->next() == Session::Next::kClose) Close();
//   if (session->wants_input()) ReadMore();
//
// Requests run concurrently and are answered as they end; a bind waits for those before it, and
// those behind a bind wait for it (RFC 4511 4.2.1). Output above the high watermark pauses searches
// and the reading of requests until the host has sent enough.
//
// Ownership:     the host owns the session; a request under way keeps it alive, and the host must
//                call Close() before it forgets the session.
// Thread-safety: confined to the host's thread. Answers of the directory may come from any thread;
//                those that come outside the session's own calls reach it through SessionHost.
// Source: RFC 4511 4 and 5.3; RFC 4513 3; RFC 3062; RFC 3909; RFC 4532.
#ifndef TWINTREE_LDAP_GATEWAY_SESSION_SESSION_H_
#define TWINTREE_LDAP_GATEWAY_SESSION_SESSION_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ldap_gateway/protocol/controls.h"
#include "ldap_gateway/protocol/request.h"
#include "ldap_gateway/protocol/response.h"
#include "ldap_gateway/session/door.h"
#include "ldap_gateway/session/input_buffer.h"
#include "ldap_gateway/session/output_buffer.h"
#include "ldap_gateway/session/task.h"

namespace twintree::ldap {

// What a session asks of the connection that carries it.
class SessionHost {
 public:
  virtual ~SessionHost() = default;
  // Call Session::Wake() soon on the session's thread. Safe from any thread; must not call back
  // into the session itself. Not called again before Wake() has been.
  virtual void RequestWake() = 0;
};

struct SessionPeer {
  std::uint64_t connection = 0;  // number for the logs
  Transport transport = Transport::kLdap;
  bool tls_active = false;
};

class Session final : public std::enable_shared_from_this<Session> {
 public:
  enum class Next {
    kContinue,
    kStartTls,  // once the output is sent, negotiate TLS, then call TlsStarted()
    kClose,     // once the output is sent, close
  };

  Session(std::shared_ptr<const Door> door, const SessionPeer& peer);
  ~Session();

  // Before anything else.
  void set_host(std::weak_ptr<SessionHost> host) { host_ = std::move(host); }

  // Octets from the client, in any portions. All of them are taken.
  void Receive(std::string_view octets);
  // TLS is up, after kStartTls.
  void TlsStarted();
  // Takes the answers that came from other threads.
  void Wake();
  // Goes on with requests that are here already, when wants_turn().
  void Continue();
  // Ends the session with a Notice of Disconnection; operations under way are given up.
  void Disconnect(model::ResultCode code, std::string_view diagnostic);
  // Ends the session without a word, as clients expect of a connection that was idle: they connect
  // again, while a Notice of Disconnection would fail the next request of many of them. What waits
  // to be sent still is. REQUIRES: no operation is under way.
  void End();
  // The server is going down: finishes what is under way, starts nothing new, then ends the
  // session; with a Notice of Disconnection if requests have come that are not begun any more.
  void Drain();
  // The server goes down now: like End(), or Disconnect() if something is under way.
  void CutOff();
  // The connection is gone: gives up all operations. Nothing but the destructor may follow.
  void Close();

  // What to send now.
  std::string_view output() const { return output_.view(); }
  // The first `n` octets of output() were sent. May produce more output.
  void Consume(std::size_t n);
  // Gives back memory that a busy time has left. For quiet moments.
  void Shrink();

  Next next() const { return next_; }
  // Is it of use to read from the client now?
  bool wants_input() const { return MayStart(); }
  // Do requests wait that would have kept the thread for too long? The host lets others have their
  // turn, then calls Continue().
  bool wants_turn() const { return turn_over_; }
  // Has a message begun to arrive and not ended? Then at least this many octets belong to it.
  std::size_t partial_message_bytes() const;
  // No operation is under way and nothing waits to be sent.
  bool idle() const {
    return tasks_.empty() && stopping_ == 0 && !waiting_bind_ && !turn_over_ && output_.empty();
  }
  // Nothing that is under way changes anything: a client that is gone misses nothing if all of it
  // is given up.
  bool may_be_cut_off() const;
  const directory::Subject& subject() const { return context_.subject; }
  std::uint64_t connection() const { return peer_.connection; }
  // Requests received so far.
  std::uint64_t requests() const { return requests_; }

 private:
  friend class CallTask;
  friend class BindTask;
  friend class SearchTask;
  class Turn;
  // A message on its way through the decoder.
  struct Incoming {
    RequestInfo info;
    std::string_view message;
    Envelope envelope;
    bool last = true;  // no octets follow
  };
  struct WaitingBind {
    RequestInfo info;
    BindRequest request;
  };

  // session.cc: input, life cycle.
  bool MayStart() const;
  std::size_t message_limit() const;
  std::size_t Process(std::string_view octets);
  // Keeps what has not come whole, or has to wait. Ends the session when there is no room.
  void KeepInput(std::string_view octets);
  bool ProcessBuffered();
  void Settle();
  // Is the time of this turn used up?
  bool TurnIsOver(std::chrono::steady_clock::time_point now);
  void HandleMessage(std::string_view message, bool last,
                     std::chrono::steady_clock::time_point now);
  void Dispatch(const Incoming& in);
  Task* Find(MessageId id) const;
  void AbandonAll();
  // Nothing is sent for the task any more; it is counted until its work has stopped.
  void GiveUp(Task* task);
  void ResumeWaiting();
  void PublishOutput() { output_bytes_.store(output_.size(), std::memory_order_relaxed); }

  // session_requests.cc: requests that the directory answers.
  template <typename Value>
  bool Accept(const Incoming& in, const model::Result<Value>& decoded,
              const AccessDetails& details);
  // For what cannot be decoded as a whole.
  template <typename Value>
  bool Accept(const Incoming& in, const model::Result<Value>& decoded);
  template <typename Request>
  void Call(const Incoming& in, AccessDetails details, Request request,
            void (directory::Directory::*method)(const directory::RequestContext&, Request,
                                                 directory::Directory::Callback));
  void HandleSearch(const Incoming& in);
  void HandleCompare(const Incoming& in);
  void HandleAdd(const Incoming& in);
  void HandleModify(const Incoming& in);
  void HandleDelete(const Incoming& in);
  void HandleModifyDn(const Incoming& in);
  model::Result<directory::Controls> ControlsOf(const Incoming& in);
  const directory::RequestContext& Context(std::chrono::steady_clock::time_point deadline =
                                               std::chrono::steady_clock::time_point::max());
  void Track(std::shared_ptr<Task> task);

  // session_control.cc: requests that the session answers.
  void HandleBind(Incoming in);
  void StartBind(WaitingBind bind);
  void HandleUnbind(const Incoming& in);
  void HandleAbandon(const Incoming& in);
  void HandleExtended(const Incoming& in);
  void HandleStartTls(const Incoming& in, const ExtendedRequest& request);
  void HandleWhoAmI(const Incoming& in, const ExtendedRequest& request);
  void HandlePasswordModify(const Incoming& in, const ExtendedRequest& request);
  void HandleCancel(const Incoming& in, const ExtendedRequest& request);

  // session_answers.cc: answers.
  void Reject(const Incoming& in, const AccessDetails& details, const model::Error& error);
  void Answer(const RequestInfo& info, const AccessDetails& details, const LdapResult& result);
  void Respond(const RequestInfo& info, const LdapResult& result);
  void FinishCall(CallTask* task, const directory::Outcome& outcome);
  void FinishBind(BindTask* task, directory::BindOutcome outcome);
  void FinishSearch(SearchTask* task, directory::SearchOutcome outcome);
  void Untrack(const Task* task);
  // The task's work has ended. False if nothing is to be sent for it.
  bool Finish(Task* task, model::ResultCode code, std::string_view diagnostic,
              std::uint64_t entries);
  void AnswerCancel(Task* target, model::ResultCode target_code);
  void Report(const RequestInfo& info, const AccessDetails& details, model::ResultCode code,
              std::string_view diagnostic, std::uint64_t entries) const;

  // Is the caller inside one of this session's own calls?
  bool InTurn() const;
  // Puts the task in the mailbox. From any thread.
  void Post(std::shared_ptr<Task> task);
  // Should searches pause? From any thread.
  bool Congested() const {
    return output_bytes_.load(std::memory_order_relaxed) +
               elsewhere_bytes_.load(std::memory_order_relaxed) >=
           door_->limits().output_high_watermark_bytes;
  }

  const std::shared_ptr<const Door> door_;
  std::weak_ptr<SessionHost> host_;  // constant once requests come

  SessionPeer peer_;
  directory::RequestContext context_;
  InputBuffer input_;
  std::size_t expected_bytes_ = 0;  // of the message that is incomplete; 0: not known yet
  OutputBuffer output_;
  std::vector<std::shared_ptr<Task>> tasks_;        // under way, to be answered
  std::size_t pending_bytes_ = 0;                   // of those and the next
  std::size_t stopping_ = 0;                        // under way, never to be answered
  std::deque<std::shared_ptr<SearchTask>> paused_;  // wait for room in the output
  std::optional<WaitingBind> waiting_bind_;
  std::uint64_t requests_ = 0;
  Next next_ = Next::kContinue;
  std::optional<std::chrono::steady_clock::time_point> turn_began_;  // with its first request
  bool turn_over_ = false;
  bool binding_ = false;
  bool draining_ = false;
  bool closed_ = false;

  std::atomic<std::size_t> output_bytes_ = 0;     // output_.size(), for other threads
  std::atomic<std::size_t> elsewhere_bytes_ = 0;  // entries that other threads left in tasks

  std::mutex mailbox_mutex_;  // guards what follows
  std::vector<std::shared_ptr<Task>> mailbox_;
  bool mailbox_closed_ = false;
};

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_SESSION_SESSION_H_
