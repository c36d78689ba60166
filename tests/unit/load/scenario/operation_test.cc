#include "load/scenario/operation.h"

#include <gtest/gtest.h>

namespace twintree::load {
namespace {

Action ExactSearch() {
  Action action;
  action.kind = OperationKind::kSearch;
  action.expected = {Pattern("uid=user.{n},ou=People,dc=example,dc=com"), "", 3};
  return action;
}

Action WildcardSearch() {
  Action action;
  action.kind = OperationKind::kSearch;
  action.expected = {Pattern("uid=user.{n}"), ",ou=People,dc=example,dc=com", 3};
  return action;
}

TEST(OperationTest, AcceptsTheEntryAskedFor) {
  const Action action = ExactSearch();
  EXPECT_EQ(CheckEntry({&action, 7}, "uid=user.7,ou=People,dc=example,dc=com", 3), "");
  EXPECT_EQ(CheckEntry({&action, 7}, "UID=user.7, ou = people,DC=example,dc=com", 3), "");
}

TEST(OperationTest, RefusesAnotherEntry) {
  const Action action = ExactSearch();
  for (const char* dn : {"uid=user.8,ou=People,dc=example,dc=com", "", "uid=user.7",
                         "uid=user.7,ou=People,dc=example,dc=com,dc=org",
                         "uid=user.7 7,ou=People,dc=example,dc=com"}) {
    EXPECT_EQ(CheckEntry({&action, 7}, dn, 3), "wrong entry") << dn;
  }
}

TEST(OperationTest, ChecksBothEndsOfWildcardMatches) {
  const Action action = WildcardSearch();
  EXPECT_EQ(CheckEntry({&action, 7}, "uid=user.71,ou=People,dc=example,dc=com", 3), "");
  EXPECT_EQ(CheckEntry({&action, 7}, "uid=user.71,OU=People,dc=example,dc=com", 3), "");
  EXPECT_EQ(CheckEntry({&action, 7}, "uid=user.81,ou=People,dc=example,dc=com", 3), "wrong entry");
  EXPECT_EQ(CheckEntry({&action, 7}, "uid=user.71,ou=Other,dc=example,dc=com", 3), "wrong entry");
}

TEST(OperationTest, MissesAttributes) {
  const Action action = ExactSearch();
  EXPECT_EQ(CheckEntry({&action, 7}, "uid=user.7,ou=People,dc=example,dc=com", 2),
            "attributes missing");
}

TEST(OperationTest, ChecksTheResultCode) {
  const Action search = ExactSearch();
  EXPECT_EQ(CheckResult({&search, 0, 0, 1}, 0, 1), "");
  EXPECT_EQ(CheckResult({&search, 0, 0, 1}, 32, 0), "result 32 noSuchObject");
  EXPECT_EQ(CheckResult({&search, 0, 0, 1}, 4711, 0), "result 4711");
  Action compare;
  compare.kind = OperationKind::kCompare;
  EXPECT_EQ(CheckResult({&compare}, 6, 0), "");
  EXPECT_EQ(CheckResult({&compare}, 5, 0), "result 5 compareFalse");
}

TEST(OperationTest, CountsEntries) {
  const Action search = WildcardSearch();
  EXPECT_EQ(CheckResult({&search, 0, 0, 11}, 0, 10), "too few entries");
  EXPECT_EQ(CheckResult({&search, 0, 0, 11}, 0, 12), "too many entries");
}

}  // namespace
}  // namespace twintree::load
