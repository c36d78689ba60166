#include "ldap_gateway/session/access_log.h"

#include "services/log/log.h"
#include "tests/unit/ldap_gateway/session/session_fixture.h"

namespace twintree::ldap::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class AccessLogTest : public SessionTest {
 protected:
  void SetUp() override {
    log::Configure({log::Level::kInfo, log::Format::kText, true});
    ::testing::internal::CaptureStderr();
  }
  void TearDown() override { log::Configure({}); }
  std::string Log() {
    log::Flush();
    return ::testing::internal::GetCapturedStderr();
  }
};

TEST_F(AccessLogTest, TellsWhatASearchWasAboutAndHowItEnded) {
  Exchange(PlainSearch(9));
  const std::string log = Log();
  EXPECT_THAT(log, HasSubstr("kind=search"));
  EXPECT_THAT(log, HasSubstr("conn=1"));
  EXPECT_THAT(log, HasSubstr("op=1"));
  EXPECT_THAT(log, HasSubstr("dc=example,dc=com"));
  EXPECT_THAT(log, HasSubstr("(objectClass=*)"));
  EXPECT_THAT(log, HasSubstr("entries=1"));
  EXPECT_THAT(log, HasSubstr("result=0"));
}

TEST_F(AccessLogTest, NeverShowsAPassword) {
  SearchFields fields;
  fields.filter = "(userPassword=geheim)";
  Exchange(Bind(1, "cn=u", "geheim") + Search(2, fields) +
           Add(3, "cn=x", {{"userPassword", {"geheim"}}}) +
           Modify(4, "cn=x", {{2, "userPassword", {"geheim"}}}) +
           Compare(5, "cn=x", "userPassword", "geheim") +
           Extended(6, "1.3.6.1.4.1.4203.1.11.1", Octets("3008 820667656865696d")));
  const std::string log = Log();
  EXPECT_THAT(log, HasSubstr("kind=extended"));
  EXPECT_THAT(log, Not(HasSubstr("geheim")));
}

TEST_F(AccessLogTest, HidesPasswordsInNamesAndTypes) {
  SearchFields fields;
  fields.base = "userPassword=geheim,dc=x";
  Exchange(Search(1, fields) + Add(2, "uid=q+userPassword=geheim", {{"cn", {"x"}}}) +
           ModifyDn(3, "userPassword=geheim", "userPassword=geheim", false) +
           Compare(4, "oid.2.5.4.35=geheim", "userPassword: geheim", "x") +
           Delete(5, "userPassword=geheim,,"));
  const std::string log = Log();
  EXPECT_THAT(log, HasSubstr("uid=q+userPassword=<hidden>"));
  EXPECT_THAT(log, Not(HasSubstr("geheim")));
}

TEST_F(AccessLogTest, HidesSecretsInPlacesOfNames) {
  SearchFields fields;
  fields.base = "geheim";
  fields.filter = "(geheim:geheim:=x)";
  Exchange(SaslBind(1, "geheim") + Bind(2, "geheim", "x") + Search(3, fields) +
           Compare(4, "cn=x", "geheim", "x") + Extended(5, "geheim") +
           ModifyDn(6, "cn=x", "geheim=", false) + Delete(7, "cn=x", Control("geheim", true)));
  const std::string log = Log();
  EXPECT_THAT(log, HasSubstr("mechanism \\\"<hidden>\\\" is not supported"));
  EXPECT_THAT(log, HasSubstr("kind=delete"));
  EXPECT_THAT(log, Not(HasSubstr("geheim")));
}

TEST_F(AccessLogTest, TellsKnownNames) {
  Exchange(SaslBind(1, "EXTERNAL") + Extended(2, "1.2.3") + Compare(3, "cn=x", "givenName", "x"));
  const std::string log = Log();
  EXPECT_THAT(log, HasSubstr("mechanism \\\"EXTERNAL\\\""));
  EXPECT_THAT(log, HasSubstr("operation \\\"1.2.3\\\""));
  EXPECT_THAT(log, HasSubstr("attribute=givenName"));
}

// What is refused for an unknown critical control.
TEST_F(AccessLogTest, TellsWhatARefusedRequestWasAbout) {
  const std::string control = Control("1.2.3", true);
  SearchFields fields;
  fields.base = "dc=example,dc=com";
  fields.scope = 1;
  fields.filter = "(cn=x)";
  const auto responses = Exchange(
      Search(1, fields, control) + Compare(2, "cn=c", "sn", "x", control) +
      Add(3, "cn=a", {{"cn", {"x"}}}, control) + Modify(4, "cn=m", {{2, "cn", {"x"}}}, control) +
      ModifyDn(5, "cn=r", "cn=n", false, std::nullopt, control) + Delete(6, "cn=d", control) +
      Extended(7, "1.2.3.4", std::nullopt, control));
  for (const Response& response : responses) EXPECT_EQ(response.code, 12);
  const std::string log = Log();
  for (const char* part :
       {"kind=search dn=\"dc=example,dc=com\" scope=one filter=\"(cn=x)\" result=12",
        "kind=compare dn=\"cn=c\" attribute=sn result=12", "kind=add dn=\"cn=a\" result=12",
        "kind=modify dn=\"cn=m\" result=12", "kind=modify_dn dn=\"cn=r\" newrdn=\"cn=n\" result=12",
        "kind=delete dn=\"cn=d\" result=12", "kind=extended oid=1.2.3.4 result=12"}) {
    EXPECT_THAT(log, HasSubstr(part));
  }
}

// What cannot be decoded as a whole; what is not known of it is left out.
TEST_F(AccessLogTest, TellsWhatIsKnownOfARequestThatIsWrong) {
  SearchFields fields;
  fields.base = "dc=example,dc=com";
  fields.scope = 7;
  Exchange(Search(1, fields) + Extended(2, "1.3.6.1.4.1.4203.1.11.3", "x"));
  const std::string log = Log();
  EXPECT_THAT(log, HasSubstr("kind=search dn=\"dc=example,dc=com\" result=2"));
  EXPECT_THAT(log, HasSubstr("kind=extended oid=1.3.6.1.4.1.4203.1.11.3 result=2"));
  EXPECT_THAT(log, Not(HasSubstr("filter=")));
}

TEST_F(AccessLogTest, WhatIsAboutNoEntryHasNoName) {
  Exchange(Abandon(1, 7) + Bind(2, "", "") + Unbind(3));
  const std::string log = Log();
  EXPECT_THAT(log, HasSubstr("kind=abandon target=7"));
  EXPECT_THAT(log, HasSubstr("kind=bind dn=\"\" method=simple"));
  EXPECT_THAT(log, HasSubstr("kind=unbind result=0"));
}

TEST_F(AccessLogTest, SaysNothingWhenSwitchedOff) {
  log::Configure({});
  Exchange(PlainSearch(9));
  EXPECT_EQ(Log(), "");
}

}  // namespace
}  // namespace twintree::ldap::testing
