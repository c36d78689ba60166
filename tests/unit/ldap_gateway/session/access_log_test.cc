#include "ldap_gateway/session/access_log.h"

#include "ldap_gateway/limits.h"
#include "services/log/log.h"
#include "tests/unit/ldap_gateway/session/session_fixture.h"

namespace twintree::ldap::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Summary(std::string_view filter) {
  return FilterSummary(model::Filter::Parse(filter).value());
}

TEST(FilterSummaryTest, ShowsOrdinaryFilters) {
  EXPECT_EQ(Summary("(&(cn=a*b)(!(sn>=x))(ou:dn:=v))"), "(&(cn=a*b)(!(sn>=x))(ou:dn:=v))");
}

TEST(FilterSummaryTest, HidesPasswords) {
  for (const char* filter :
       {"(userPassword=geheim)", "(USERPASSWORD;x-a=geheim)", "(2.5.4.35=geheim)",
        "(userPassword=geheim*)", "(userPassword=a*geheim*b)", "(userPassword=*geheim)",
        "(userPassword:2.5.13.17:=geheim)", "(:2.5.13.17:=geheim)", "(authPassword>=geheim)",
        "(|(cn=x)(!(userPassword=geheim)))"}) {
    EXPECT_THAT(Summary(filter), Not(HasSubstr("geheim"))) << filter;
  }
}

TEST(FilterSummaryTest, IsCutToAReadableLength) {
  const std::string value(10000, 'x');
  EXPECT_LE(Summary("(cn=" + value + ")").size(), kMaxLoggedOctets + 3);
  std::string many = "(|";
  for (int i = 0; i < 10000; ++i) many += "(cn=x)";
  EXPECT_LE(Summary(many + ")").size(), kMaxLoggedOctets + 3);
}

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

TEST_F(AccessLogTest, SaysNothingWhenSwitchedOff) {
  log::Configure({});
  Exchange(PlainSearch(9));
  EXPECT_EQ(Log(), "");
}

}  // namespace
}  // namespace twintree::ldap::testing
