// Answers from other threads, for the thread sanitizer.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/unit/ldap_gateway/session/session_fixture.h"

namespace twintree::ldap::testing {
namespace {

// Runs the session's thread: waits for wakes and takes the output.
class WakingHost final : public SessionHost {
 public:
  void RequestWake() override {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_one();
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return woken_; });
    woken_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;
};

// A search that waits while the sink is full.
class WaitingSearch final : public directory::SearchOperation {
 public:
  void Resume() override { Signal(&resumed_); }
  void Cancel() override { Signal(&canceled_); }

  // On a thread of its own.
  void Run(const std::shared_ptr<directory::SearchSink>& sink, int entries) {
    const std::string attributes = EncodeAttributes({{"cn", {std::string(100, 'x')}}});
    const std::array<std::string_view, 1> pieces = {attributes};
    for (int i = 0; i < entries; ++i) {
      if (sink->OnEntry("cn=x", pieces) == directory::SearchSink::Flow::kMore) continue;
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return resumed_ || canceled_; });
      if (canceled_) break;
      resumed_ = false;
    }
    directory::SearchOutcome outcome;
    if (IsCanceled()) outcome.code = model::ResultCode::kCanceled;
    sink->OnDone(std::move(outcome));
  }

 private:
  bool IsCanceled() {
    const std::lock_guard lock(mutex_);
    return canceled_;
  }
  void Signal(bool* flag) {
    const std::lock_guard lock(mutex_);
    *flag = true;
    changed_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool resumed_ = false;
  bool canceled_ = false;
};

// Answers everything on a new thread. Such a thread may be the last to let go of its search and of
// the session, but not of the directory, which joins it.
class ThreadedDirectory final : public directory::Directory {
 public:
  int entries = 1000;

  std::shared_ptr<directory::SearchOperation> Search(
      const directory::RequestContext&, directory::SearchRequest,
      std::shared_ptr<directory::SearchSink> sink) override {
    auto search = std::make_shared<WaitingSearch>();
    threads.emplace_back(
        [search, sink = std::move(sink), count = entries] { search->Run(sink, count); });
    return search;
  }
  void Delete(const directory::RequestContext&, directory::DeleteRequest, Callback done) override {
    threads.emplace_back([done = std::move(done)] { done({}); });
  }
  void Bind(const directory::RequestContext&, directory::BindRequest, BindCallback done) override {
    threads.emplace_back([done = std::move(done)] { done({}); });
  }
  void Compare(const directory::RequestContext&, directory::CompareRequest, Callback) override {}
  void Add(const directory::RequestContext&, directory::AddRequest, Callback) override {}
  void Modify(const directory::RequestContext&, directory::ModifyRequest, Callback) override {}
  void ModifyDn(const directory::RequestContext&, directory::ModifyDnRequest, Callback) override {}
  void ModifyPassword(const directory::RequestContext&, directory::ModifyPasswordRequest,
                      Callback) override {}

  std::vector<std::jthread> threads;
};

class SessionThreadTest : public ::testing::Test {
 protected:
  ~SessionThreadTest() override { directory_->threads.clear(); }
  void Open() {
    SessionLimits limits;
    limits.output_high_watermark_bytes = 4000;
    limits.output_low_watermark_bytes = 2000;
    auto door = std::make_shared<const Door>(directory_, nullptr, limits, false);
    session_ = std::make_shared<Session>(door, SessionPeer{});
    session_->set_host(host_);
  }
  void TakeOutput() {
    while (!session_->output().empty()) {
      octets_.append(session_->output());
      session_->Consume(session_->output().size());
    }
  }
  void AwaitMore() {
    if (session_->wants_turn()) return session_->Continue();
    host_->Wait();
    session_->Wake();
  }
  // Serves the session until `count` final responses have come.
  std::vector<Response> ServeUntil(std::size_t count) {
    std::vector<Response> responses;
    std::size_t final_responses = 0;
    for (TakeOutput();; AwaitMore(), TakeOutput()) {
      for (Response& response : TakeResponses(&octets_)) {
        if (response.tag != kSearchEntry) ++final_responses;
        responses.push_back(std::move(response));
      }
      if (final_responses == count) return responses;
    }
  }

  std::shared_ptr<ThreadedDirectory> directory_ = std::make_shared<ThreadedDirectory>();
  std::shared_ptr<WakingHost> host_ = std::make_shared<WakingHost>();
  std::shared_ptr<Session> session_;
  std::string octets_;
};

TEST_F(SessionThreadTest, SearchesFromManyThreads) {
  Open();
  for (int id = 1; id <= 8; ++id) session_->Receive(PlainSearch(id));
  const auto responses = ServeUntil(8);
  EXPECT_EQ(responses.size(), 8u * 1001u);
  session_->Close();
}

TEST_F(SessionThreadTest, CallsFromManyThreads) {
  Open();
  std::string octets = Bind(200, "", "");
  for (int id = 1; id <= 50; ++id) octets += Delete(id, "cn=x");
  session_->Receive(octets);
  EXPECT_EQ(ServeUntil(51).size(), 51u);
  session_->Close();
}

TEST_F(SessionThreadTest, CloseWhileOtherThreadsAnswer) {
  Open();
  directory_->entries = 1000000;
  for (int id = 1; id <= 4; ++id) session_->Receive(PlainSearch(id));
  for (int i = 0; i < 20; ++i) {
    host_->Wait();
    session_->Wake();
    TakeOutput();
  }
  session_->Close();
  session_.reset();
  directory_->threads.clear();  // joins the searchers: they have all been told to stop
}

TEST_F(SessionThreadTest, CancelWhileOtherThreadsAnswer) {
  Open();
  directory_->entries = 1000000;
  session_->Receive(PlainSearch(1));
  session_->Receive(Cancel(2, 1));
  const auto responses = ServeUntil(2);
  EXPECT_EQ(responses[responses.size() - 2].code, static_cast<int>(model::ResultCode::kCanceled));
  EXPECT_EQ(responses.back().code, 0);
  session_->Close();
}

}  // namespace
}  // namespace twintree::ldap::testing
