// Extended operations: StartTLS, Who am I, password modify, unknown ones.
#include "ldap_gateway/protocol/oids.h"
#include "tests/unit/ldap_gateway/session/session_fixture.h"

namespace twintree::ldap::testing {
namespace {

using model::ResultCode;
using ::testing::IsEmpty;

TEST_F(SessionTest, UnknownExtendedOperationIsAProtocolError) {
  const auto responses = Exchange(Extended(1, "1.2.3.\"\xff"));
  EXPECT_EQ(responses.at(0).tag, kExtendedResponse);
  EXPECT_EQ(responses.at(0).code, 2);
  EXPECT_EQ(responses.at(0).diagnostic, "extended operation \"1.2.3.??\" is not supported");
  EXPECT_FALSE(Closing());
}

TEST_F(SessionTest, CriticalUnknownControlStopsAnExtendedOperation) {
  EXPECT_EQ(Exchange(Extended(1, oid::kWhoAmI, std::nullopt, Control("1.2.3", true))).at(0).code,
            12);
}

TEST_F(SessionTest, WhoAmIOfAnonymousIsEmptyAndPresent) {
  const auto responses = Exchange(Extended(1, oid::kWhoAmI));
  EXPECT_EQ(responses.at(0).code, 0);
  EXPECT_EQ(responses.at(0).value, "");
}

TEST_F(SessionTest, WhoAmITakesNoValue) {
  EXPECT_EQ(Exchange(Extended(1, oid::kWhoAmI, "")).at(0).code, 2);
}

TEST_F(SessionTest, PasswordModifyHandsOverEveryField) {
  BindAsAdmin();
  const auto responses =
      Exchange(Extended(1, oid::kPasswordModify, Octets("300d 8004636e3d78 81026f6c 82016e")));
  EXPECT_EQ(responses.at(0).tag, kExtendedResponse);
  EXPECT_EQ(responses.at(0).code, 0);
  EXPECT_EQ(responses.at(0).value, std::nullopt);
  const directory::ModifyPasswordRequest& request = directory_->password_modifies.at(0);
  EXPECT_EQ(request.user, "cn=x");
  EXPECT_EQ(request.old_password.value().Reveal(), "ol");
  EXPECT_EQ(request.new_password.value().Reveal(), "n");
  EXPECT_EQ(directory_->contexts.back().subject.dn, directory_->user_dn);
}

TEST_F(SessionTest, PasswordModifyReturnsAGeneratedPassword) {
  directory_->outcome.generated_password = model::Secret("gen");
  const auto responses = Exchange(Extended(1, oid::kPasswordModify));
  EXPECT_EQ(responses.at(0).value, Octets("3005 800367656e"));
}

TEST_F(SessionTest, StartTlsWithoutCertificateIsAProtocolError) {
  EXPECT_EQ(Exchange(Extended(1, oid::kStartTls)).at(0).code, 2);
  EXPECT_EQ(session_->next(), Session::Next::kContinue);
}

TEST_F(SessionTest, StartTlsAnswersThenAsksForTheHandshake) {
  start_tls_ = true;
  const auto responses = Exchange(Extended(1, oid::kStartTls));
  EXPECT_EQ(responses.at(0).code, 0);
  EXPECT_EQ(responses.at(0).name, oid::kStartTls);
  EXPECT_EQ(session_->next(), Session::Next::kStartTls);
  EXPECT_FALSE(session_->wants_input());
  session_->TlsStarted();
  EXPECT_TRUE(session_->wants_input());
}

TEST_F(SessionTest, SecondStartTlsIsAnOperationsError) {
  start_tls_ = true;
  Exchange(Extended(1, oid::kStartTls));
  session_->TlsStarted();
  EXPECT_EQ(Exchange(Extended(2, oid::kStartTls)).at(0).code, 1);
  EXPECT_EQ(Exchange(Delete(3, "cn=x")).at(0).code, 0);
}

TEST_F(SessionTest, StartTlsOnLdapsIsAnOperationsError) {
  start_tls_ = true;
  peer_ = {1, Transport::kLdaps, true};
  EXPECT_EQ(Exchange(Extended(1, oid::kStartTls)).at(0).code, 1);
}

TEST_F(SessionTest, StartTlsTakesNoValue) {
  start_tls_ = true;
  EXPECT_EQ(Exchange(Extended(1, oid::kStartTls, "")).at(0).code, 2);
  EXPECT_EQ(session_->next(), Session::Next::kContinue);
}

TEST_F(SessionTest, StartTlsWaitsForNobody) {
  start_tls_ = true;
  directory_->defer_searches = true;
  Exchange(PlainSearch(1));
  EXPECT_EQ(Exchange(Extended(2, oid::kStartTls)).at(0).code, 1);
  EXPECT_EQ(session_->next(), Session::Next::kContinue);
}

TEST_F(SessionTest, OctetsInjectedBehindStartTlsEndTheSession) {
  start_tls_ = true;
  ExpectNotice(Exchange(Extended(1, oid::kStartTls) + Delete(2, "cn=x")),
               ResultCode::kProtocolError);
  EXPECT_THAT(directory_->deletes, IsEmpty());
}

TEST_F(SessionTest, RootDseForgetsStartTlsOnceItIsActive) {
  start_tls_ = true;
  Exchange(Search(1, {}));
  EXPECT_EQ(directory_->searches.at(0)->request.door_attributes, door_->RootDse(false));
  Exchange(Extended(2, oid::kStartTls));
  session_->TlsStarted();
  Exchange(Search(3, {}));
  EXPECT_EQ(directory_->searches.at(1)->request.door_attributes, door_->RootDse(true));
}

}  // namespace
}  // namespace twintree::ldap::testing
