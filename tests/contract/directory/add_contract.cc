#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::RawAttribute;
using model::ResultCode;

using Values = std::vector<std::string>;

std::vector<RawAttribute> Person(std::vector<RawAttribute> more = {}) {
  std::vector<RawAttribute> attributes{{"objectClass", {"person"}}, {"sn", {"x"}}};
  attributes.insert(attributes.end(), more.begin(), more.end());
  return attributes;
}

TEST_P(DirectoryContract, AddPutsNamingValuesIn) {
  EXPECT_EQ(admin().Add("cn=p+sn=y,dc=example,dc=com", Person()).code, ResultCode::kSuccess);
  const AttributeMap entry = admin().Get("sn=Y+cn=P,dc=example,dc=com");
  EXPECT_EQ(entry.at("cn"), Values{"p"});
  EXPECT_EQ(entry.at("sn"), (Values{"x", "y"}));
}

TEST_P(DirectoryContract, AddRefusesWhatTheSchemaDoes) {
  const auto add = [&](std::vector<RawAttribute> attributes) {
    return admin().Add("cn=s,dc=example,dc=com", std::move(attributes)).code;
  };
  EXPECT_EQ(add({{"objectClass", {"inetOrgPerson"}}}), ResultCode::kObjectClassViolation);
  EXPECT_EQ(add(Person({{"mail", {"a@example.com"}}})), ResultCode::kObjectClassViolation);
  EXPECT_EQ(add({{"objectClass", {"top"}}}), ResultCode::kObjectClassViolation);
  EXPECT_EQ(add({{"sn", {"x"}}}), ResultCode::kObjectClassViolation);
  EXPECT_EQ(add({{"objectClass", {"person", "account"}}, {"sn", {"x"}}, {"uid", {"a"}}}),
            ResultCode::kObjectClassViolation);
  EXPECT_EQ(add({{"objectClass", {"posixAccount"}},
                 {"uid", {"a"}},
                 {"uidNumber", {"1"}},
                 {"gidNumber", {"1"}},
                 {"homeDirectory", {"/h"}}}),
            ResultCode::kObjectClassViolation);
  EXPECT_EQ(add(Person({{"xNoSuchAttr", {"z"}}})), ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(add(Person({{"objectClass", {"xNoSuchClass"}}})), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add(Person({{"sn", {"X"}}})), ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(add(Person({{"objectClass", {"2.5.6.6"}}})), ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(add(Person({{"seeAlso", {"no name"}}})), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add(Person({{"description", {}}})), ResultCode::kProtocolError);
  EXPECT_EQ(add(Person({{"entryUUID", {"597ae2f6-16a6-1027-98f4-d28b5365dc14"}}})),
            ResultCode::kConstraintViolation);
  EXPECT_FALSE(admin().Exists("cn=s,dc=example,dc=com"));
}

// Values that their syntax allows and their equality rule cannot compare.
TEST_P(DirectoryContract, AddRefusesWhatCouldNeverBeFoundByValue) {
  const auto add = [&](RawAttribute attribute) {
    return admin()
        .Add("cn=k,dc=example,dc=com",
             {{"objectClass", {"person", "extensibleObject"}}, {"sn", {"x"}}, std::move(attribute)})
        .code;
  };
  std::string marks = "a";
  for (int i = 0; i < 129; ++i) marks += "\u0301";
  EXPECT_EQ(add({"member", {"noSuchType=x"}}), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add({"seeAlso", {"uidNumber=one"}}), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add({"uniqueMember", {"noSuchType=x#'1'B"}}), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add({"description", {"\uFFFD"}}), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add({"description;lang-de", {"\uFFFD"}}), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add({"postalAddress", {"here$\uFFFD"}}), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add({"title", {marks}}), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add({"sudoNotBefore", {"99991231235959-0100"}}), ResultCode::kInvalidAttributeSyntax);
  EXPECT_FALSE(admin().Exists("cn=k,dc=example,dc=com"));
}

TEST_P(DirectoryContract, AddNeedsASuperior) {
  AddUnit("a");
  const Outcome outcome = admin().Add("cn=p,ou=none,OU=A,dc=example,dc=com", Person());
  EXPECT_EQ(outcome.code, ResultCode::kNoSuchObject);
  EXPECT_EQ(outcome.matched_dn, "ou=a,dc=example,dc=com");
  EXPECT_EQ(admin().Add("cn=p,dc=elsewhere", Person()).code, ResultCode::kNoSuchObject);
}

TEST_P(DirectoryContract, AddRefusesNamesInUse) {
  AddPerson("p");
  EXPECT_EQ(admin().Add("CN=P,dc=example,dc=com", Person()).code, ResultCode::kEntryAlreadyExists);
  EXPECT_EQ(admin().Add("", Person()).code, ResultCode::kEntryAlreadyExists);
  EXPECT_EQ(admin().Add("cn=Subschema", Person()).code, ResultCode::kEntryAlreadyExists);
}

TEST_P(DirectoryContract, AddRefusesChildrenOfAliases) {
  ASSERT_EQ(admin()
                .Add("cn=a,dc=example,dc=com", {{"objectClass", {"alias", "extensibleObject"}},
                                                {"aliasedObjectName", {"dc=example,dc=com"}}})
                .code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Add("cn=p,cn=a,dc=example,dc=com", Person()).code, ResultCode::kAliasProblem);
}

TEST_P(DirectoryContract, AddRefusesContradictingNames) {
  EXPECT_EQ(admin()
                .Add("uidNumber=5,dc=example,dc=com", {{"objectClass", {"account", "posixAccount"}},
                                                       {"uid", {"a"}},
                                                       {"cn", {"a"}},
                                                       {"uidNumber", {"6"}},
                                                       {"gidNumber", {"1"}},
                                                       {"homeDirectory", {"/"}}})
                .code,
            ResultCode::kNamingViolation);
  EXPECT_EQ(admin().Add("cn=x,no name", Person()).code, ResultCode::kInvalidDnSyntax);
}

TEST_P(DirectoryContract, AddHashesClearTextPasswords) {
  admin().Add("cn=p,dc=example,dc=com", Person({{"userPassword", {"clear", "{SHA}kept"}}}));
  const AttributeMap entry = admin().Get("cn=p,dc=example,dc=com");
  ASSERT_EQ(entry.at("userpassword").size(), 2u);
  EXPECT_EQ(entry.at("userpassword")[0].substr(0, 6), "{SSHA}");
  EXPECT_EQ(entry.at("userpassword")[1], "{SHA}kept");
}

TEST_P(DirectoryContract, AddNumbersItsChanges) {
  const Outcome first = admin().Add("cn=a,dc=example,dc=com", Person());
  const Outcome second = admin().Add("cn=b,dc=example,dc=com", Person());
  EXPECT_GT(first.change_number, 0u);
  EXPECT_GT(second.change_number, first.change_number);
}

TEST_P(DirectoryContract, AddTakesPosixGroupAlone) {
  EXPECT_EQ(
      admin()
          .Add("cn=g,dc=example,dc=com", {{"objectClass", {"posixGroup"}}, {"gidNumber", {"7"}}})
          .code,
      ResultCode::kSuccess);
}

}  // namespace
}  // namespace twintree::directory
