// Concurrency and flow control: pipelining, the bound on pending operations, backpressure.
#include "tests/unit/ldap_gateway/session/session_fixture.h"

namespace twintree::ldap::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class FlowTest : public SessionTest {
 protected:
  void SetUp() override {
    limits_.output_high_watermark_bytes = 10000;
    limits_.output_low_watermark_bytes = 5000;
    limits_.max_output_bytes = 15000;
    directory_->attributes = EncodeAttributes({{"description", {std::string(1000, 'd')}}});
  }
  FakeSearch& search(std::size_t i) { return *directory_->searches.at(i); }
  // Takes `n` octets of the output.
  void Send(std::size_t n) {
    sent_.append(session_->output().substr(0, n));
    session_->Consume(n);
  }
  std::string sent_;
};

TEST_F(FlowTest, PipelinedRequestsAreAnsweredAsTheyEnd) {
  directory_->defer_calls = true;
  Exchange(Delete(1, "a") + Delete(2, "b") + PlainSearch(3));
  auto deferred = std::exchange(directory_->deferred, {});
  ASSERT_THAT(deferred, SizeIs(2));
  deferred[1]();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(2));
  deferred[0]();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1));
}

TEST_F(FlowTest, AnswersFromElsewhereShareOneWake) {
  directory_->defer_calls = true;
  Exchange(Delete(1, "a") + Delete(2, "b") + Delete(3, "c"));
  directory_->Flush();
  EXPECT_EQ(host_->wakes, 1);
  EXPECT_TRUE(session_->output().empty());
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1, 2, 3));
}

TEST_F(FlowTest, ManyRequestsLeaveTurnsToOthers) {
  limits_.max_turn_time = std::chrono::milliseconds(0);
  Exchange(Delete(1, "a") + Delete(2, "b") + Delete(3, "c"));
  EXPECT_THAT(directory_->deletes, SizeIs(1));
  EXPECT_TRUE(session_->wants_turn());
  EXPECT_FALSE(session_->wants_input());
  EXPECT_FALSE(session_->idle());
  session_->Wake();  // answers of others are no turn
  EXPECT_THAT(directory_->deletes, SizeIs(1));
  session_->Continue();
  EXPECT_THAT(directory_->deletes, SizeIs(2));
  session_->Continue();
  EXPECT_THAT(directory_->deletes, SizeIs(3));
  EXPECT_FALSE(session_->wants_turn());
  EXPECT_TRUE(session_->wants_input());
}

TEST_F(FlowTest, ReadsNoFurtherAtTheBoundOfPendingOperations) {
  limits_.max_pending_operations = 2;
  directory_->defer_calls = true;
  Exchange(Delete(1, "a") + Delete(2, "b") + Delete(3, "c"));
  EXPECT_THAT(directory_->deletes, SizeIs(2));
  EXPECT_FALSE(session_->wants_input());
  directory_->Flush();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1, 2));
  EXPECT_THAT(directory_->deletes, SizeIs(3));
  EXPECT_TRUE(session_->wants_input());
  directory_->Flush();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(3));
}

TEST_F(FlowTest, ReadsNoFurtherAtTheBoundOfPendingOctets) {
  limits_.max_pending_bytes = 1500;
  directory_->defer_calls = true;
  const std::string dn(1000, 'a');
  Exchange(Delete(1, dn) + Delete(2, dn) + Delete(3, dn));
  EXPECT_THAT(directory_->deletes, SizeIs(2));
  EXPECT_FALSE(session_->wants_input());
  directory_->Flush();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1, 2));
  EXPECT_THAT(directory_->deletes, SizeIs(3));
  EXPECT_TRUE(session_->wants_input());
  directory_->Flush();
}

TEST_F(FlowTest, OneRequestMayBeLargerThanTheBoundOfPendingOctets) {
  limits_.max_pending_bytes = 10;
  const std::string dn(1000, 'a');
  EXPECT_THAT(IdsOf(Exchange(Delete(1, dn) + Delete(2, dn))), ElementsAre(1, 2));
}

TEST_F(FlowTest, AFilterCountsAsWhatItTakesInMemory) {
  limits_.max_pending_bytes = 20000;
  directory_->defer_searches = true;
  SearchFields fields;
  fields.filter = "(|";
  for (int i = 0; i < 200; ++i) fields.filter += "(c=*)";
  fields.filter += ")";
  Exchange(Search(1, fields) + Search(2, fields));
  EXPECT_THAT(directory_->searches, SizeIs(1));
  Exchange(PlainSearch(3));
  EXPECT_THAT(directory_->searches, SizeIs(1));
  search(0).Pump();
  session_->Wake();
  EXPECT_THAT(directory_->searches, SizeIs(2));
}

