#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

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

TEST_P(DirectoryContract, AccessOfTheAnonymousIsTheirsAlone) {
  DirectorySettings settings;
  settings.access_rules = R"(rules:
  - attributes: [mail]
    grant: [{to: anonymous, rights: [read, search]}]
  - attributes: [entry, objectClass, sn]
    grant: [{to: anyone, rights: [read, search]}]
)";
  Start(settings);
  Load(kTree);
  EXPECT_TRUE(ClientOf("").Get(kAlice).contains("mail"));
  EXPECT_THAT(ClientOf("").Search(kSuffix, Scope::kSubtree, "(mail=alice@*)").dns(),
              ElementsAre(kAlice));
  EXPECT_FALSE(ClientOf(kAlice).Get(kAlice).contains("mail"));
  EXPECT_TRUE(ClientOf(kAlice).Get(kAlice).contains("sn"));
  EXPECT_THAT(ClientOf(kAlice).Search(kSuffix, Scope::kSubtree, "(mail=alice@*)").entries,
              IsEmpty());
}

// A name with a unique identifier is not the name alone (RFC 4517 4.2.31).
TEST_P(DirectoryContract, AccessOfUniqueMembers) {
  Start(AccessSettings());
  Load(kTree);
  const std::string admins = "cn=admins,dc=example,dc=com";
  const auto sees_bob_as_member = [&](const char* member) {
    EXPECT_EQ(admin().Delete(admins).code, ResultCode::kSuccess);
    EXPECT_EQ(admin()
                  .Add(admins, {{"objectClass", {"groupOfUniqueNames"}},
                                {"uniqueMember", {"cn=other,ou=people,dc=example,dc=com", member}}})
                  .code,
              ResultCode::kSuccess);
    return ClientOf(kAlice).Search(kSuffix, Scope::kSubtree, "(cn=bob)").entries.size() == 1;
  };
  EXPECT_TRUE(sees_bob_as_member("CN=Alice, ou=People,dc=example,dc=com"));
  EXPECT_FALSE(sees_bob_as_member("cn=alice,ou=people,dc=example,dc=com#'0101'B"));
  EXPECT_FALSE(sees_bob_as_member("cn=alicia,ou=people,dc=example,dc=com"));
}

TEST_P(DirectoryContract, AccessToMoveNeedsBothParentsAndTheEntry) {
  DirectorySettings settings;
  settings.access_rules = R"yaml(rules:
  - subtree: "ou=people,dc=example,dc=com"
    filter: "(objectClass=organizationalUnit)"
    attributes: [children]
    grant: [{to: "group:cn=leavers,dc=example,dc=com", rights: [write]}]
  - subtree: "ou=hidden,dc=example,dc=com"
    filter: "(objectClass=organizationalUnit)"
    attributes: [children]
    grant: [{to: "group:cn=joiners,dc=example,dc=com", rights: [write]}]
  - subtree: "ou=people,dc=example,dc=com"
    filter: "(objectClass=person)"
    attributes: [entry, cn]
    grant:
      - {to: "group:cn=movers,dc=example,dc=com", rights: [read, write]}
  - subtree: "ou=secret,dc=example,dc=com"
    grant: [{to: anyone, rights: []}]
  - grant: [{to: users, rights: [read, search]}]
)yaml";
  Start(settings);
  Load(kTree);
  Load("dn: ou=secret,dc=example,dc=com\nobjectClass: organizationalUnit\nou: secret\n");
  const auto join = [&](std::string_view group) {
    return admin()
        .Add("cn=" + std::string(group) + ",dc=example,dc=com",
             {{"objectClass", {"groupOfNames"}}, {"member", {std::string(kAlice)}}})
        .code;
  };
  const auto move = [&](std::string_view above) {
    return ClientOf(kAlice).Rename(kAlice, "cn=alice", true, std::string(above));
  };
  constexpr std::string_view kNew = "ou=hidden,dc=example,dc=com";
  for (const char* group : {"leavers", "joiners", "movers"}) {
    EXPECT_EQ(move(kNew).code, ResultCode::kInsufficientAccessRights) << "before " << group;
    ASSERT_EQ(join(group), ResultCode::kSuccess);
  }
  const Outcome hidden = move("ou=secret,dc=example,dc=com");
  const Outcome missing = move("ou=nowhere,dc=example,dc=com");
  EXPECT_EQ(hidden.code, ResultCode::kNoSuchObject);
  EXPECT_EQ(hidden.code, missing.code);
  EXPECT_EQ(hidden.matched_dn, missing.matched_dn);
  EXPECT_EQ(hidden.diagnostic, missing.diagnostic);
  EXPECT_EQ(move(kNew).code, ResultCode::kSuccess);
  EXPECT_EQ(admin().Search("cn=alice,ou=hidden,dc=example,dc=com", Scope::kBase).entries.size(),
            1u);
}

