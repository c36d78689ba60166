// A client's bidirectional stream whose reactions all run in one thread: ClientBidiReactor on a
// completion queue of our own.
//
// gRPC's callback threads share the work of polling: whichever finds an event wakes another one to
// poll on before it reacts. For a stream that is busy all the time those wake-ups cost more than
// the reactions; a queue with a single thread needs none.
//
//   CompletionPoller poller;                        // outlives its streams
//   class Mine : public PolledStream<Request, Response> { void OnReadDone(bool ok) override; ... };
//   context->set_initial_metadata_corked(true);
//   mine->AddHold();
//   mine->StartCall(stub->PrepareAsyncConnect(context, poller.queue()), &response);
//   mine->StartWrite(&request);
//
// As with ClientBidiReactor, OnDone() is the last reaction; it comes once the call has ended, every
// operation that was started has had its reaction, and every hold is removed.
//
// Thread-safety: operations may be started from any thread, one of each kind at a time, while a
// hold or another operation keeps the stream from being done. Reactions run in the poller's thread.
#ifndef TWINTREE_SERVICES_RPC_POLLED_STREAM_H_
#define TWINTREE_SERVICES_RPC_POLLED_STREAM_H_

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/async_stream.h>
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <thread>
#include <utility>

namespace twintree::rpc {

// What a completion queue gives back.
class CompletionTag {
 public:
  virtual void OnCompleted(bool ok) = 0;

 protected:
  ~CompletionTag() = default;
};

// A completion queue and the thread that takes its events.
class CompletionPoller {
 public:
  CompletionPoller() : thread_([this] { Run(); }) {}
  // Returns when every operation on the queue has completed.
  ~CompletionPoller() {
    queue_.Shutdown();
    thread_.join();
  }
  CompletionPoller(const CompletionPoller&) = delete;
  CompletionPoller& operator=(const CompletionPoller&) = delete;

  grpc::CompletionQueue* queue() { return &queue_; }

 private:
  void Run() {
    // Signals belong to the main thread.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok)) static_cast<CompletionTag*>(tag)->OnCompleted(ok);
  }

  grpc::CompletionQueue queue_;
  std::thread thread_;
};

template <typename Request, typename Response>
class PolledStream {
 public:
  using Call = std::unique_ptr<grpc::ClientAsyncReaderWriter<Request, Response>>;

  PolledStream() = default;
  PolledStream(const PolledStream&) = delete;
  PolledStream& operator=(const PolledStream&) = delete;
  virtual ~PolledStream() = default;

  // Reads the first message, too. The caller has a hold, has corked the context's initial metadata,
  // and follows up with StartWrite(), which sends both.
  void StartCall(Call call, Response* first) {
    call_ = std::move(call);
    first_ = first;
    call_->StartCall(nullptr);
    AddHold();
    call_->ReadInitialMetadata(&answered_);
  }
  // In a reaction.
  void StartRead(Response* response) {
    AddHold();
    call_->Read(response, &read_);
  }
  void StartWrite(const Request* request) {
    AddHold();
    call_->Write(*request, &written_);
  }
  void StartWritesDone() {
    AddHold();
    call_->WritesDone(&half_closed_);
  }
  void AddHold() { outstanding_.fetch_add(1, std::memory_order_relaxed); }
  void RemoveHold() {
    if (outstanding_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    call_ = nullptr;  // lives in memory of the context's
    OnDone(status_);
  }

 protected:
  virtual void OnReadDone(bool ok) = 0;
  virtual void OnWriteDone(bool ok) = 0;
  virtual void OnWritesDoneDone(bool ok) = 0;
  virtual void OnDone(const grpc::Status& status) = 0;

 private:
  using Reaction = void (PolledStream::*)(bool);

  class Tag final : public CompletionTag {
   public:
    Tag(PolledStream* stream, Reaction reaction) : stream_(stream), reaction_(reaction) {}
    void OnCompleted(bool ok) override {
      if (reaction_ != nullptr) (stream_->*reaction_)(ok);
      stream_->RemoveHold();
    }

   private:
    PolledStream* const stream_;
    const Reaction reaction_;
  };

  // Reading and finishing would both take the initial metadata, which only one may.
  void OnAnswered(bool) {
    AddHold();
    call_->Finish(&status_, &finished_);
    StartRead(first_);
  }

  Call call_;
  Response* first_ = nullptr;
  grpc::Status status_;
  std::atomic<int> outstanding_{0};
  Tag answered_{this, &PolledStream::OnAnswered};
  Tag finished_{this, nullptr};
  Tag read_{this, &PolledStream::OnReadDone};
  Tag written_{this, &PolledStream::OnWriteDone};
  Tag half_closed_{this, &PolledStream::OnWritesDoneDone};
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_POLLED_STREAM_H_
