// The LDAP side of Worker: one epoll loop over non-blocking sockets.

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "load/client/ldap_answer.h"
#include "load/client/ldap_connection.h"
#include "load/client/ldap_request.h"
#include "load/client/worker.h"

namespace twintree::load {
namespace {

// A message ID is kFirstMessageId + (use << kSlotBits | slot).
constexpr int kSlotBits = 10;
constexpr std::uint32_t kSlotMask = (1U << kSlotBits) - 1;
constexpr std::uint32_t kUseMask = kMessageIds / (kSlotMask + 1) - 1;

constexpr Nanoseconds kLongestWait = 100 * kMillisecond;
constexpr int kEvents = 64;

class LdapWorker : public Worker {
 public:
  LdapWorker(WorkerPlan plan, PhaseControl* control, std::size_t labels);
  ~LdapWorker() override;

  void Connect() override;
  void Run() override;

 private:
  struct Slot {
    Strand strand;
    std::uint32_t use = 0;
    std::uint32_t message_id = 0;
  };
  struct Connection {
    LdapConnection socket;
    std::vector<Slot> slots;
    bool awaits_room = false;  // for output
  };
  struct Waiting {
    Connection* connection;
    std::size_t slot;
  };

  void StartEverything();
  void StartWaiting(Nanoseconds now);
  void Start(Connection& connection, std::size_t slot, Nanoseconds now);
  void Send(Connection& connection, std::size_t slot);
  void Flush(Connection& connection);
  void Wait(Nanoseconds now);
  void Read(Connection& connection);
  void Handle(Connection& connection, const LdapAnswer& answer, Nanoseconds now);
  Slot* FindSlot(Connection& connection, std::int64_t message_id);
  void Lose(Connection& connection, const std::string& why);
  void GiveUp();
  void Watch(Connection& connection, int operation, std::uint32_t events);

  WorkerPlan plan_;
  StrandDriver driver_;
  LdapRequestWriter requests_;
  int epoll_;
  std::vector<Connection> connections_;
  std::vector<Waiting> waiting_;  // free strands whose moment has not come
  std::size_t busy_ = 0;          // strands that wait for an answer
};

LdapWorker::LdapWorker(WorkerPlan plan, PhaseControl* control, std::size_t labels)
    : Worker(control, labels),
      plan_(std::move(plan)),
      driver_(control, &recorder_, plan_.pacer),
      requests_(plan_.seed),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) throw std::runtime_error(std::string("epoll: ") + std::strerror(errno));
  connections_.reserve(plan_.connections.size());
  for (const ConnectionPlan& wanted : plan_.connections) {
    Connection& connection = connections_.emplace_back();
    for (int i = 0; i < wanted.depth; ++i) {
      const Random random(plan_.seed, wanted.random_stream + static_cast<std::uint64_t>(i));
      connection.slots.push_back({Strand(wanted.workload, wanted.paced, random)});
    }
  }
}

LdapWorker::~LdapWorker() { ::close(epoll_); }

void LdapWorker::Connect() {
  for (Connection& connection : connections_) {
    connection.socket.Connect(plan_.target, plan_.credentials);
    Watch(connection, EPOLL_CTL_ADD, EPOLLIN);
  }
}

void LdapWorker::Run() {
  StartEverything();
  const Nanoseconds last =
      control_->window.end == kNever ? kNever : control_->window.end + control_->patience;
  while (busy_ != 0 || !waiting_.empty()) {
    const Nanoseconds now = Now();
    if (now > last) {
      GiveUp();
      break;
    }
    StartWaiting(now);
    if (busy_ != 0 || !waiting_.empty()) Wait(Now());
  }
  missed_ = driver_.CountMissed();
}

void LdapWorker::StartEverything() {
  driver_.Begin(Now());
  for (Connection& connection : connections_) {
    const Nanoseconds now = Now();
    for (std::size_t i = 0; i < connection.slots.size(); ++i) Start(connection, i, now);
    Flush(connection);
  }
}

void LdapWorker::StartWaiting(Nanoseconds now) {
  while (!waiting_.empty() && (now >= driver_.next() || driver_.IsOver(now))) {
    const Waiting free = waiting_.back();
    waiting_.pop_back();
    if (!free.connection->socket.open()) continue;
    Start(*free.connection, free.slot, now);
    Flush(*free.connection);
  }
}

void LdapWorker::Start(Connection& connection, std::size_t slot, Nanoseconds now) {
  switch (driver_.TryStart(&connection.slots[slot].strand, now)) {
    case StrandDriver::Start::kStarted:
      ++busy_;
      Send(connection, slot);
      break;
    case StrandDriver::Start::kLater: waiting_.push_back({&connection, slot}); break;
    case StrandDriver::Start::kFinished: break;
  }
}

