// Bind: who is who afterwards, and what waits for whom (RFC 4511 4.2, RFC 4513 5).
#include "tests/unit/ldap_gateway/session/session_fixture.h"

namespace twintree::ldap::testing {
namespace {

using model::ResultCode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(SessionTest, BindGivesTheSessionItsSubject) {
  BindAsAdmin();
  EXPECT_EQ(WhoAmI(), "dn:cn=admin,dc=example,dc=com");
  Exchange(Delete(2, "cn=x"));
  EXPECT_EQ(directory_->contexts.back().subject.dn, directory_->user_dn);
}

TEST_F(SessionTest, BindHandsOverNameAndPasswordAsTheyCame) {
  const std::string password("p\0\xff ", 4);
  Exchange(Bind(1, " CN=u ", password));
  EXPECT_EQ(directory_->binds.at(0).dn, " CN=u ");
  EXPECT_EQ(directory_->binds.at(0).password.Reveal(), password);
}

TEST_F(SessionTest, FailedBindLeavesTheSessionAnonymous) {
  BindAsAdmin();
  const auto responses = Exchange(Bind(2, directory_->user_dn, "wrong"));
  EXPECT_EQ(responses.at(0).code, static_cast<int>(ResultCode::kInvalidCredentials));
  EXPECT_EQ(responses.at(0).matched_dn, "");
  EXPECT_EQ(responses.at(0).diagnostic, "wrong name or password");
  EXPECT_EQ(WhoAmI(), "");
}

TEST_F(SessionTest, AnonymousBindLogsOut) {
  BindAsAdmin();
  EXPECT_EQ(Exchange(Bind(2, "", "")).at(0).code, 0);
  EXPECT_EQ(WhoAmI(), "");
}

TEST_F(SessionTest, OtherVersionsAreRefused) {
  for (const int version : {1, 2, 4, 127}) {
    const auto responses = Exchange(Bind(1, "", "", version));
    EXPECT_EQ(responses.at(0).tag, kBindResponse);
    EXPECT_EQ(responses.at(0).code, 2) << version;
  }
  EXPECT_THAT(directory_->binds, IsEmpty());
}

TEST_F(SessionTest, SaslIsRefusedAndEndsTheOldBind) {
  BindAsAdmin();
  const auto responses = Exchange(SaslBind(1, "EXTERNAL"));
  EXPECT_EQ(responses.at(0).code, 7);
  EXPECT_EQ(responses.at(0).diagnostic,
            "bind: SASL mechanism EXTERNAL is not supported, only simple authentication");
  EXPECT_EQ(WhoAmI(), "");
}

TEST_F(SessionTest, ABindThatCannotBeReadEndsTheOldBind) {
  BindAsAdmin();
  const auto responses = Exchange(Octets("3009 020103 6004 04000500"));
  EXPECT_EQ(responses.at(0).code, 2);
  EXPECT_EQ(WhoAmI(), "");
}

TEST_F(SessionTest, UnknownCriticalControlPreventsTheBind) {
  const std::string password = directory_->user_password;
  EXPECT_EQ(Exchange(Bind(1, directory_->user_dn, password, 3, Control("1.2.3", true))).at(0).code,
            12);
  EXPECT_EQ(WhoAmI(), "");
  EXPECT_EQ(Exchange(Bind(2, directory_->user_dn, password, 3, Control("1.2.3"))).at(0).code, 0);
}

TEST_F(SessionTest, BindWaitsForWhatIsUnderWay) {
  directory_->defer_searches = true;
  Exchange(PlainSearch(1) + Bind(2, directory_->user_dn, directory_->user_password));
  EXPECT_THAT(directory_->binds, IsEmpty());
  EXPECT_FALSE(session_->wants_input());
  directory_->searches[0]->Pump();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1, 1, 2));
  EXPECT_TRUE(session_->wants_input());
}

TEST_F(SessionTest, RequestsBehindABindWaitForIt) {
  directory_->defer_binds = true;
  EXPECT_THAT(Exchange(Bind(1, directory_->user_dn, directory_->user_password) + Delete(2, "cn=x") +
                       Delete(3, "cn=y")),
              IsEmpty());
  EXPECT_THAT(directory_->deletes, IsEmpty());
  directory_->Flush();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1, 2, 3));
  EXPECT_EQ(directory_->contexts.back().subject.dn, directory_->user_dn);
}

TEST_F(SessionTest, BindsInARowAreAnsweredInOrder) {
  directory_->defer_binds = true;
  Exchange(Bind(1, directory_->user_dn, directory_->user_password) + Bind(2, "", ""));
  EXPECT_EQ(directory_->binds.size(), 1u);
  directory_->Flush();
  session_->Wake();
  directory_->Flush();
  session_->Wake();
  EXPECT_THAT(IdsOf(Take()), ElementsAre(1, 2));
  EXPECT_EQ(WhoAmI(), "");
}

TEST_F(SessionTest, TheOldSubjectIsGoneWhileABindIsUnderWay) {
  BindAsAdmin();
  directory_->defer_binds = true;
  Exchange(Bind(2, directory_->user_dn, directory_->user_password));
  EXPECT_TRUE(session_->subject().anonymous());
  directory_->Flush();
  session_->Wake();
  EXPECT_FALSE(session_->subject().anonymous());
}

}  // namespace
}  // namespace twintree::ldap::testing
