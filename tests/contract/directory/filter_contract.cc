#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Finder {
 public:
  explicit Finder(DirectoryClient& client) : client_(client) {}
  // RDNs of what is found one level below the suffix.
  std::vector<std::string> operator()(std::string_view filter) const {
    const Found found = client_.Search(kSuffix, Scope::kOneLevel, filter, {"1.1"});
    EXPECT_EQ(found.code(), ResultCode::kSuccess) << filter;
    std::vector<std::string> names;
    for (const std::string& dn : found.dns()) {
      names.push_back(dn.substr(0, dn.size() - kSuffix.size() - 1));
    }
    return names;
  }

 private:
  DirectoryClient& client_;
};

TEST_P(DirectoryContract, FilterPresenceLooksAtEachEntry) {
  Load(R"(dn: cn=with,dc=example,dc=com
objectClass: inetOrgPerson
cn: with
sn: s
employeeType: staff

dn: cn=without,dc=example,dc=com
objectClass: inetOrgPerson
cn: without
sn: s
)");
  const Finder find(admin());
  EXPECT_THAT(find("(employeeType=*)"), ElementsAre("cn=with"));
  EXPECT_THAT(find("(!(employeeType=*))"), ElementsAre("cn=without"));
  EXPECT_THAT(find("(|(employeeType=staff)(!(employeeType=*)))"),
              ElementsAre("cn=with", "cn=without"));
}

TEST_P(DirectoryContract, FilterObjectClassMatchesSuperclasses) {
  AddPerson("p");
  const Finder find(admin());
  for (std::string_view filter : {"(objectClass=INETORGPERSON)", "(OBJECTCLASS=person)",
                                  "(objectClass=top)", "(objectClass=2.5.6.6)", "(2.5.4.0=person)",
                                  "(&(|(objectClass=account)(objectClass=person))(cn=p))"}) {
    EXPECT_THAT(find(filter), ElementsAre("cn=p")) << filter;
  }
  EXPECT_THAT(find("(objectClass=groupOfNames)"), IsEmpty());
}

// Whether an entry is of a class is one question, however it is put.
TEST_P(DirectoryContract, FilterObjectClassByRuleMatchesSuperclasses) {
  AddPerson("p");
  const Finder find(admin());
  for (std::string_view filter :
       {"(objectClass:objectIdentifierMatch:=person)", "(objectClass:2.5.13.0:=2.5.6.6)",
        "(objectClass:2.5.13.0:=inetOrgPerson)", "(objectClass:=person)",
        "(objectClass:2.5.13.0:=top)", "(:objectIdentifierMatch:=organizationalPerson)",
        "(:2.5.13.0:=inetOrgPerson)"}) {
    EXPECT_THAT(find(filter), ElementsAre("cn=p")) << filter;
  }
  for (std::string_view filter :
       {"(objectClass:2.5.13.0:=groupOfNames)", "(:2.5.13.0:=groupOfNames)",
        "(objectClass:2.5.13.0:=cn)", "(!(objectClass:2.5.13.0:=cn))", "(:2.5.13.0:=cn)"}) {
    EXPECT_THAT(find(filter), IsEmpty()) << filter;
  }
}

TEST_P(DirectoryContract, FilterUnknownTypesAreUndefined) {
  AddPerson("u");
  const Finder find(admin());
  EXPECT_THAT(find("(xNoSuchAttr=1)"), IsEmpty());
  EXPECT_THAT(find("(!(xNoSuchAttr=1))"), IsEmpty());
  EXPECT_THAT(find("(|(xNoSuchAttr=1)(cn=u))"), ElementsAre("cn=u"));
  EXPECT_THAT(find("(!(&(xNoSuchAttr=1)(cn=nobody)))"), ElementsAre("cn=u"));
  EXPECT_THAT(find("(xNoSuchAttr=*)"), IsEmpty());
}

TEST_P(DirectoryContract, FilterAbsoluteTruth) {
  AddPerson("t");
  const Finder find(admin());
  EXPECT_THAT(find("(&)"), ElementsAre("cn=t"));
  EXPECT_THAT(find("(|)"), IsEmpty());
  EXPECT_THAT(find("(!(|))"), ElementsAre("cn=t"));
}

TEST_P(DirectoryContract, FilterSubstringsTakeEscapedStarsLiterally) {
  AddPerson("star*name");
  AddPerson("starXname");
  const Finder find(admin());
  EXPECT_THAT(find("(cn=star\\2aname)"), ElementsAre("cn=star*name"));
  EXPECT_THAT(find("(cn=*\\2a*)"), ElementsAre("cn=star*name"));
  EXPECT_THAT(find("(cn=star*name)"), ElementsAre("cn=star*name", "cn=starXname"));
  EXPECT_THAT(find("(cn=*rXn*)"), ElementsAre("cn=starXname"));
  EXPECT_THAT(find("(cn=*xname)"), ElementsAre("cn=starXname"));
}

