#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

TEST_P(DirectoryContract, DeleteTakesLeavesOnly) {
  AddUnit("o");
  AddPerson("k", "ou=o,dc=example,dc=com");
  EXPECT_EQ(admin().Delete("ou=o,dc=example,dc=com").code, ResultCode::kNotAllowedOnNonLeaf);
  EXPECT_EQ(admin().Delete("CN=K,ou=o,dc=example,dc=com").code, ResultCode::kSuccess);
  EXPECT_EQ(admin().Delete("ou=o,dc=example,dc=com").code, ResultCode::kSuccess);
  EXPECT_FALSE(admin().Exists("ou=o,dc=example,dc=com"));
}

TEST_P(DirectoryContract, DeleteOfMissingEntryTellsItsAncestor) {
  const Outcome outcome = admin().Delete("cn=a,cn=b,dc=example,dc=com");
  EXPECT_EQ(outcome.code, ResultCode::kNoSuchObject);
  EXPECT_EQ(outcome.matched_dn, kSuffix);
}

TEST_P(DirectoryContract, DeleteSparesTheServersOwnEntries) {
  EXPECT_EQ(admin().Delete("").code, ResultCode::kUnwillingToPerform);
  EXPECT_EQ(admin().Delete("cn=Subschema").code, ResultCode::kUnwillingToPerform);
}

TEST_P(DirectoryContract, DeletedNameCanBeUsedAgainByAnotherEntry) {
  AddPerson("p");
  const AttributeMap before = admin().Get("cn=p,dc=example,dc=com", {"entryUUID"});
  admin().Delete("cn=p,dc=example,dc=com");
  AddPerson("p");
  EXPECT_NE(admin().Get("cn=p,dc=example,dc=com", {"entryUUID"}), before);
}

TEST_P(DirectoryContract, DeleteAndAddTheContextAgain) {
  EXPECT_EQ(admin().Delete(kSuffix).code, ResultCode::kSuccess);
  EXPECT_EQ(admin().Search(kSuffix, Scope::kBase).code(), ResultCode::kNoSuchObject);
  Load("dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n");
  EXPECT_TRUE(admin().Exists(kSuffix));
}

}  // namespace
}  // namespace twintree::directory
