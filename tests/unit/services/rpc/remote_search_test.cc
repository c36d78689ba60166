#include "services/rpc/remote_search.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "services/rpc/gateway_codec.h"
#include "services/rpc/gateway_limits.h"
#include "tests/unit/services/rpc/fake_directory.h"

namespace twintree::rpc {
namespace {

using model::ResultCode;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kWindow = 1000;
const std::string kHundredOctets(100, 'x');

void AppendEntry(std::string_view dn, std::string_view attributes, std::string* out) {
  const std::string_view pieces[] = {attributes};
  AppendSearchEntry(dn, pieces, out);
}

void SendEntry(const std::shared_ptr<RemoteSearch>& search, std::string_view dn,
               std::string_view attributes) {
  std::string octets;
  AppendEntry(dn, attributes, &octets);
  search->OnEntriesEvent(octets, /*last=*/false);
}

class FakeChannel final : public SearchChannel {
 public:
  void SendCredit(std::uint64_t, std::size_t bytes) override { credit += bytes; }
  void SendCancel(std::uint64_t) override { ++cancels; }
  std::atomic<std::size_t> credit{0};
  std::atomic<int> cancels{0};
};

class RemoteSearchTest : public testing::Test {
 protected:
  ~RemoteSearchTest() override {
    worker_->Stop();
    paused_->EndAll();
  }

  std::shared_ptr<RemoteSearch> Make(const std::shared_ptr<directory::SearchSink>& sink) {
    auto search = std::make_shared<RemoteSearch>(sink, deadline_,
                                                 RemoteSearch::Shared{worker_, paused_, kWindow});
    search->Attach(channel_, 7);
    return search;
  }
  static directory::SearchOutcome Ended(ResultCode code) {
    directory::SearchOutcome outcome;
    outcome.code = code;
    return outcome;
  }

  std::shared_ptr<TimerThread> worker_ = std::make_shared<TimerThread>();
  std::shared_ptr<PausedSearches> paused_ = std::make_shared<PausedSearches>(milliseconds(1000), 2);
  steady_clock::time_point deadline_ = steady_clock::time_point::max();
  std::shared_ptr<FakeChannel> channel_ = std::make_shared<FakeChannel>();
};

TEST_F(RemoteSearchTest, PassesEntriesOnAtOnce) {
  const auto sink = std::make_shared<KeepingSink>();
  const auto search = Make(sink);
  SendEntry(search, "cn=a", "octets");
  EXPECT_EQ(sink->last_dn(), "cn=a");
  EXPECT_EQ(sink->last_attributes(), "octets");
  search->OnOutcomeEvent(Ended(ResultCode::kSizeLimitExceeded));
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kSizeLimitExceeded);
}

TEST_F(RemoteSearchTest, GivesCreditBackAsEntriesAreTaken) {
  const auto search = Make(std::make_shared<KeepingSink>());
  for (int i = 0; i < 10; ++i) SendEntry(search, "cn=a", kHundredOctets);
  const std::size_t cost = 104 + kEntryOverheadBytes;
  EXPECT_EQ(channel_->credit, 9 * cost);  // three at a time: more than half of the window
}

TEST_F(RemoteSearchTest, KeepsEntriesForAFullSink) {
  const auto sink = std::make_shared<KeepingSink>(2);
  const auto search = Make(sink);
  for (int i = 0; i < 5; ++i) SendEntry(search, "cn=" + std::to_string(i), "");
  search->OnOutcomeEvent(Ended(ResultCode::kSuccess));
  EXPECT_EQ(sink->entries(), 2u);
  sink->MakeRoom(100);
  search->Resume();
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kSuccess);
  EXPECT_EQ(sink->entries(), 5u);
  EXPECT_EQ(sink->last_dn(), "cn=4");
}

TEST_F(RemoteSearchTest, TheLongestPauseEndsWhenThereAreTooMany) {
  std::vector<std::shared_ptr<KeepingSink>> sinks;
  std::vector<std::shared_ptr<RemoteSearch>> searches;
  for (int i = 0; i < 3; ++i) {
    sinks.push_back(std::make_shared<KeepingSink>(1));
    searches.push_back(Make(sinks.back()));
    SendEntry(searches.back(), "cn=a", "");
  }
  EXPECT_EQ(sinks[0]->Outcome()->code, ResultCode::kBusy);
  worker_->Stop();  // the directory is told after the sink
  EXPECT_EQ(channel_->cancels, 1);
  EXPECT_EQ(sinks[1]->endings() + sinks[2]->endings(), 0);
}