TEST_P(DirectoryContract, FilterByNameKeepsToTheScope) {
  AddUnit("a");
  AddPerson("p", "ou=a,dc=example,dc=com");
  const auto found = [&](std::string_view base, Scope scope) {
    return admin().Search(base, scope, "(entryDN=CN=p, OU=a,dc=example,dc=com)").dns();
  };
  const std::string name = "cn=p,ou=a,dc=example,dc=com";
  EXPECT_THAT(found(kSuffix, Scope::kSubtree), ElementsAre(name));
  EXPECT_THAT(found("", Scope::kSubtree), ElementsAre(name));
  EXPECT_THAT(found("ou=a,dc=example,dc=com", Scope::kOneLevel), ElementsAre(name));
  EXPECT_THAT(found(name, Scope::kBase), ElementsAre(name));
  EXPECT_THAT(found(kSuffix, Scope::kOneLevel), IsEmpty());
  EXPECT_THAT(found(name, Scope::kSubordinate), IsEmpty());
}

TEST_P(DirectoryContract, FilterFindsSupertypesAndOptions) {
  Load(R"(dn: cn=p,dc=example,dc=com
objectClass: inetOrgPerson
cn: p
cn;lang-de: Wert
sn: x
)");
  const Finder find(admin());
  EXPECT_THAT(find("(name=p)"), ElementsAre("cn=p"));
  EXPECT_THAT(find("(name=x)"), ElementsAre("cn=p"));
  EXPECT_THAT(find("(cn=wert)"), ElementsAre("cn=p"));
  EXPECT_THAT(find("(cn;lang-de=wert)"), ElementsAre("cn=p"));
  EXPECT_THAT(find("(cn;lang-de=p)"), IsEmpty());
}

TEST_P(DirectoryContract, FilterComparesNamesAsNames) {
  AddPerson("Doe\\, John");
  admin().Add("cn=g,dc=example,dc=com", {{"objectClass", {"groupOfNames"}},
                                         {"member", {"cn=Doe\\, John,dc=example,dc=com"}}});
  const Finder find(admin());
  EXPECT_THAT(find("(member=CN = doe\\5c2C JOHN , dc=example,dc=com)"), ElementsAre("cn=g"));
  EXPECT_THAT(find("(member=cn=Doe, John,dc=example,dc=com)"), IsEmpty());
}

TEST_P(DirectoryContract, FilterOrdersIntegersByValue) {
  for (const char* number : {"5", "30", "-7", "100000000000000000000"}) {
    admin().Add("uid=" + std::string(number) + ",dc=example,dc=com",
                {{"objectClass", {"account", "posixAccount"}},
                 {"cn", {"x"}},
                 {"uidNumber", {number}},
                 {"gidNumber", {"1"}},
                 {"homeDirectory", {"/"}}});
  }
  const Finder find(admin());
  EXPECT_THAT(find("(uidNumber>=6)"), UnorderedElementsAre("uid=30", "uid=100000000000000000000"));
  EXPECT_THAT(find("(&(uidNumber>=0)(uidNumber<=30))"), UnorderedElementsAre("uid=5", "uid=30"));
  EXPECT_THAT(find("(uidNumber<=-1)"), ElementsAre("uid=-7"));
}

TEST_P(DirectoryContract, FilterExtensibleMatches) {
  AddUnit("Sales");
  admin().Add("cn=p,ou=Sales,dc=example,dc=com", {{"objectClass", {"person"}}, {"sn", {"Case"}}});
  const auto find = [&](std::string_view filter) {
    return admin().Search(kSuffix, Scope::kSubtree, filter, {"1.1"}).dns();
  };
  const std::string p = "cn=p,ou=Sales,dc=example,dc=com";
  EXPECT_THAT(find("(sn:caseExactMatch:=case)"), IsEmpty());
  EXPECT_THAT(find("(sn:caseExactMatch:=Case)"), ElementsAre(p));
  EXPECT_THAT(find("(sn:2.5.13.2:=CASE)"), ElementsAre(p));
  EXPECT_THAT(find("(ou:dn:=sales)"), UnorderedElementsAre("ou=Sales,dc=example,dc=com", p));
  EXPECT_THAT(find("(!(sn:noSuchRule:=x))"), IsEmpty());
  EXPECT_THAT(find("(|(sn:1.2.840.113556.1.4.1941:=cn=g,dc=example,dc=com)(cn=p))"),
              ElementsAre(p));
}

TEST_P(DirectoryContract, FilterNestedDeeplyIsAnswered) {
  AddPerson("p");
  std::string filter = "(cn=p)";
  for (int i = 0; i < 100; ++i) filter = "(!" + filter + ")";
  EXPECT_THAT(Finder(admin())(filter), ElementsAre("cn=p"));
}

}  // namespace
}  // namespace twintree::directory
