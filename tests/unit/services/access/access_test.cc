#include "services/access/access.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace twintree::access {
namespace {

using directory::Subject;
using model::Attribute;
using model::AttributeDescription;
using model::AttributeType;
using model::DnKey;
using model::Entry;
using model::ResultCode;
using model::Schema;

const std::shared_ptr<const Schema>& StandardSchema() {
  static const auto& schema = *new std::shared_ptr<const Schema>(Schema::Standard());
  return schema;
}

// An entry of objectClass person below a name.
class Target : public model::FilterTarget {
 public:
  explicit Target(const std::string& dn, const std::string& object_class = "person")
      : key_(*StandardSchema()->NormalizeDn(dn)), entry_(Make(object_class)) {}
  const Entry& entry() override { return entry_; }
  const DnKey& dn_key() override { return key_; }
  std::vector<std::string> DerivedValues(const AttributeType&) override { return {}; }
  bool MaySearch(const AttributeType&) override { return true; }

 private:
  static Entry Make(const std::string& object_class) {
    const std::vector<Attribute> attributes = {
        {*AttributeDescription::Parse("objectClass", *StandardSchema()), {object_class}}};
    return Entry::Encode(attributes, *StandardSchema());
  }
  DnKey key_;
  Entry entry_;
};

Subject User(const std::string& dn) {
  return {Subject::Kind::kUser, dn, StandardSchema()->NormalizeDn(dn)->text()};
}

const AttributeType& Type(const std::string& name) {
  return *StandardSchema()->FindAttributeType(name);
}

bool IsMember(std::string_view group, std::string_view subject) {
  return group == "cn=admins,dc=x" && subject == "cn=boss,dc=x";
}

Rights RightsOf(const AccessPolicy& policy, const Subject& subject, const std::string& dn,
                const std::string& attribute, const std::string& object_class = "person") {
  Target target(dn, object_class);
  const auto access = policy.ForRequest(subject, IsMember);
  const EntryAccess entry = access->ForEntry(target);
  if (attribute == "entry") return entry.for_entry();
  if (attribute == "children") return entry.for_children();
  return entry.ForAttribute(Type(attribute));
}

std::shared_ptr<const AccessPolicy> Rules(std::string_view yaml) {
  auto policy = AccessPolicy::Parse(yaml, StandardSchema());
  EXPECT_TRUE(policy.ok()) << policy.status().error().message;
  return *policy;
}

constexpr Rights kLook = kCompare | kSearch | kRead;

TEST(SecurePolicyTest, AnonymousMayOnlyBind) {
  const auto policy = AccessPolicy::Secure(StandardSchema());
  EXPECT_EQ(RightsOf(*policy, {}, "cn=a,dc=x", "cn"), 0);
  EXPECT_EQ(RightsOf(*policy, {}, "cn=a,dc=x", "entry"), 0);
  EXPECT_EQ(RightsOf(*policy, {}, "cn=a,dc=x", "userPassword"), kAuth);
}

TEST(SecurePolicyTest, UsersSeeThemselvesAndChangeTheirPassword) {
  const auto policy = AccessPolicy::Secure(StandardSchema());
  const Subject user = User("CN=A,dc=x");
  EXPECT_EQ(RightsOf(*policy, user, "cn=a,dc=x", "cn"), kLook);
  EXPECT_EQ(RightsOf(*policy, user, "cn=a,dc=x", "userPassword"), kAuth | kWrite);
  EXPECT_EQ(RightsOf(*policy, user, "cn=b,dc=x", "cn"), 0);
  EXPECT_EQ(RightsOf(*policy, user, "cn=b,dc=x", "userPassword"), kAuth);
}

TEST(SecurePolicyTest, RootMayDoEverything) {
  const auto policy = AccessPolicy::Secure(StandardSchema());
  const auto access = policy->ForRequest({Subject::Kind::kRoot, "cn=r", "cn=r"}, IsMember);
  Target target("cn=a,dc=x");
  EXPECT_TRUE(access->unrestricted());
  EXPECT_TRUE(access->ForEntry(target).reads_all_user_attributes());
  EXPECT_TRUE(access->ForEntry(target).May(kWrite, Type("userPassword")));
}

TEST(OpenPolicyTest, NobodyReadsPasswords) {
  const auto policy = AccessPolicy::Open(StandardSchema());
  for (const Subject& subject : {Subject(), User("cn=a,dc=x"), User("cn=b,dc=x")}) {
    Target target("cn=a,dc=x");
    const EntryAccess access = policy->ForRequest(subject, IsMember)->ForEntry(target);
    EXPECT_FALSE(access.May(kRead, Type("userPassword")));
    EXPECT_FALSE(access.May(kSearch, Type("userPassword")));
    EXPECT_FALSE(access.May(kCompare, Type("userPassword")));
    EXPECT_TRUE(access.May(kRead, Type("cn")));
    EXPECT_FALSE(access.May(kWrite, Type("cn")));
  }
}

TEST(OpenPolicyTest, NobodyReadsFormerPasswords) {
  for (const auto& policy :
       {AccessPolicy::Open(StandardSchema()), AccessPolicy::Secure(StandardSchema())}) {
    EXPECT_EQ(RightsOf(*policy, {}, "cn=a,dc=x", "pwdHistory"), 0);
    EXPECT_EQ(RightsOf(*policy, User("cn=a,dc=x"), "cn=a,dc=x", "pwdHistory"), 0);
  }
}

TEST(OpenPolicyTest, KnowsThatThePasswordIsHidden) {
  const auto policy = AccessPolicy::Open(StandardSchema());
  const auto access = policy->ForRequest({}, IsMember);
  Target target("cn=a,dc=x");
  EXPECT_FALSE(access->ForEntry(target).reads_all_user_attributes());
}

TEST(PasswordsTest, ARuleThatDoesNotListThemGrantsOnlyToBindAndToWrite) {
  for (const char* attributes : {"", "attributes: ['*', '+']\n  "}) {
    const auto policy =
        Rules(std::string("rules:\n- ") + attributes + "grant: [{to: anyone, rights: [all]}]\n");
    for (const char* password : {"userPassword", "pwdHistory"}) {
      EXPECT_EQ(RightsOf(*policy, {}, "cn=a,dc=x", password), kAuth | kWrite) << password;
    }
    EXPECT_EQ(RightsOf(*policy, {}, "cn=a,dc=x", "pwdChangedTime"), kAuth | kWrite | kLook);
  }
}

TEST(PasswordsTest, ARuleThatListsThemGrantsWhatItSays) {
  const auto policy = Rules(
      "rules:\n"
      "- attributes: ['*', userPassword]\n  grant: [{to: anyone, rights: [all]}]\n"
      "- attributes: ['+', pwdHistory]\n  grant: [{to: anyone, rights: [read]}]\n");
  EXPECT_EQ(RightsOf(*policy, {}, "cn=a,dc=x", "userPassword"), kAuth | kWrite | kLook);
  EXPECT_EQ(RightsOf(*policy, {}, "cn=a,dc=x", "pwdHistory"), kRead);
}

TEST(PasswordsTest, ThoseOfSchemaFilesAreKnownByName) {
  const auto schema = Schema::StandardWith(
      "attributetype ( 1.3.6.1.4.1.7165.2.1.25 NAME 'sambaNTPassword' EQUALITY caseIgnoreIA5Match "
      "SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 SINGLE-VALUE )\n"
      "attributetype ( 1.2.3.4 NAME 'ourPassword' SUP userPassword )\n");
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  const auto policy = AccessPolicy::Open(*schema);
  Target target("cn=a,dc=x");
  const EntryAccess access = policy->ForRequest({}, IsMember)->ForEntry(target);
  for (const char* password : {"sambaNTPassword", "ourPassword"}) {
    EXPECT_FALSE(access.May(kRead, *(*schema)->FindAttributeType(password))) << password;
  }
}

TEST(RulePolicyTest, KnowsWhetherItGrantsAnything) {
  EXPECT_FALSE(Rules("rules: []")->grants_anything());
  EXPECT_FALSE(Rules("rules:\n- grant: [{to: anyone, rights: []}]")->grants_anything());
  EXPECT_TRUE(Rules("rules:\n- grant: [{to: self, rights: [read]}]")->grants_anything());
  EXPECT_TRUE(AccessPolicy::Secure(StandardSchema())->grants_anything());
}

TEST(RulePolicyTest, TheFirstRuleThatNamesTheRequesterDecides) {
  const auto policy = Rules(
      "rules:\n"
      "- subtree: ou=a,dc=x\n"
      "  grant: [{to: 'dn:cn=u,dc=x', rights: [read]}]\n"
      "- grant: [{to: users, rights: [search]}, {to: anyone, rights: []}]\n");
  EXPECT_EQ(RightsOf(*policy, User("CN=U,dc=x"), "cn=1,ou=a,dc=x", "cn"), kRead);
  EXPECT_EQ(RightsOf(*policy, User("CN=U,dc=x"), "cn=1,ou=b,dc=x", "cn"), kSearch);
  EXPECT_EQ(RightsOf(*policy, User("CN=V,dc=x"), "cn=1,ou=a,dc=x", "cn"), kSearch);
  EXPECT_EQ(RightsOf(*policy, {}, "cn=1,ou=a,dc=x", "cn"), 0);
}

TEST(RulePolicyTest, ASubtreeEndsAtAnRdn) {
  const auto policy =
      Rules("rules:\n- subtree: ou=a,dc=x\n  grant: [{to: anyone, rights: [read]}]\n");
  EXPECT_EQ(RightsOf(*policy, {}, "ou=a,dc=x", "cn"), kRead);
  EXPECT_EQ(RightsOf(*policy, {}, "ou=ba,dc=x", "cn"), 0);
}

TEST(RulePolicyTest, FiltersSeparateEntries) {
  const auto policy = Rules(
      "rules:\n"
      "- filter: (objectClass=person)\n"
      "  grant: [{to: anyone, rights: [read]}]\n");
  EXPECT_EQ(RightsOf(*policy, {}, "cn=1,dc=x", "cn", "inetOrgPerson"), kRead);
  EXPECT_EQ(RightsOf(*policy, {}, "cn=1,dc=x", "cn", "device"), 0);
}

TEST(RulePolicyTest, AttributeListsCoverSubtypesAndPseudoAttributes) {
  const auto policy = Rules(
      "rules:\n"
      "- attributes: [name, entry]\n"
      "  grant: [{to: anyone, rights: [read]}]\n"
      "- attributes: ['+', children]\n"
      "  grant: [{to: anyone, rights: [search]}]\n");
  EXPECT_EQ(RightsOf(*policy, {}, "cn=1,dc=x", "cn"), kRead);
  EXPECT_EQ(RightsOf(*policy, {}, "cn=1,dc=x", "mail"), 0);
  EXPECT_EQ(RightsOf(*policy, {}, "cn=1,dc=x", "entry"), kRead);
  EXPECT_EQ(RightsOf(*policy, {}, "cn=1,dc=x", "entryUUID"), kSearch);
  EXPECT_EQ(RightsOf(*policy, {}, "cn=1,dc=x", "children"), kSearch);
}

TEST(RulePolicyTest, GroupsAndSubtreesOfSubjects) {
  const auto policy = Rules(
      "rules:\n- grant:\n"
      "  - {to: 'group:cn=Admins,dc=x', rights: [all]}\n"
      "  - {to: 'subtree:ou=staff,dc=x', rights: [read]}\n");
  EXPECT_EQ(RightsOf(*policy, User("cn=boss,dc=x"), "cn=1,dc=x", "cn"),
            kAuth | kCompare | kSearch | kRead | kWrite);
  EXPECT_EQ(RightsOf(*policy, User("cn=1,ou=staff,dc=x"), "cn=1,dc=x", "cn"), kRead);
  EXPECT_EQ(RightsOf(*policy, User("cn=1,dc=x"), "cn=1,dc=x", "cn"), 0);
}

TEST(RulePolicyTest, OneRequestSeesManyKindsOfEntries) {
  const auto policy = Rules(
      "rules:\n"
      "- subtree: ou=a,dc=x\n  grant: [{to: anyone, rights: [read]}]\n"
      "- grant: [{to: self, rights: [write]}, {to: anyone, rights: [search]}]\n");
  const auto access = policy->ForRequest(User("cn=me,dc=x"), IsMember);
  Target inside("cn=1,ou=a,dc=x"), outside("cn=1,dc=x"), own("cn=me,dc=x");
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(access->ForEntry(inside).ForAttribute(Type("cn")), kRead);
    EXPECT_EQ(access->ForEntry(outside).ForAttribute(Type("cn")), kSearch);
    EXPECT_EQ(access->ForEntry(own).ForAttribute(Type("cn")), kWrite);
  }
}

