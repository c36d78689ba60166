#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kAlice = "cn=alice,ou=people,dc=example,dc=com";

constexpr std::string_view kTree = R"(dn: ou=people,dc=example,dc=com
objectClass: organizationalUnit
ou: people

dn: cn=alice,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
cn: alice
sn: a
mail: alice@example.com

dn: ou=hidden,dc=example,dc=com
objectClass: organizationalUnit
ou: hidden

dn: cn=bob,ou=hidden,dc=example,dc=com
objectClass: inetOrgPerson
cn: bob
sn: b

dn: cn=admins,dc=example,dc=com
objectClass: groupOfNames
cn: admins
member: CN=Alice,ou=people,dc=example,dc=com
)";

constexpr std::string_view kRules = R"(rules:
  - subtree: "ou=hidden,dc=example,dc=com"
    grant:
      - {to: "group:cn=admins,dc=example,dc=com", rights: [all]}
      - {to: anyone, rights: []}
  - attributes: [mail]
    grant:
      - {to: self, rights: [read, write]}
      - {to: anyone, rights: []}
  - subtree: "ou=people,dc=example,dc=com"
    attributes: [children]
    grant: [{to: users, rights: [write]}]
  - grant:
      - {to: anyone, rights: [read, search, compare]}
)";

class AccessSettings : public DirectorySettings {
 public:
  AccessSettings() { access_rules = kRules; }
};

TEST_P(DirectoryContract, AccessHidesEntriesAsIfMissing) {
  Start(AccessSettings());
  Load(kTree);
  DirectoryClient anybody = ClientOf("");
  const std::string bob = "cn=bob,ou=hidden,dc=example,dc=com";
  for (const Outcome& outcome :
       {anybody.Delete(bob), anybody.Modify(bob, {ReplaceValues("sn", {"x"})}),
        anybody.Rename(bob, "cn=x"), anybody.Compare(bob, "cn", "bob"),
        anybody.Add("cn=x," + bob, {{"objectClass", {"person"}}, {"sn", {"x"}}}),
        anybody.SetPassword(bob, std::nullopt, "x")}) {
    EXPECT_EQ(outcome.code, ResultCode::kNoSuchObject);
    EXPECT_EQ(outcome.matched_dn, kSuffix);
  }
  const Found base = anybody.Search(bob, Scope::kBase);
  EXPECT_EQ(base.code(), ResultCode::kNoSuchObject);
  EXPECT_EQ(base.outcome.matched_dn, kSuffix);
  EXPECT_THAT(anybody.Search(kSuffix, Scope::kSubtree, "(cn=bob)").entries, IsEmpty());
}

TEST_P(DirectoryContract, AccessOfGroupMembers) {
  Start(AccessSettings());
  Load(kTree);
  DirectoryClient alice = ClientOf(kAlice);
  EXPECT_THAT(alice.Search(kSuffix, Scope::kSubtree, "(cn=bob)").dns(),
              ElementsAre("cn=bob,ou=hidden,dc=example,dc=com"));
  EXPECT_EQ(alice.Modify("cn=bob,ou=hidden,dc=example,dc=com", {ReplaceValues("sn", {"x"})}).code,
            ResultCode::kSuccess);
  EXPECT_EQ(alice.Delete("cn=bob,ou=hidden,dc=example,dc=com").code, ResultCode::kSuccess);
  admin().Modify("cn=admins,dc=example,dc=com",
                 {ReplaceValues("member", {"cn=x,dc=example,dc=com"})});
  EXPECT_EQ(alice.Search("ou=hidden,dc=example,dc=com", Scope::kBase).code(),
            ResultCode::kNoSuchObject);
}

TEST_P(DirectoryContract, AccessLeavesAttributesOut) {
  Start(AccessSettings());
  Load(kTree);
  EXPECT_FALSE(ClientOf("").Get(kAlice).contains("mail"));
  EXPECT_EQ(ClientOf("").Get(kAlice).size(), 3u);
  EXPECT_TRUE(ClientOf(kAlice).Get(kAlice).contains("mail"));
}

TEST_P(DirectoryContract, AccessMakesFiltersUndefined) {
  Start(AccessSettings());
  Load(kTree);
  DirectoryClient anybody = ClientOf("");
  EXPECT_THAT(anybody.Search(kSuffix, Scope::kSubtree, "(mail=alice@example.com)").entries,
              IsEmpty());
  EXPECT_THAT(anybody.Search(kSuffix, Scope::kSubtree, "(!(mail=other))").entries, IsEmpty());
  EXPECT_THAT(anybody.Search(kSuffix, Scope::kSubtree, "(|(mail=x)(cn=alice))").dns(),
              ElementsAre(kAlice));
}

TEST_P(DirectoryContract, AccessToWriteIsByAttribute) {
  Start(AccessSettings());
  Load(kTree);
  DirectoryClient alice = ClientOf(kAlice);
  EXPECT_EQ(alice.Modify(kAlice, {ReplaceValues("mail", {"new@example.com"})}).code,
            ResultCode::kSuccess);
  EXPECT_EQ(alice.Modify(kAlice, {ReplaceValues("sn", {"x"})}).code,
            ResultCode::kInsufficientAccessRights);
  EXPECT_EQ(alice.Delete(kAlice).code, ResultCode::kInsufficientAccessRights);
  EXPECT_EQ(alice.Rename(kAlice, "cn=x").code, ResultCode::kInsufficientAccessRights);
}

TEST_P(DirectoryContract, AccessToAddNeedsParentAndAttributes) {
  Start(AccessSettings());
  Load(kTree);
  const std::vector<model::RawAttribute> person{{"objectClass", {"person"}}, {"sn", {"x"}}};
  EXPECT_EQ(ClientOf("").Add("cn=n,ou=people,dc=example,dc=com", person).code,
            ResultCode::kInsufficientAccessRights);
  EXPECT_EQ(ClientOf(kAlice).Add("cn=n,ou=people,dc=example,dc=com", person).code,
            ResultCode::kInsufficientAccessRights);
  EXPECT_EQ(ClientOf(kAlice).Add("cn=n,ou=hidden,dc=example,dc=com", person).code,
            ResultCode::kSuccess);
}

}  // namespace
}  // namespace twintree::directory
