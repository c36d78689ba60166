// Abandon (RFC 4511 4.11) and cancel (RFC 3909).
#include "tests/unit/ldap_gateway/session/session_fixture.h"

namespace twintree::ldap::testing {
namespace {

using model::ResultCode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CancelTest : public SessionTest {
 protected:
  void SetUp() override {
    directory_->defer_searches = true;
    directory_->defer_calls = true;
  }
  FakeSearch& search() { return *directory_->searches.at(0); }
};

TEST_F(CancelTest, AbandonedSearchSendsNothingMore) {
  EXPECT_THAT(Exchange(PlainSearch(1) + Abandon(2, 1)), IsEmpty());
  EXPECT_TRUE(search().canceled);
  EXPECT_TRUE(session_->idle());
}

TEST_F(CancelTest, EntriesOfAnAbandonedSearchAreDropped) {
  Exchange(PlainSearch(1));
  search().cancels_by_itself = false;
  search().Pump();
  EXPECT_THAT(Exchange(Abandon(2, 1)), IsEmpty());
  session_->Wake();
  EXPECT_THAT(Take(), IsEmpty());
}

TEST_F(CancelTest, AbandonOfNothingIsIgnored) {
  EXPECT_THAT(Exchange(Abandon(2, 1) + Abandon(3, 3)), IsEmpty());
  EXPECT_FALSE(Closing());
}

TEST_F(CancelTest, AbandonedUpdateIsAnsweredAllTheSame) {
  Exchange(Delete(1, "cn=x") + Abandon(2, 1));
  directory_->Flush();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1));
}

TEST_F(CancelTest, AbandonedSearchesCountAsPendingUntilTheyHaveStopped) {
  limits_.max_pending_operations = 2;
  Exchange(PlainSearch(1));
  search().cancels_by_itself = false;
  Exchange(Abandon(2, 1) + PlainSearch(3));
  EXPECT_FALSE(session_->wants_input());
  search().Pump();
  session_->Wake();
  EXPECT_TRUE(session_->wants_input());
}

TEST_F(CancelTest, CanceledSearchAndCancelAreBothAnswered) {
  const auto responses = Exchange(PlainSearch(1) + Cancel(2, 1));
  ASSERT_THAT(IdsOf(responses), ElementsAre(1, 2));
  EXPECT_EQ(responses[0].tag, kSearchDone);
  EXPECT_EQ(responses[0].code, static_cast<int>(ResultCode::kCanceled));
  EXPECT_EQ(responses[1].tag, kExtendedResponse);
  EXPECT_EQ(responses[1].code, 0);
  EXPECT_TRUE(session_->idle());
}

TEST_F(CancelTest, CancelOfNothing) {
  EXPECT_EQ(Exchange(Cancel(2, 1)).at(0).code, static_cast<int>(ResultCode::kNoSuchOperation));
}

TEST_F(CancelTest, UpdatesCannotBeCanceled) {
  EXPECT_EQ(Exchange(Delete(1, "cn=x") + Cancel(2, 1)).at(0).code,
            static_cast<int>(ResultCode::kCannotCancel));
  directory_->Flush();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1));
}

TEST_F(CancelTest, CancelThatComesTooLate) {
  Exchange(PlainSearch(1));
  search().cancels_by_itself = false;
  search().Pump();  // the result is on its way
  EXPECT_THAT(Exchange(Cancel(2, 1)), IsEmpty());
  session_->Wake();
  const auto responses = Take();
  ASSERT_THAT(IdsOf(responses), ElementsAre(1, 1, 2));
  EXPECT_EQ(responses[1].code, 0);
  EXPECT_EQ(responses[2].code, static_cast<int>(ResultCode::kTooLate));
}

TEST_F(CancelTest, SecondCancelIsRefused) {
  Exchange(PlainSearch(1));
  search().cancels_by_itself = false;
  Exchange(Cancel(2, 1));
  EXPECT_EQ(Exchange(Cancel(3, 1)).at(0).code, static_cast<int>(ResultCode::kCannotCancel));
  search().Pump();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1, 2));
}

TEST_F(CancelTest, AbandonOfACanceledSearchAnswersTheCancel) {
  Exchange(PlainSearch(1));
  search().cancels_by_itself = false;
  Exchange(Cancel(2, 1));
  const auto responses = Exchange(Abandon(3, 1));
  ASSERT_THAT(IdsOf(responses), ElementsAre(2));
  EXPECT_EQ(responses[0].code, 0);
  search().Pump();
  session_->Wake();
  EXPECT_THAT(Take(), IsEmpty());
  EXPECT_TRUE(session_->idle());
}

TEST_F(CancelTest, CancelWithoutValueIsAProtocolError) {
  EXPECT_EQ(Exchange(Extended(1, "1.3.6.1.1.8")).at(0).code, 2);
}

TEST_F(CancelTest, CloseWithACancelUnderWay) {
  Exchange(PlainSearch(1));
  search().cancels_by_itself = false;
  Exchange(Cancel(2, 1));
  const std::weak_ptr<Session> weak = session_;
  session_->Close();
  session_.reset();
  search().Pump();
  EXPECT_TRUE(weak.expired());
}

}  // namespace
}  // namespace twintree::ldap::testing