std::string ContextProblem(const std::string& rule, const std::string& context = "dc=x") {
  const model::Status status =
      CheckNames(*Rules("rules:\n- " + rule), {*StandardSchema()->NormalizeDn(context)});
  return status.ok() ? "" : status.error().message;
}

TEST(RuleNamesTest, NamesOutsideTheNamingContextsAreToldWithTheirPlace) {
  EXPECT_EQ(ContextProblem("subtree: ou=a,dc=y\n  grant: []"),
            "access rules: rule 1: line 2: 'ou=a,dc=y' lies outside what this directory holds: "
            "dc=x");
  EXPECT_NE(ContextProblem("grant: [{to: 'group:cn=g,dc=y', rights: []}]"), "");
  EXPECT_NE(ContextProblem("grant: [{to: 'subtree:dc=y', rights: []}]"), "");
  EXPECT_NE(ContextProblem("grant: [{to: 'dn:cn=u,dc=y', rights: []}]"), "");
}

TEST(RuleNamesTest, ASubtreeMayLieWithinOrAboveANamingContext) {
  EXPECT_EQ(ContextProblem("subtree: ou=a,DC=x\n  grant: [{to: 'dn:dc=x', rights: []}]"), "");
  EXPECT_EQ(ContextProblem("subtree: dc=x\n  grant: []", "dc=b,dc=x"), "");
  EXPECT_EQ(ContextProblem("subtree: ''\n  grant: []"), "");
}

