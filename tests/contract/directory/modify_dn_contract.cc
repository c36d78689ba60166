#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

using Values = std::vector<std::string>;

TEST_P(DirectoryContract, RenameRefusesToMoveBelowItself) {
  AddUnit("p");
  AddUnit("c", "ou=p,dc=example,dc=com");
  const std::string p = "ou=p,dc=example,dc=com";
  EXPECT_EQ(admin().Rename(p, "ou=p", false, "OU = C , OU=P,dc=example,dc=com").code,
            ResultCode::kUnwillingToPerform);
  EXPECT_EQ(admin().Rename(p, "ou=p", false, p).code, ResultCode::kUnwillingToPerform);
  EXPECT_THAT(admin().Search(kSuffix, Scope::kSubordinate).dns(),
              UnorderedElementsAre(p, "ou=c," + p));
}

TEST_P(DirectoryContract, RenameKeepsOrDeletesOldNamingValues) {
  Load(R"(dn: cn=a,dc=example,dc=com
objectClass: inetOrgPerson
cn: a
cn: extra
sn: x
)");
  EXPECT_EQ(admin().Rename("cn=a,dc=example,dc=com", "cn=a2", false).code, ResultCode::kSuccess);
  EXPECT_EQ(admin().Get("cn=a2,dc=example,dc=com").at("cn"), (Values{"a", "extra", "a2"}));
  EXPECT_EQ(admin().Rename("cn=a2,dc=example,dc=com", "cn=EXTRA", true).code, ResultCode::kSuccess);
  const Found found = admin().Search("cn=extra,dc=example,dc=com", Scope::kBase);
  EXPECT_THAT(found.dns(), ElementsAre("cn=EXTRA,dc=example,dc=com"));
  EXPECT_EQ(found.entries.at(0).attributes.at("cn"), (Values{"a", "extra"}));
}

TEST_P(DirectoryContract, RenameObeysTheSchema) {
  AddPerson("b");
  const std::string b = "cn=b,dc=example,dc=com";
  EXPECT_EQ(admin().Rename(b, "uid=b", true).code, ResultCode::kObjectClassViolation);
  EXPECT_EQ(admin().Get(b).at("cn"), Values{"b"});
  EXPECT_EQ(admin().Rename(b, "uid=b", false).code, ResultCode::kSuccess);
  EXPECT_EQ(admin().Rename("uid=b,dc=example,dc=com", "gidNumber=7", false).code,
            ResultCode::kObjectClassViolation);
}

TEST_P(DirectoryContract, RenameRefusals) {
  AddPerson("a");
  AddPerson("b");
  const std::string a = "cn=a,dc=example,dc=com";
  EXPECT_EQ(admin().Rename(a, "CN=B").code, ResultCode::kEntryAlreadyExists);
  const Outcome no_superior = admin().Rename(a, "cn=a", true, "ou=none,dc=example,dc=com");
  EXPECT_EQ(no_superior.code, ResultCode::kNoSuchObject);
  EXPECT_EQ(no_superior.matched_dn, kSuffix);
  EXPECT_EQ(admin().Rename("cn=zz,dc=example,dc=com", "cn=yy").code, ResultCode::kNoSuchObject);
  EXPECT_EQ(admin().Rename(a, "cn=x,cn=y").code, ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(admin().Rename(a, "").code, ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(admin().Rename(a, "novalue").code, ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(admin().Rename(a, "cn=a", true, "dc=elsewhere").code, ResultCode::kAffectsMultipleDsas);
  EXPECT_EQ(admin().Rename(kSuffix, "dc=other").code, ResultCode::kAffectsMultipleDsas);
  EXPECT_EQ(admin().Search(kSuffix, Scope::kOneLevel).entries.size(), 2u);
}

TEST_P(DirectoryContract, RenameMayChangeTheSpellingOnly) {
  AddPerson("foo");
  EXPECT_EQ(admin().Rename("cn=foo,dc=example,dc=com", "cn=Foo", true).code, ResultCode::kSuccess);
  const Found found = admin().Search("cn=foo,dc=example,dc=com", Scope::kBase);
  EXPECT_THAT(found.dns(), ElementsAre("cn=Foo,dc=example,dc=com"));
  EXPECT_EQ(found.entries.at(0).attributes.at("cn"), Values{"Foo"});
  EXPECT_EQ(admin().Rename(kSuffix, "DC=Example", true).code, ResultCode::kSuccess);
  EXPECT_THAT(admin().Search(kSuffix, Scope::kBase).dns(), ElementsAre("DC=Example,dc=com"));
}

TEST_P(DirectoryContract, RenameTakesTheSubtreeAlong) {
  AddUnit("a");
  AddUnit("b", "ou=a,dc=example,dc=com");
  AddPerson("p", "ou=b,ou=a,dc=example,dc=com");
  AddUnit("target");
  const std::string uuid =
      admin().Get("cn=p,ou=b,ou=a,dc=example,dc=com", {"entryUUID"}).at("entryuuid").at(0);
  EXPECT_EQ(admin()
                .Rename("ou=a,dc=example,dc=com", "ou=Moved", true, "ou=target,dc=example,dc=com")
                .code,
            ResultCode::kSuccess);
  const std::string moved = "cn=p,ou=b,ou=Moved,ou=target,dc=example,dc=com";
  EXPECT_THAT(admin().Search(kSuffix, Scope::kSubtree, "(cn=p)").dns(), ElementsAre(moved));
  EXPECT_EQ(admin().Get(moved, {"entryUUID"}).at("entryuuid"), Values{uuid});
  EXPECT_FALSE(admin().Exists("ou=a,dc=example,dc=com"));
  EXPECT_THAT(admin().Search("ou=target,dc=example,dc=com", Scope::kSubtree, "(cn=p)").dns(),
              ElementsAre(moved));
}

TEST_P(DirectoryContract, RenamedLeafThatGetsChildrenAgainHasItsNewName) {
  AddUnit("a");
  AddPerson("p", "ou=a,dc=example,dc=com");
  ASSERT_EQ(admin().Search(kSuffix, Scope::kSubtree).entries.size(), 3u);
  admin().Delete("cn=p,ou=a,dc=example,dc=com");
  ASSERT_EQ(admin().Rename("ou=a,dc=example,dc=com", "ou=b").code, ResultCode::kSuccess);
  AddPerson("q", "ou=b,dc=example,dc=com");
  EXPECT_THAT(admin().Search(kSuffix, Scope::kSubtree, "(cn=q)").dns(),
              ElementsAre("cn=q,ou=b,dc=example,dc=com"));
}

TEST_P(DirectoryContract, RenameMovesBetweenContexts) {
  DirectorySettings settings;
  settings.engine.suffixes = {"dc=example,dc=com", "dc=other,dc=org"};
  Start(settings);
  AddPerson("p");
  EXPECT_EQ(admin().Rename("cn=p,dc=example,dc=com", "cn=p", true, "dc=other,dc=org").code,
            ResultCode::kSuccess);
  EXPECT_TRUE(admin().Exists("cn=p,dc=other,dc=org"));
}

}  // namespace
}  // namespace twintree::directory