TEST_P(DirectoryContract, AccessToMoveIsAskedOfEachPlace) {
  DirectorySettings settings;
  settings.access_rules = R"(rules:
  - subtree: "ou=people,dc=example,dc=com"
    grant: [{to: users, rights: [all]}]
  - grant: [{to: users, rights: [read, search]}]
)";
  Start(settings);
  Load(kTree);
  DirectoryClient alice = ClientOf(kAlice);
  EXPECT_EQ(alice.Rename(kAlice, "cn=alice", true, "ou=hidden,dc=example,dc=com").code,
            ResultCode::kInsufficientAccessRights);
  EXPECT_EQ(alice
                .Rename("cn=bob,ou=hidden,dc=example,dc=com", "cn=bob", true,
                        "ou=people,dc=example,dc=com")
                .code,
            ResultCode::kInsufficientAccessRights);
  EXPECT_EQ(alice.Rename(kAlice, "cn=alicia").code, ResultCode::kSuccess);
}

TEST_P(DirectoryContract, AccessHidesAliasesAndWhatTheyName) {
  DirectorySettings settings;
  settings.access_rules = R"(rules:
  - subtree: "ou=hidden,dc=example,dc=com"
    grant: [{to: anyone, rights: []}]
  - subtree: "cn=unread,dc=example,dc=com"
    attributes: [aliasedObjectName]
    grant: [{to: anyone, rights: []}]
  - grant: [{to: anyone, rights: [read, search]}]
)";
  Start(settings);
  Load(kTree);
  const auto add = [&](const std::string& dn, const std::string& target) {
    EXPECT_EQ(admin()
                  .Add(dn, {{"objectClass", {"alias", "extensibleObject"}},
                            {"aliasedObjectName", {target}}})
                  .code,
              ResultCode::kSuccess);
  };
  const std::string alice(kAlice);
  const std::string hidden = "cn=hidden,ou=hidden,dc=example,dc=com";
  add(hidden, alice);
  add("cn=dangling,ou=hidden,dc=example,dc=com", "cn=nobody,dc=example,dc=com");
  add("cn=open,dc=example,dc=com", alice);
  add("cn=unread,dc=example,dc=com", alice);
  add("cn=to hidden,dc=example,dc=com", "cn=bob,ou=hidden,dc=example,dc=com");
  add("cn=to nothing,dc=example,dc=com", "cn=bub,ou=hidden,dc=example,dc=com");
  add("cn=through hidden,dc=example,dc=com", hidden);
  DirectoryClient anybody = ClientOf("");
  const auto ask = [&](const std::string& base) {
    SearchRequest request = MakeSearch(base, Scope::kBase, "(objectClass=*)", {"1.1"});
    request.deref = DerefAliases::kAlways;
    return anybody.Search(request);
  };
  EXPECT_THAT(ask("cn=open,dc=example,dc=com").dns(), ElementsAre(alice));
  EXPECT_EQ(ask("cn=unread,dc=example,dc=com").code(), ResultCode::kAliasDereferencingProblem);
  for (const std::string& base :
       {hidden, "cn=below," + hidden, std::string("cn=dangling,ou=hidden,dc=example,dc=com")}) {
    const Found found = ask(base);
    EXPECT_EQ(found.code(), ResultCode::kNoSuchObject) << base;
    EXPECT_EQ(found.outcome.matched_dn, kSuffix) << base;
  }
  for (const char* name : {"to hidden", "to nothing", "through hidden"}) {
    const Found found = ask("cn=" + std::string(name) + ",dc=example,dc=com");
    EXPECT_EQ(found.code(), ResultCode::kAliasProblem) << name;
    EXPECT_EQ(found.outcome.matched_dn, "") << name;
  }
}

TEST_P(DirectoryContract, AccessKeepsSearchesFromFollowingHiddenAliases) {
  DirectorySettings settings;
  settings.access_rules = R"(rules:
  - subtree: "cn=hidden,ou=people,dc=example,dc=com"
    grant: [{to: anyone, rights: []}]
  - grant: [{to: anyone, rights: [read, search]}]
)";
  Start(settings);
  Load(kTree);
  const auto names = [&](DirectoryClient client) {
    SearchRequest request =
        MakeSearch("ou=people,dc=example,dc=com", Scope::kSubtree, "(objectClass=person)", {"1.1"});
    request.deref = DerefAliases::kAlways;
    return client.Search(request).dns();
  };
  const std::string bob = "cn=bob,ou=hidden,dc=example,dc=com";
  ASSERT_EQ(admin()
                .Add("cn=hidden,ou=people,dc=example,dc=com",
                     {{"objectClass", {"alias", "extensibleObject"}},
                      {"aliasedObjectName", {"ou=hidden,dc=example,dc=com"}}})
                .code,
            ResultCode::kSuccess);
  EXPECT_THAT(names(admin()), UnorderedElementsAre(kAlice, bob));
  EXPECT_THAT(names(ClientOf("")), ElementsAre(kAlice));
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