TEST(ReplaceablePolicyTest, RequestsUnderWayKeepTheirRules) {
  ReplaceablePolicy policy(Rules("rules:\n- grant: [{to: anyone, rights: [read]}]"));
  const auto before = policy.ForRequest({}, IsMember);
  policy.Replace(Rules("rules:\n- grant: [{to: anyone, rights: [search]}]"));
  Target target("cn=a,dc=x");
  EXPECT_EQ(before->ForEntry(target).ForAttribute(Type("cn")), kRead);
  EXPECT_EQ(policy.ForRequest({}, IsMember)->ForEntry(target).ForAttribute(Type("cn")), kSearch);
}

class WrongRulesTest : public testing::TestWithParam<std::pair<const char*, const char*>> {};

INSTANTIATE_TEST_SUITE_P(
    All, WrongRulesTest,
    testing::Values(
        std::pair("rules: 3", "'rules' must be a list"),
        std::pair("rule: []", "unknown key 'rule'; did you mean 'rules'?"),
        std::pair("rules:\n- grants: []", "unknown key 'grants'; did you mean 'grant'?"),
        std::pair("rules:\n- grant: [{to: dn:cn=portal,dc=example,dc=com, rights: [read]}]",
                  "line 2: unknown key 'dc=example'; a name with commas needs quotes"),
        std::pair("rules:\n- grant: [{to: dn:cn=portal,dc=example,dc=com}]", "needs quotes"),
        std::pair("rules:\n- {subtree: ou=a,dc=x, grant: []}", "needs quotes"),
        std::pair("rules:\n- {}", "needs 'grant'"),
        std::pair("rules:\n- grant: [{to: everybody, rights: []}]", "everybody"),
        std::pair("rules:\n- grant: [{to: anyone, rights: [fly]}]", "line 2: unknown right 'fly'"),
        std::pair("rules:\n- attributes: [noSuch]\n  grant: []", "unknown attribute 'noSuch'"),
        std::pair("rules:\n- subtree: 'not a dn'\n  grant: []", "'subtree'"),
        std::pair("rules:\n- grant: []\n- filter: (&(cn=*)(!(foo=x)))\n  grant: []",
                  "rule 2: line 3: 'filter': unknown attribute 'foo'"),
        std::pair("rules:\n- filter: (objectClass=persn)\n  grant: []",
                  "(objectClass=persn) matches nothing"),
        std::pair("rules:\n- filter: (uidNumber=many)\n  grant: []", "(uidNumber=many)"),
        std::pair("rules:\n- filter: (cn:noSuchMatch:=x)\n  grant: []",
                  "unknown matching rule 'noSuchMatch'"),
        std::pair("rules:\n- grant: []\n  grant: []", "line 3: the key 'grant' is given twice"),
        std::pair("rules:\n- filter: '(cn='\n  grant: []", "'filter'"),
        std::pair("rules: [", "line 1"), std::pair("", "must be a map")));

TEST_P(WrongRulesTest, AreRefusedWithTheirPlace) {
  const auto policy = AccessPolicy::Parse(GetParam().first, StandardSchema());
  ASSERT_EQ(policy.code(), ResultCode::kOther);
  EXPECT_NE(policy.error().message.find(GetParam().second), std::string::npos)
      << policy.error().message;
}

}  // namespace
}  // namespace twintree::access