TEST_F(FlowTest, AnAbandonedSearchCountsUntilItHasStopped) {
  limits_.max_pending_bytes = 2000;
  directory_->defer_searches = true;
  SearchFields fields;
  fields.base = "cn=" + std::string(1500, 'x');
  Open();
  session_->Receive(Search(1, fields));
  search(0).cancels_by_itself = false;
  session_->Receive(Abandon(2, 1) + Search(3, fields) + PlainSearch(4));
  EXPECT_THAT(directory_->searches, SizeIs(2));
  EXPECT_FALSE(session_->wants_input());
  search(0).Pump();
  session_->Wake();
  EXPECT_THAT(directory_->searches, SizeIs(3));
}

TEST_F(FlowTest, SearchPausesAboveTheHighWatermarkAndGoesOnBelowTheLow) {
  directory_->entries = 100;
  Open();
  session_->Receive(PlainSearch(1));
  const std::size_t first = search(0).sent;
  EXPECT_THAT(session_->output(), SizeIs(::testing::Lt(12000u)));
  EXPECT_LT(first, 12u);
  Send(3000);
  EXPECT_EQ(search(0).sent, first);
  Send(4000);
  EXPECT_GT(search(0).sent, first);
  sent_ += Drain();
  EXPECT_THAT(Responses(sent_), SizeIs(101));
}

TEST_F(FlowTest, PausedSearchesTakeTurns) {
  directory_->entries = 100;
  directory_->defer_searches = true;
  Exchange(PlainSearch(1) + PlainSearch(2));
  search(0).Pump();
  search(1).Pump();
  session_->Wake();
  const std::string octets = Drain();
  EXPECT_THAT(Responses(octets), SizeIs(202));
  EXPECT_GT(search(0).resumed, 5u);
  EXPECT_GT(search(1).resumed, 5u);
}

TEST_F(FlowTest, RequestsWaitWhileTheClientDoesNotRead) {
  std::string requests;
  for (int id = 1; id <= 30; ++id) requests += PlainSearch(id);
  Open();
  session_->Receive(requests + Delete(31, "a"));
  EXPECT_THAT(session_->output(), SizeIs(::testing::Lt(17000u)));
  EXPECT_FALSE(session_->wants_input());
  EXPECT_THAT(directory_->deletes, IsEmpty());
  const auto responses = Take();
  EXPECT_THAT(responses, SizeIs(61));
  EXPECT_TRUE(session_->wants_input());
}

TEST_F(FlowTest, ReadsNoFurtherWhileManySearchesArePaused) {
  directory_->entries = 100;
  directory_->defer_searches = true;
  std::string requests;
  for (std::size_t id = 1; id <= kMaxPausedSearches; ++id) {
    requests += PlainSearch(static_cast<std::int64_t>(id));
  }
  Exchange(requests);
  EXPECT_TRUE(session_->wants_input());
  for (std::size_t i = 0; i < kMaxPausedSearches; ++i) search(i).Pump();
  session_->Wake();
  EXPECT_FALSE(session_->wants_input());
  EXPECT_THAT(Responses(Drain()), SizeIs(101 * kMaxPausedSearches));
  EXPECT_TRUE(session_->wants_input());
}

TEST_F(FlowTest, NobodyWantsTheAnswersOfAClosedSession) {
  directory_->defer_calls = true;
  Exchange(Delete(1, "a"));
  EXPECT_FALSE(directory_->contexts.back().IsUnwanted());
  session_->Close();
  EXPECT_TRUE(directory_->contexts.back().IsUnwanted());
  directory_->Flush();
  EXPECT_THAT(Drain(), IsEmpty());
}

TEST_F(FlowTest, EntriesFromElsewhereAreBoundedToo) {
  directory_->entries = 100;
  directory_->defer_searches = true;
  Exchange(PlainSearch(1));
  search(0).Pump();
  EXPECT_LT(search(0).sent, 12u);
  session_->Wake();
  EXPECT_THAT(Responses(Drain()), SizeIs(101));
}

TEST_F(FlowTest, PausedSearchCanBeAbandoned) {
  directory_->entries = 100;
  Open();
  session_->Receive(PlainSearch(1));
  Send(7000);  // the search has filled the output again
  EXPECT_TRUE(session_->wants_input());
  session_->Receive(Abandon(2, 1));
  sent_ += Drain();
  const std::size_t sent = search(0).sent;
  const auto responses = Responses(sent_);
  EXPECT_EQ(responses.size(), sent);
  EXPECT_LT(sent, 100u);
  EXPECT_TRUE(session_->idle());
}

TEST_F(FlowTest, CloseWhileASearchIsPaused) {
  directory_->entries = 100;
  Open();
  session_->Receive(PlainSearch(1));
  session_->Close();
  EXPECT_TRUE(search(0).canceled);
  EXPECT_LT(search(0).sent, 12u);
}

TEST_F(FlowTest, AnEntryLargerThanTheWatermarkGoesThrough) {
  directory_->attributes = EncodeAttributes({{"jpegPhoto", {std::string(100000, 'j')}}});
  directory_->entries = 3;
  EXPECT_THAT(Exchange(PlainSearch(1)), SizeIs(4));
}

}  // namespace
}  // namespace twintree::ldap::testing
