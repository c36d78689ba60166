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

TEST_F(AccessLogTest, SaysNothingWhenSwitchedOff) {
  log::Configure({});
  Exchange(PlainSearch(9));
  EXPECT_EQ(Log(), "");
}

}  // namespace
}  // namespace twintree::ldap::testing