void LdapWorker::Send(Connection& connection, std::size_t slot) {
  Slot& used = connection.slots[slot];
  used.use = (used.use + 1) & kUseMask;
  used.message_id = kFirstMessageId + (used.use << kSlotBits | static_cast<std::uint32_t>(slot));
  requests_.Append(used.strand.operation, used.message_id, connection.socket.output());
}

void LdapWorker::Flush(Connection& connection) {
  if (!connection.socket.open() || !connection.socket.has_output()) return;
  if (!connection.socket.Flush()) {
    Lose(connection, connection.socket.failure());
  } else if (connection.socket.has_output() != connection.awaits_room) {
    connection.awaits_room = connection.socket.has_output();
    Watch(connection, EPOLL_CTL_MOD,
          connection.awaits_room ? std::uint32_t{EPOLLIN | EPOLLOUT} : std::uint32_t{EPOLLIN});
  }
}

void LdapWorker::Wait(Nanoseconds now) {
  Nanoseconds wait = kLongestWait;
  if (!waiting_.empty()) wait = std::min(wait, driver_.next() - now);
  wait = std::max<Nanoseconds>(wait, 0);
  const timespec timeout{wait / kSecond, wait % kSecond};
  std::array<epoll_event, kEvents> events;
  const int ready = ::epoll_pwait2(epoll_, events.data(), kEvents, &timeout, nullptr);
  if (ready < 0 && errno != EINTR) {
    throw std::runtime_error(std::string("epoll: ") + std::strerror(errno));
  }
  for (int i = 0; i < ready; ++i) {
    auto& connection = *static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr);
    if ((events[static_cast<std::size_t>(i)].events & ~std::uint32_t{EPOLLOUT}) != 0) {
      Read(connection);
    }
    Flush(connection);
  }
}

void LdapWorker::Read(Connection& connection) {
  if (!connection.socket.Receive()) {
    Lose(connection, connection.socket.failure());
    return;
  }
  const Nanoseconds now = Now();
  LdapAnswer answer;
  std::size_t size = 0;
  while (connection.socket.open()) {
    const AnswerState state = ReadLdapAnswer(connection.socket.input(), &answer, &size);
    if (state == AnswerState::kIncomplete) break;
    if (state == AnswerState::kMalformed) {
      Lose(connection, "malformed message");
      break;
    }
    Handle(connection, answer, now);
    connection.socket.Consume(size);
  }
}

void LdapWorker::Handle(Connection& connection, const LdapAnswer& answer, Nanoseconds now) {
  Slot* slot = FindSlot(connection, answer.message_id);
  if (slot == nullptr) {
    driver_.Stray(answer.message_id == 0 ? "notice: " + std::string(answer.diagnostic)
                                         : "answer that nobody asked for");
    return;
  }
  Strand& strand = slot->strand;
  if (answer.tag == kSearchResultEntry) {
    const bool counts = strand.operation.action->expected.attributes != 0;
    driver_.FoundEntry(&strand, answer.dn, counts ? CountAttributes(answer.attributes) : 0, now);
    return;
  }
  const auto index = static_cast<std::size_t>(slot - connection.slots.data());
  if (answer.tag != AnswerTag(strand.operation.action->kind)) {
    driver_.Failed(&strand, "answer of another operation");
  } else if (driver_.Finished(&strand, answer.result, now)) {
    Send(connection, index);
    return;
  }
  --busy_;
  Start(connection, index, now);
}

LdapWorker::Slot* LdapWorker::FindSlot(Connection& connection, std::int64_t message_id) {
  const std::size_t index = static_cast<std::size_t>(message_id) & kSlotMask;
  if (index >= connection.slots.size()) return nullptr;
  Slot& slot = connection.slots[index];
  return slot.strand.busy && slot.message_id == message_id ? &slot : nullptr;
}

// A lost connection is not opened again: a run with losses measures nothing.
void LdapWorker::Lose(Connection& connection, const std::string& why) {
  connection.socket.Close();
  const std::string what = "connection lost: " + why;
  const std::size_t busy_before = busy_;
  for (Slot& slot : connection.slots) {
    if (!slot.strand.busy) continue;
    driver_.Failed(&slot.strand, what);
    --busy_;
  }
  if (busy_ == busy_before) driver_.Stray(what);
}

void LdapWorker::GiveUp() {
  for (Connection& connection : connections_) {
    for (Slot& slot : connection.slots) {
      if (slot.strand.busy) driver_.Failed(&slot.strand, "no answer");
    }
  }
  busy_ = 0;
}

void LdapWorker::Watch(Connection& connection, int operation, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &connection;
  if (::epoll_ctl(epoll_, operation, connection.socket.fd(), &event) != 0) {
    throw std::runtime_error(std::string("epoll: ") + std::strerror(errno));
  }
}

}  // namespace

std::unique_ptr<Worker> MakeLdapWorker(WorkerPlan plan, PhaseControl* control, std::size_t labels) {
  return std::make_unique<LdapWorker>(std::move(plan), control, labels);
}

}  // namespace twintree::load
