// The gRPC side of Worker: one completion queue, a channel with a socket of its own for each
// connection.

#include <absl/synchronization/mutex.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "load/client/grpc_call.h"
#include "load/client/worker.h"

namespace twintree::load {
namespace {

constexpr Nanoseconds kLongestWait = 100 * kMillisecond;
constexpr int kConnectSeconds = 30;
constexpr int kMaxMessageBytes = 64 * 1024 * 1024;  // what the service promises never to exceed

class GrpcWorker : public Worker {
 public:
  GrpcWorker(WorkerPlan plan, PhaseControl* control, std::size_t labels);
  ~GrpcWorker() override;

  void Connect() override;
  void Run() override;

 private:
  struct Connection {
    std::shared_ptr<grpc::Channel> channel;
    GrpcStubs stubs;
  };
  struct Slot {
    Connection* connection;
    Strand strand;
    std::unique_ptr<GrpcCall> call;
  };

  std::shared_ptr<grpc::Channel> OpenChannel() const;
  void Authenticate(DirectoryStub* stub);
  void Start(Slot& slot, Nanoseconds now);
  void Send(Slot& slot);
  void StartWaiting(Nanoseconds now);
  void Wait(Nanoseconds now);
  void Handle(Slot& slot, bool ok, Nanoseconds now);
  void GiveUp();

  WorkerPlan plan_;
  StrandDriver driver_;
  NewEntryWriter new_entries_;
  grpc::CompletionQueue queue_;
  GrpcCaller caller_;
  std::vector<Connection> connections_;
  std::vector<std::unique_ptr<Slot>> slots_;  // their addresses are tags of the queue
  std::vector<Slot*> waiting_;                // free strands whose moment has not come
  std::size_t busy_ = 0;
};

GrpcWorker::GrpcWorker(WorkerPlan plan, PhaseControl* control, std::size_t labels)
    : Worker(control, labels),
      plan_(std::move(plan)),
      driver_(control, &recorder_, plan_.pacer),
      new_entries_(plan_.seed),
      caller_{&queue_, &new_entries_, ""},
      connections_(plan_.connections.size()) {
  for (std::size_t i = 0; i < plan_.connections.size(); ++i) {
    const ConnectionPlan& wanted = plan_.connections[i];
    for (int j = 0; j < wanted.depth; ++j) {
      const Random random(plan_.seed, wanted.random_stream + static_cast<std::uint64_t>(j));
      slots_.push_back(std::make_unique<Slot>(
          Slot{&connections_[i], Strand(wanted.workload, wanted.paced, random), nullptr}));
    }
  }
}

GrpcWorker::~GrpcWorker() {
  queue_.Shutdown();
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) {
  }
}

void GrpcWorker::Connect() {
  const auto deadline = std::chrono::system_clock::now() + std::chrono::seconds(kConnectSeconds);
  for (Connection& connection : connections_) {
    connection.channel = OpenChannel();
    if (!connection.channel->WaitForConnected(deadline)) {
      throw std::runtime_error("cannot connect to " + plan_.target.Address());
    }
    connection.stubs = {directory::v1::DirectoryService::NewStub(connection.channel),
                        grpc::health::v1::Health::NewStub(connection.channel),
                        std::make_unique<ReadingStub>(connection.channel)};
  }
  if (!plan_.credentials.dn.empty()) Authenticate(connections_.front().stubs.directory.get());
}

std::shared_ptr<grpc::Channel> GrpcWorker::OpenChannel() const {
  grpc::ChannelArguments arguments;
  // Otherwise all channels to one address share a socket.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  return grpc::CreateCustomChannel(plan_.target.Address(), grpc::InsecureChannelCredentials(),
                                   arguments);
}

void GrpcWorker::Authenticate(DirectoryStub* stub) {
  grpc::ClientContext context;
  directory::v1::AuthenticateRequest request;
  directory::v1::AuthenticateResponse response;
  request.set_dn(plan_.credentials.dn);
  request.set_password(plan_.credentials.password);
  const grpc::Status status = stub->Authenticate(&context, request, &response);
  if (!status.ok()) {
    throw std::runtime_error("authenticate as " + plan_.credentials.dn + ": " +
                             status.error_message());
  }
  caller_.authorization = "Bearer " + response.token();
}

void GrpcWorker::Run() {
  const Nanoseconds begin = Now();
  driver_.Begin(begin);
  for (const auto& slot : slots_) Start(*slot, begin);
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

void GrpcWorker::Start(Slot& slot, Nanoseconds now) {
  switch (driver_.TryStart(&slot.strand, now)) {
    case StrandDriver::Start::kStarted:
      ++busy_;
      Send(slot);
      break;
    case StrandDriver::Start::kLater: waiting_.push_back(&slot); break;
    case StrandDriver::Start::kFinished: break;
  }
}

void GrpcWorker::Send(Slot& slot) {
  slot.call = StartCall(slot.strand.operation, slot.connection->stubs, caller_, &slot);
}

void GrpcWorker::StartWaiting(Nanoseconds now) {
  while (!waiting_.empty() && (now >= driver_.next() || driver_.IsOver(now))) {
    Slot* const slot = waiting_.back();
    waiting_.pop_back();
    Start(*slot, now);
  }
}

void GrpcWorker::Wait(Nanoseconds now) {
  Nanoseconds wait = kLongestWait;
  if (!waiting_.empty()) wait = std::clamp<Nanoseconds>(driver_.next() - now, 0, wait);
  const gpr_timespec deadline =
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(wait, GPR_TIMESPAN));
  void* tag = nullptr;
  bool ok = false;
  if (queue_.AsyncNext(&tag, &ok, deadline) == grpc::CompletionQueue::GOT_EVENT) {
    Handle(*static_cast<Slot*>(tag), ok, Now());
  }
}

void GrpcWorker::Handle(Slot& slot, bool ok, Nanoseconds now) {
  const auto end = slot.call->Proceed(ok, &driver_, &slot.strand, now);
  if (!end) return;
  if (!end->failure.empty()) {
    driver_.Failed(&slot.strand, end->failure);
  } else if (driver_.Finished(&slot.strand, end->result, now)) {
    Send(slot);
    return;
  }
  slot.call.reset();
  --busy_;
  Start(slot, now);
}

// Calls that were cancelled still end with an event each, or several.
void GrpcWorker::GiveUp() {
  for (const auto& slot : slots_) {
    if (!slot->strand.busy) continue;
    driver_.Failed(&slot->strand, "no answer");
    slot->call->Cancel();
  }
  void* tag = nullptr;
  bool ok = false;
  while (busy_ != 0 && queue_.Next(&tag, &ok)) {
    Slot& slot = *static_cast<Slot*>(tag);
    if (slot.call->Proceed(ok, &driver_, &slot.strand, Now())) --busy_;
  }
}

}  // namespace

std::unique_ptr<Worker> MakeGrpcWorker(WorkerPlan plan, PhaseControl* control, std::size_t labels) {
  // Debian's Abseil looks for deadlocks at each lock of gRPC's, which costs a tenth of a call.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  return std::make_unique<GrpcWorker>(std::move(plan), control, labels);
}

}  // namespace twintree::load