// However quickly they come: the thread that ends searches may be behind.
TEST_F(RemoteSearchTest, EachPauseBeyondTheBoundEndsAnother) {
  std::promise<void> released;
  worker_->Post([&] { released.get_future().wait(); });
  std::vector<std::shared_ptr<KeepingSink>> sinks;
  std::vector<std::shared_ptr<RemoteSearch>> searches;
  for (int i = 0; i < 6; ++i) {
    sinks.push_back(std::make_shared<KeepingSink>(1));
    searches.push_back(Make(sinks.back()));
    SendEntry(searches.back(), "cn=a", "");
  }
  released.set_value();
  worker_->Stop();
  int ended = 0;
  for (const auto& sink : sinks) ended += sink->endings();
  EXPECT_EQ(ended, 4);
  EXPECT_EQ(sinks[4]->endings() + sinks[5]->endings(), 0);
}

TEST_F(RemoteSearchTest, AFullSinkEarnsNoCredit) {
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = Make(sink);
  for (int i = 0; i < 5; ++i) SendEntry(search, "cn=a", std::string(400, 'x'));
  EXPECT_EQ(channel_->credit, 0u);
}

TEST_F(RemoteSearchTest, AFullSinkIsToldOfTheEndWhenNothingWaits) {
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = Make(sink);
  SendEntry(search, "cn=a", "");
  search->OnOutcomeEvent(Ended(ResultCode::kSuccess));
  EXPECT_EQ(sink->endings(), 1);
}

TEST_F(RemoteSearchTest, AFullSinkTakesTheRestOfALotLater) {
  const auto sink = std::make_shared<KeepingSink>(2);
  const auto search = Make(sink);
  std::string octets;
  for (const char* dn : {"cn=a", "cn=b", "cn=c"}) AppendEntry(dn, "", &octets);
  search->OnEntriesEvent(octets, /*last=*/true);
  search->OnOutcomeEvent(Ended(ResultCode::kSuccess));
  EXPECT_EQ(sink->entries(), 2u);
  sink->MakeRoom(2);
  search->Resume();
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kSuccess);
  EXPECT_EQ(sink->last_dn(), "cn=c");
}

TEST_F(RemoteSearchTest, LetsTheSinkPassOnWhatItHasUnlessTheEndFollows) {
  const auto sink = std::make_shared<KeepingSink>();
  const auto search = Make(sink);
  std::string octets;
  AppendEntry("cn=a", "", &octets);
  search->OnEntriesEvent(octets, /*last=*/false);
  EXPECT_EQ(sink->flushes(), 1);
  search->OnEntriesEvent(octets, /*last=*/true);
  EXPECT_EQ(sink->flushes(), 1);
}

// Full after its first entry; another one comes while it is flushed.
class LateSink final : public directory::SearchSink {
 public:
  Flow OnEntry(std::string_view, std::span<const std::string_view>) override {
    return ++entries == 1 ? Flow::kFull : Flow::kMore;
  }
  void Flush() override {
    if (entries == 2) SendEntry(search.lock(), "cn=late", "");
  }
  void OnDone(directory::SearchOutcome) override { done.set_value(); }

  std::weak_ptr<RemoteSearch> search;
  std::atomic<int> entries{0};
  std::promise<void> done;
};

TEST_F(RemoteSearchTest, EntriesThatComeDuringAFlushAreNotForgotten) {
  const auto sink = std::make_shared<LateSink>();
  const auto search = Make(sink);
  sink->search = search;
  for (const char* dn : {"cn=a", "cn=b"}) SendEntry(search, dn, "");
  auto flushed = sink->done.get_future();
  search->Resume();
  for (int i = 0; i < 5000 && sink->entries < 3; ++i) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(sink->entries, 3);
  search->OnOutcomeEvent(Ended(ResultCode::kSuccess));
  EXPECT_EQ(flushed.wait_for(std::chrono::seconds(5)), std::future_status::ready);
}

TEST_F(RemoteSearchTest, UnreadableEntriesEndIt) {
  const auto sink = std::make_shared<KeepingSink>();
  const auto search = Make(sink);
  std::string octets;
  AppendEntry("cn=a", "", &octets);
  search->OnEntriesEvent(octets + "\x64\x05\x04", /*last=*/false);
  EXPECT_EQ(sink->entries(), 1u);
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kOther);
}

TEST_F(RemoteSearchTest, CancelEndsOnceAndTellsTheDirectory) {
  const auto sink = std::make_shared<KeepingSink>();
  const auto search = Make(sink);
  search->Cancel();
  search->Cancel();
  SendEntry(search, "cn=late", "");
  search->OnOutcomeEvent(Ended(ResultCode::kSuccess));
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kCanceled);
  EXPECT_EQ(sink->endings(), 1);
  EXPECT_EQ(sink->entries(), 0u);
  EXPECT_EQ(channel_->cancels, 1);
}

