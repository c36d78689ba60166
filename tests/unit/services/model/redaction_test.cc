#include "services/model/redaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/model/quotation.h"

namespace twintree::model {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string FilterText(std::string_view filter) { return LoggedFilter(*Filter::Parse(filter)); }

TEST(LoggedFilterTest, ShowsValuesOfStandardTypes) {
  for (const char* filter :
       {"(&(cn=a*b)(!(sn>=x))(ou:dn:=v))", "(mail;lang-de=x)", "(2.5.4.3=x)", "(uid=*)"}) {
    EXPECT_EQ(FilterText(filter), filter);
  }
}

TEST(LoggedFilterTest, ShowsThatSomethingIsHidden) {
  EXPECT_EQ(FilterText("(&(cn=a)(userPassword=geheim))"), "(&(cn=a)(userPassword=<hidden>))");
  EXPECT_EQ(FilterText("(userPassword=a*geheim*b)"), "(userPassword=<hidden>*)");
  EXPECT_EQ(FilterText("(|(geheim=x)(cn;x-geheim:geheim:=x))"),
            "(|(<hidden>=<hidden>)(cn;<hidden>:<hidden>:=x))");
}

TEST(LoggedFilterTest, HidesWhatCouldBeAPassword) {
  for (const char* filter :
       {"(userPassword=geheim)", "(USERPASSWORD;x-a=geheim)", "(2.5.4.35=geheim)",
        "(userPassword=geheim*)", "(userPassword=a*geheim*b)", "(userPassword=*geheim)",
        "(userPassword:2.5.13.17:=geheim)", "(:2.5.13.17:=geheim)", "(authPassword>=geheim)",
        "(sambaNTPassword=geheim)", "(noSuchType=geheim)", "(1.2.3=geheim)",
        "(|(cn=x)(!(userPassword=geheim)))", "(geheim=x)", "(geheim>=x)", "(cn;x-geheim=x)",
        "(cn;lang-geheim=x)", "(cn:geheim:=x)", "(geheim:dn:caseIgnoreMatch:=x)"}) {
    EXPECT_THAT(FilterText(filter), Not(HasSubstr("geheim"))) << filter;
  }
}

TEST(LoggedFilterTest, HidesValuesUnderOddSpellings) {
  for (const char* type : {"oid.2.5.4.35", "02.5.4.35", " userPassword", "userPassword ",
                           "userPassword=geheim", "", "geheim!"}) {
    Filter filter;
    filter.kind = FilterKind::kEquality;
    filter.attribute = type;
    filter.value = "geheim";
    EXPECT_THAT(LoggedFilter(filter), Not(HasSubstr("geheim"))) << type;
  }
}

TEST(LoggedFilterTest, IsCutToAReadableLength) {
  EXPECT_LE(FilterText("(cn=" + std::string(10000, 'x') + ")").size(), kMaxLoggedOctets + 3);
  std::string many = "(|";
  for (int i = 0; i < 10000; ++i) many += "(cn=x)";
  EXPECT_LE(FilterText(many + ")").size(), kMaxLoggedOctets + 3);
}

TEST(LoggedNameTest, ShowsOrdinaryNamesAsTheyAreSpelled) {
  for (const char* name :
       {"", "cn=a\\, b + UID=c , dc=x", "acmeBadge=7,dc=x", "acmeBadge=7+acmeSite=3,ou=a,dc=x"}) {
    EXPECT_EQ(LoggedName(name), name);
  }
}

TEST(LoggedNameTest, HidesWhatCouldBeAPassword) {
  EXPECT_EQ(LoggedName("uid=q+userPassword=geheim,dc=x"), "uid=q+userPassword=<hidden>,dc=x");
  for (const char* name :
       {"userPassword=geheim,dc=x", "USERPASSWORD = geheim , dc=x", "2.5.4.35=geheim",
        "oid.2.5.4.35=geheim", "02.5.4.35=geheim", "1.2.3=geheim", "userPassword=#0406676568",
        "userPassword=geheim,,dc=x", "sambaNTPassword=geheim,dc=x", "geheim", "DOMAIN\\geheim",
        "geheim=", "geheim==", "dc=x,geheim=1", "dc=x,acmeBadge=geheim"}) {
    EXPECT_THAT(LoggedName(name), Not(HasSubstr("geheim"))) << name;
    EXPECT_THAT(LoggedName(name), Not(HasSubstr("676568"))) << name;
  }
}

TEST(LoggedUserTest, KnowsThePrefix) {
  EXPECT_EQ(LoggedUser("dn:uid=a,dc=x"), "dn:uid=a,dc=x");
  EXPECT_EQ(LoggedUser("DN:userPassword=geheim,dc=x"), "DN:userPassword=<hidden>,dc=x");
}

TEST(LoggedTypeTest, HidesWhatIsNotKnown) {
  EXPECT_EQ(LoggedType("geheim"), "<hidden>");
  EXPECT_EQ(LoggedType("geheim;lang-de"), "<hidden>;lang-de");
  EXPECT_EQ(LoggedType("cn;x-geheim;binary"), "cn;<hidden>;binary");
  EXPECT_EQ(LoggedType("1.2.3"), "1.2.3");
}

TEST(LoggedTypeTest, ShowsLanguages) {
  for (const char* type : {"cn;lang-de", "cn;lang-zh-hans-tw", "cn;lang-", "cn;LANG-en-"}) {
    EXPECT_EQ(LoggedType(type), type);
  }
}

TEST(LoggedDiagnosticTest, ShowsKnownNamesOnly) {
  for (const auto& [diagnostic, logged] : std::vector<std::pair<std::string, std::string>>{
           {"", ""},
           {"no right; \"ask\"; cn is missing", "no right; \"<hidden>\"; cn is missing"},
           {"type \"geheim\" and \"givenName\"", "type \"<hidden>\" and \"givenName\""},
           {"\"person\" \"caseIgnoreMatch\" \"GSSAPI\" \"1.2.840.1\"",
            "\"person\" \"caseIgnoreMatch\" \"GSSAPI\" \"1.2.840.1\""},
           {"named \"uid=a\" or \"userPassword=geheim\"",
            "named \"uid=a\" or \"userPassword=<hidden>\""},
           {"cn;x-geheim;lang-de is missing", "cn;<hidden>;lang-de is missing"},
           {"\"=\" is missing", "\"=\" is missing"},
           {"a lone \"geheim", "a lone \"<hidden>"}}) {
    EXPECT_EQ(LoggedDiagnostic(diagnostic), logged);
  }
}

TEST(LoggedDiagnosticTest, FindsWhatIsQuoted) {
  for (const char* text : {"geheim", "a\"geheim", "\"", "a\"geheim\" geheim \""}) {
    EXPECT_THAT(LoggedDiagnostic("no " + Quoted(text) + " here"), Not(HasSubstr("geheim"))) << text;
  }
}

TEST(LoggedTypeTest, HidesWhatIsNone) {
  EXPECT_EQ(LoggedType("cn;lang-de"), "cn;lang-de");
  EXPECT_EQ(LoggedType("userPassword: geheim"), "<hidden>");
}

}  // namespace
}  // namespace twintree::model
