// Framing, malformed input, limits, the end of a session.
#include "ldap_gateway/session/session.h"

#include "tests/unit/ldap_gateway/session/session_fixture.h"

namespace twintree::ldap::testing {
namespace {

using model::ResultCode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(SessionTest, TakesOctetsInAnyPortions) {
  Open();
  std::string octets;
  for (const char octet : PlainSearch(1) + Delete(2, "cn=x") + PlainSearch(3)) {
    session_->Receive(std::string_view(&octet, 1));
    octets += Drain();
  }
  EXPECT_THAT(IdsOf(Responses(octets)), ElementsAre(1, 1, 2, 3, 3));
}

TEST_F(SessionTest, AnswersAllOfOneReadAtOnce) {
  Open();
  std::string octets;
  for (int id = 1; id <= 50; ++id) octets += Delete(id, "cn=x");
  session_->Receive(octets);
  EXPECT_EQ(Responses(session_->output()).size(), 50u);
}

class MalformedTest : public SessionTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(MalformedTest, EndsWithANotice) {
  ExpectNotice(Exchange(Octets(GetParam())), ResultCode::kProtocolError);
  EXPECT_THAT(directory_->binds, IsEmpty());
}

// The octets of the cases BER-01, BER-04 and DOS-01.
INSTANTIATE_TEST_SUITE_P(
    Cases, MalformedTest,
    ::testing::Values("474554202f20485454502f312e310d0a", "1603010200010001fc0303",
                      "3005 020101 7e00", "300c 020101 6007 020103 047f 8000",
                      "3010 02050080000000 6007 020103 0400 8000",
                      "300c 0201ff 6007 020103 0400 8000", "300c 020100 6007 020103 0400 8000",
                      "30847fffffff 020101", "3084ffffffff 020101", "3088ffffffffffffffff",
                      "30843fffffff 020101 63843ffffff0", "3089010000000000000005 020101 4200"));

TEST_F(SessionTest, WrongContentIsAnsweredAndNothingMore) {
  SearchFields fields;
  fields.scope = 7;
  const auto responses = Exchange(Search(4, fields) + PlainSearch(5));
  ASSERT_THAT(IdsOf(responses), ElementsAre(4, 5, 5));
  EXPECT_EQ(responses[0].tag, kSearchDone);
  EXPECT_EQ(responses[0].code, 2);
  EXPECT_NE(responses[0].diagnostic, "");
}

TEST_F(SessionTest, NothingIsDoneAfterTheNotice) {
  ExpectNotice(Exchange(Octets("3005 020101 7e00") + Delete(2, "cn=x")),
               ResultCode::kProtocolError);
  EXPECT_THAT(Exchange(Delete(3, "cn=x")), IsEmpty());
  EXPECT_THAT(directory_->deletes, IsEmpty());
  EXPECT_FALSE(session_->wants_input());
}

TEST_F(SessionTest, NoticeGivesUpWhatIsUnderWay) {
  directory_->defer_searches = true;
  Exchange(PlainSearch(1));
  ExpectNotice(Exchange("GET /"), ResultCode::kProtocolError);
  EXPECT_TRUE(directory_->searches[0]->canceled);
  EXPECT_THAT(Take(), IsEmpty());
}

TEST_F(SessionTest, AnonymousMessagesAreBounded) {
  limits_.max_anonymous_message_bytes = 1000;
  ExpectNotice(Exchange(Delete(1, std::string(1000, 'x'))), ResultCode::kProtocolError);
  EXPECT_THAT(directory_->deletes, IsEmpty());
}

TEST_F(SessionTest, AuthenticatedMessagesMayBeLarger) {
  limits_.max_anonymous_message_bytes = 1000;
  limits_.max_message_bytes = 5000;
  BindAsAdmin();
  EXPECT_EQ(Exchange(Delete(1, std::string(4900, 'x'))).at(0).code, 0);
  ExpectNotice(Exchange(Delete(1, std::string(5000, 'x'))), ResultCode::kProtocolError);
}

// Of all sessions together.
TEST_F(SessionTest, IncompleteMessagesAreBounded) {
  limits_.max_input_bytes = 100'000;
  BindAsAdmin();
  const auto other = OpenAnother(2);
  other->Receive(Bind(1, directory_->user_dn, directory_->user_password));
  other->Consume(other->output().size());
  const std::string message = Delete(1, std::string(80'000, 'x'));
  other->Receive(message.substr(0, 60'000));
  EXPECT_EQ(other->next(), Session::Next::kContinue);
  ExpectNotice(Exchange(message.substr(0, 60'000)), ResultCode::kBusy);
  other->Receive(message.substr(60'000));
  EXPECT_EQ(directory_->deletes.size(), 1U);
  EXPECT_EQ(door_->input_budget(false).used(), 0U);
  other->Close();
}

// Whoever has not authenticated takes nothing from those who have.
TEST_F(SessionTest, IncompleteMessagesOfStrangersAreBoundedApart) {
  limits_.max_anonymous_input_bytes = 10'000;
  Open();
  const auto other = OpenAnother(2);
  const std::string message = Delete(1, std::string(8000, 'x'));
  other->Receive(message.substr(0, 7000));
  EXPECT_EQ(other->next(), Session::Next::kContinue);
  BindAsAdmin();
  EXPECT_THAT(Exchange(message.substr(0, 7000)), IsEmpty());
  EXPECT_EQ(Exchange(message.substr(7000)).at(0).code, 0);
  const auto third = OpenAnother(3);
  third->Receive(message.substr(0, 7000));
  EXPECT_EQ(third->next(), Session::Next::kClose);
  other->Close();
  third->Close();
  EXPECT_EQ(door_->input_budget(true).used(), 0U);
}

TEST_F(SessionTest, LargerMessagesMayFollowABindInTheSameRead) {
  limits_.max_anonymous_message_bytes = 1000;
  const auto responses = Exchange(Bind(1, directory_->user_dn, directory_->user_password) +
                                  Delete(2, std::string(3000, 'x')));
  EXPECT_THAT(IdsOf(responses), ElementsAre(1, 2));
}

TEST_F(SessionTest, RefusesAMessageIdInUse) {
  directory_->defer_searches = true;
  Exchange(PlainSearch(7));
  ExpectNotice(Exchange(Delete(7, "cn=x")), ResultCode::kProtocolError);
  EXPECT_THAT(directory_->deletes, IsEmpty());
}

TEST_F(SessionTest, AMessageIdIsFreeAgainAfterItsAnswer) {
  Exchange(Delete(7, "cn=x"));
  EXPECT_THAT(IdsOf(Exchange(Delete(7, "cn=x"))), ElementsAre(7));
}

TEST_F(SessionTest, UnbindClosesAndSendsNothing) {
  directory_->defer_searches = true;
  Exchange(PlainSearch(1));
  EXPECT_THAT(Exchange(Unbind(2) + Delete(3, "cn=x")), IsEmpty());
  EXPECT_TRUE(Closing());
  EXPECT_TRUE(directory_->searches[0]->canceled);
  EXPECT_THAT(directory_->deletes, IsEmpty());
}

TEST_F(SessionTest, UnbindLetsEarlierAnswersOut) {
  EXPECT_THAT(IdsOf(Exchange(Delete(1, "cn=x") + Unbind(2))), ElementsAre(1));
  EXPECT_TRUE(Closing());
}

TEST_F(SessionTest, KnowsHowMuchOfAMessageIsMissing) {
  Open();
  const std::string message = Delete(1, std::string(500, 'x'));
  EXPECT_EQ(session_->partial_message_bytes(), 0u);
  session_->Receive(message.substr(0, 1));
  EXPECT_EQ(session_->partial_message_bytes(), 1u);
  session_->Receive(message.substr(1, 9));
  EXPECT_EQ(session_->partial_message_bytes(), message.size());
  session_->Receive(message.substr(10));
  EXPECT_EQ(session_->partial_message_bytes(), 0u);
}

TEST_F(SessionTest, DrainEndsAnIdleSessionWithoutAWord) {
  Open();
  session_->Drain();
  EXPECT_THAT(Take(), IsEmpty());
  EXPECT_TRUE(Closing());
}

TEST_F(SessionTest, DrainEndsASessionWithItsLastAnswer) {
  directory_->defer_searches = true;
  Exchange(PlainSearch(1));
  session_->Drain();
  directory_->searches[0]->Pump();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1, 1));
  EXPECT_TRUE(Closing());
}

TEST_F(SessionTest, ARequestThatDrainDoesNotBeginEndsInANotice) {
  directory_->defer_searches = true;
  Exchange(PlainSearch(1));
  session_->Drain();
  EXPECT_THAT(Exchange(Delete(2, "cn=x")), IsEmpty());
  EXPECT_FALSE(Closing());
  directory_->searches[0]->Pump();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1, 1, 0));
  EXPECT_TRUE(Closing());
  EXPECT_THAT(directory_->deletes, IsEmpty());
}

TEST_F(SessionTest, WhatIsCutOffEndsInANotice) {
  directory_->defer_searches = true;
  Exchange(PlainSearch(1));
  session_->CutOff();
  ExpectNotice(Take(), ResultCode::kUnavailable);
  EXPECT_TRUE(directory_->searches[0]->canceled);
}

TEST_F(SessionTest, NothingIsSaidWhenThereIsNothingToCutOff) {
  Open();
  session_->CutOff();
  EXPECT_THAT(Take(), IsEmpty());
  EXPECT_TRUE(Closing());
}

TEST_F(SessionTest, EveryRequestIsCountedOnce) {
  directory_->search_outcome.code = ResultCode::kNoSuchObject;
  Exchange(PlainSearch(1) + Bind(2, "cn=nobody", "x") + Abandon(3, 77) + Extended(4, "1.2.3") +
           Unbind(5));
  EXPECT_THAT(observer_->operations,
              ElementsAre(std::tuple(OperationKind::kSearch, ResultCode::kNoSuchObject, 1),
                          std::tuple(OperationKind::kBind, ResultCode::kInvalidCredentials, 0),
                          std::tuple(OperationKind::kAbandon, ResultCode::kSuccess, 0),
                          std::tuple(OperationKind::kExtended, ResultCode::kProtocolError, 0),
                          std::tuple(OperationKind::kUnbind, ResultCode::kSuccess, 0)));
}

TEST_F(SessionTest, BindsAreCountedByMechanism) {
  Exchange(Bind(1, "cn=nobody", "x"));
  Exchange(Bind(2, "", ""));
  Exchange(Bind(3, "cn=nobody", ""));
  Exchange(SaslBind(4, "EXTERNAL"));
  Exchange(Bind(5, "cn=nobody", "x", 2));
  std::vector<BindMechanism> mechanisms;
  for (const auto& [mechanism, code] : observer_->binds) mechanisms.push_back(mechanism);
  EXPECT_THAT(mechanisms, ElementsAre(BindMechanism::kSimple, BindMechanism::kAnonymous,
                                      BindMechanism::kUnauthenticated, BindMechanism::kSasl,
                                      BindMechanism::kSimple));
  EXPECT_EQ(observer_->binds[0].second, ResultCode::kInvalidCredentials);
  EXPECT_EQ(observer_->binds[3].second, ResultCode::kAuthMethodNotSupported);
  EXPECT_EQ(observer_->binds[4].second, ResultCode::kProtocolError);
}

TEST_F(SessionTest, ControlsAreCountedAlsoWhenTheyAreRefused) {
  Exchange(Search(
      1, {}, Control("1.2.840.113556.1.4.319", false, PagedValue(5, "")) + Control("1.2.3.4")));
  Exchange(Delete(2, "cn=x", Control("1.2.3.4", true)));
  Exchange(Delete(3, "cn=x"));
  EXPECT_THAT(observer_->controls,
              ElementsAre(ControlCounts{1, 0, 0, 0, 0, 1}, ControlCounts{0, 0, 0, 0, 0, 1}));
}

TEST_F(SessionTest, CloseGivesUpEverything) {
  directory_->defer_searches = true;
  directory_->defer_calls = true;
  Exchange(PlainSearch(1) + Delete(2, "cn=x"));
  session_->Close();
  EXPECT_TRUE(directory_->searches[0]->canceled);
  EXPECT_EQ(observer_->operations.size(), 2u);
  directory_->Flush();
  EXPECT_EQ(host_->wakes, 0);
}

TEST_F(SessionTest, LateAnswersOutliveTheSession) {
  directory_->defer_calls = true;
  Exchange(Delete(1, "cn=x"));
  const std::weak_ptr<Session> weak = session_;
  session_->Close();
  session_.reset();
  EXPECT_FALSE(weak.expired());
  directory_->Flush();
  EXPECT_TRUE(weak.expired());
}

TEST_F(SessionTest, GivesMemoryBackWhenQuiet) {
  directory_->attributes = EncodeAttributes({{"description", {std::string(60000, 'd')}}});
  Exchange(PlainSearch(1));
  session_->Shrink();
  EXPECT_TRUE(session_->idle());
  EXPECT_THAT(IdsOf(Exchange(PlainSearch(2))), ElementsAre(2, 2));
}

}  // namespace
}  // namespace twintree::ldap::testing