TEST_F(RemoteSearchTest, CancelDropsWhatAFullSinkHasNotTaken) {
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = Make(sink);
  for (int i = 0; i < 5; ++i) SendEntry(search, "cn=a", "");
  search->Cancel();
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kCanceled);
  EXPECT_EQ(sink->entries(), 1u);
}

// Calls back into its search from OnEntry.
class ReentrantSink final : public directory::SearchSink {
 public:
  enum class Act { kCancel, kResume };
  explicit ReentrantSink(Act act) : act_(act) {}
  Flow OnEntry(std::string_view, std::span<const std::string_view>) override {
    ++entries;
    if (act_ == Act::kCancel) search->Cancel();
    if (act_ == Act::kResume) search->Resume();
    in_entry_ended = endings;
    return Flow::kFull;
  }
  void OnDone(directory::SearchOutcome outcome) override {
    ++endings;
    code = outcome.code;
  }
  std::shared_ptr<RemoteSearch> search;
  int entries = 0;
  int endings = 0;
  int in_entry_ended = 0;
  ResultCode code = ResultCode::kOther;

 private:
  const Act act_;
};

TEST_F(RemoteSearchTest, CancelFromWithinOnEntryEndsAfterIt) {
  const auto sink = std::make_shared<ReentrantSink>(ReentrantSink::Act::kCancel);
  sink->search = Make(sink);
  SendEntry(sink->search, "cn=a", "");
  EXPECT_EQ(sink->in_entry_ended, 0);
  EXPECT_EQ(sink->endings, 1);
  EXPECT_EQ(sink->code, ResultCode::kCanceled);
  sink->search = nullptr;
}

TEST_F(RemoteSearchTest, ResumeMayComeBeforeFullWasNoticed) {
  const auto sink = std::make_shared<ReentrantSink>(ReentrantSink::Act::kResume);
  sink->search = Make(sink);
  SendEntry(sink->search, "cn=a", "");
  SendEntry(sink->search, "cn=b", "");
  EXPECT_EQ(sink->entries, 2);
  sink->search->OnOutcomeEvent(Ended(ResultCode::kSuccess));
  EXPECT_EQ(sink->endings, 1);
  sink->search = nullptr;
}

TEST_F(RemoteSearchTest, ABrokenStreamEndsAPausedSearch) {
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = Make(sink);
  for (int i = 0; i < 3; ++i) SendEntry(search, "cn=a", "");
  search->Fail(Ended(ResultCode::kUnavailable));
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kUnavailable);
  search->Resume();
  search->Cancel();
  EXPECT_EQ(sink->endings(), 1);
}

TEST_F(RemoteSearchTest, APauseHasAnEnd) {
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = Make(sink);
  for (int i = 0; i < 3; ++i) SendEntry(search, "cn=a", "");
  search->OnOutcomeEvent(Ended(ResultCode::kSuccess));
  paused_->Expire(steady_clock::now() + milliseconds(500));
  EXPECT_EQ(sink->endings(), 0);
  paused_->Expire(steady_clock::now() + milliseconds(1001));
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kTimeLimitExceeded);
  EXPECT_EQ(sink->entries(), 1u);
  EXPECT_EQ(channel_->cancels, 1);
}

TEST_F(RemoteSearchTest, AResumedPauseIsForgotten) {
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = Make(sink);
  SendEntry(search, "cn=a", "");
  search->Resume();
  paused_->Expire(steady_clock::now() + milliseconds(5000));
  paused_->EndAll();
  EXPECT_EQ(sink->endings(), 0);
}

TEST_F(RemoteSearchTest, ADeadlineEndsAPause) {
  deadline_ = steady_clock::now() + milliseconds(100);
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = Make(sink);
  SendEntry(search, "cn=a", "");
  paused_->Expire(deadline_);
  EXPECT_EQ(sink->endings(), 0);
  paused_->Expire(deadline_ + milliseconds(1));
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kTimeLimitExceeded);
}

TEST_F(RemoteSearchTest, DeliversAfterItsWorkerHasStopped) {
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = Make(sink);
  for (int i = 0; i < 3; ++i) SendEntry(search, "cn=a", "");
  search->OnOutcomeEvent(Ended(ResultCode::kSuccess));
  worker_->Stop();
  sink->MakeRoom(100);
  search->Resume();
  EXPECT_EQ(sink->endings(), 1);
  EXPECT_EQ(sink->entries(), 3u);
}

}  // namespace
}  // namespace twintree::rpc
