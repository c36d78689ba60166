#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

using Values = std::vector<std::string>;

constexpr std::string_view kName = "cn=m,dc=example,dc=com";
constexpr std::string_view kPerson = R"(dn: cn=m,dc=example,dc=com
objectClass: inetOrgPerson
cn: m
sn: x
mail: One@Example.COM
description: red
description: green
description: blue
)";
constexpr std::string_view kAccount = R"(dn: uid=c,dc=example,dc=com
objectClass: account
objectClass: posixAccount
uid: c
cn: c
uidNumber: 2147483647
gidNumber: 1
homeDirectory: /x
)";

TEST_P(DirectoryContract, ModifyReplaceTakesAnyNewSet) {
  Load(kPerson);
  EXPECT_EQ(admin().Modify(kName, {ReplaceValues("description", {"red", "three"})}).code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Get(kName).at("description"), (Values{"red", "three"}));
  EXPECT_EQ(
      admin()
          .Modify(kName, {ReplaceValues("title"), ReplaceValues("description"),
                          ReplaceValues("telephoneNumber", {"1"}), ReplaceValues("sn", {"X"})})
          .code,
      ResultCode::kSuccess);
  const AttributeMap entry = admin().Get(kName);
  EXPECT_FALSE(entry.contains("description"));
  EXPECT_FALSE(entry.contains("title"));
  EXPECT_EQ(entry.at("sn"), Values{"X"});
}

TEST_P(DirectoryContract, ModifyFindsEqualValuesByTheRule) {
  Load(kPerson);
  const auto modify = [&](model::Modification one) { return admin().Modify(kName, {one}).code; };
  EXPECT_EQ(modify(AddValues("mail", {"one@example.com"})), ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(modify(AddValues("title", {"Boss", "boss"})), ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(modify(ReplaceValues("title", {"a", "A"})), ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(modify(DeleteValues("description", {"RED", " blue "})), ResultCode::kSuccess);
  EXPECT_EQ(admin().Get(kName).at("description"), Values{"green"});
  EXPECT_EQ(modify(DeleteValues("description", {"red"})), ResultCode::kNoSuchAttribute);
  EXPECT_EQ(modify(DeleteValues("title")), ResultCode::kNoSuchAttribute);
}

TEST_P(DirectoryContract, ModifyIsJudgedByItsEndState) {
  Load(kPerson);
  EXPECT_EQ(admin().Modify(kName, {DeleteValues("sn"), AddValues("sn", {"new"})}).code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Modify(kName, {DeleteValues("sn")}).code, ResultCode::kObjectClassViolation);
  EXPECT_EQ(admin()
                .Modify(kName, {AddValues("preferredLanguage", {"de"}),
                                AddValues("preferredLanguage", {"en"}),
                                DeleteValues("preferredLanguage", {"de"})})
                .code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Modify(kName, {AddValues("preferredLanguage", {"fr"})}).code,
            ResultCode::kConstraintViolation);
  EXPECT_EQ(admin().Get(kName).at("preferredlanguage"), Values{"en"});
}

TEST_P(DirectoryContract, ModifyIsAtomic) {
  Load(kPerson);
  EXPECT_EQ(
      admin().Modify(kName, {ReplaceValues("sn", {"lost"}), DeleteValues("title", {"none"})}).code,
      ResultCode::kNoSuchAttribute);
  EXPECT_EQ(admin().Get(kName).at("sn"), Values{"x"});
}

TEST_P(DirectoryContract, ModifyOfNothingSucceeds) {
  Load(kPerson);
  EXPECT_EQ(admin().Modify(kName, {}).code, ResultCode::kSuccess);
  EXPECT_EQ(admin().Modify("cn=none,dc=example,dc=com", {}).code, ResultCode::kNoSuchObject);
}

TEST_P(DirectoryContract, ModifyKeepsNamingValues) {
  Load(kPerson);
  EXPECT_EQ(admin().Modify(kName, {ReplaceValues("cn", {"other"})}).code,
            ResultCode::kNotAllowedOnRdn);
  EXPECT_EQ(admin().Modify(kName, {DeleteValues("cn")}).code, ResultCode::kNotAllowedOnRdn);
  EXPECT_EQ(admin().Modify(kName, {ReplaceValues("cn", {"other", "M"})}).code,
            ResultCode::kSuccess);
}

TEST_P(DirectoryContract, ModifyKeepsTheStructuralClass) {
  Load(kPerson);
  EXPECT_EQ(
      admin().Modify(kName, {ReplaceValues("objectClass", {"person"}), DeleteValues("mail")}).code,
      ResultCode::kObjectClassModsProhibited);
  EXPECT_EQ(admin()
                .Modify(kName, {AddValues("objectClass", {"simpleSecurityObject"}),
                                AddValues("userPassword", {"x"})})
                .code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Modify(kName, {AddValues("objectClass", {"nothing"})}).code,
            ResultCode::kInvalidAttributeSyntax);
}

TEST_P(DirectoryContract, ModifyRefusesUnknownAndServerAttributes) {
  Load(kPerson);
  const auto modify = [&](model::Modification one) { return admin().Modify(kName, {one}).code; };
  EXPECT_EQ(modify(AddValues("xNoSuchAttr", {"x"})), ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(modify(DeleteValues("xNoSuchAttr")), ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(modify(ReplaceValues("entryUUID", {"597ae2f6-16a6-1027-98f4-d28b5365dc14"})),
            ResultCode::kConstraintViolation);
  EXPECT_EQ(modify(DeleteValues("createTimestamp")), ResultCode::kConstraintViolation);
  EXPECT_EQ(modify(AddValues("description", {})), ResultCode::kProtocolError);
  EXPECT_EQ(modify(AddValues("seeAlso", {"no name"})), ResultCode::kInvalidAttributeSyntax);
}

TEST_P(DirectoryContract, ModifyWithoutEqualityRuleTakesWholeAttributes) {
  Load(kPerson);
  const auto modify = [&](model::Modification one) { return admin().Modify(kName, {one}).code; };
  EXPECT_EQ(modify(AddValues("jpegPhoto", {"one"})), ResultCode::kSuccess);
  EXPECT_EQ(modify(AddValues("jpegPhoto", {"two"})), ResultCode::kInappropriateMatching);
  EXPECT_EQ(modify(DeleteValues("jpegPhoto", {"one"})), ResultCode::kInappropriateMatching);
  EXPECT_EQ(modify(ReplaceValues("jpegPhoto", {"two"})), ResultCode::kSuccess);
  EXPECT_EQ(modify(DeleteValues("jpegPhoto")), ResultCode::kSuccess);
}

TEST_P(DirectoryContract, ModifyTellsDescriptionsWithOptionsApart) {
  Load(kPerson);
  EXPECT_EQ(
      admin()
          .Modify(kName, {AddValues("description;lang-en", {"red"}), DeleteValues("description")})
          .code,
      ResultCode::kSuccess);
  const AttributeMap entry = admin().Get(kName);
  EXPECT_FALSE(entry.contains("description"));
  EXPECT_EQ(entry.at("description;lang-en"), Values{"red"});
}

TEST_P(DirectoryContract, ModifyRefusesWhatCouldNeverBeFoundByValue) {
  Load(kPerson);
  const auto modify = [&](model::Modification one) { return admin().Modify(kName, {one}).code; };
  EXPECT_EQ(modify(AddValues("seeAlso", {"noSuchType=x"})), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(modify(AddValues("description", {"\uFFFD"})), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(modify(ReplaceValues("manager", {"noSuchType=x"})),
            ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(modify(ReplaceValues("jpegPhoto", {"\uFFFD"})), ResultCode::kSuccess);
}

// As OpenLDAP has it: what a class implies need not be listed, and is implied all the same.
TEST_P(DirectoryContract, ModifyTakesSuperclassesAwayInNameOnly) {
  Load(R"(dn: cn=m,dc=example,dc=com
objectClass: top
objectClass: person
objectClass: inetOrgPerson
cn: m
sn: x
)");
  const auto modify = [&](model::Modification one) { return admin().Modify(kName, {one}).code; };
  EXPECT_EQ(modify(DeleteValues("objectClass", {"top", "person"})), ResultCode::kSuccess);
  EXPECT_EQ(admin().Get(kName).at("objectclass"), Values{"inetOrgPerson"});
  for (const char* implied : {"top", "person", "organizationalPerson"}) {
    EXPECT_EQ(admin().Compare(kName, "objectClass", implied).code, ResultCode::kCompareTrue);
    EXPECT_EQ(admin()
                  .Search(kName, Scope::kBase, std::string("(objectClass=") + implied + ")")
                  .entries.size(),
              1u)
        << implied;
    EXPECT_EQ(modify(DeleteValues("objectClass", {implied})), ResultCode::kNoSuchAttribute);
  }
  EXPECT_EQ(modify(AddValues("objectClass", {"person"})), ResultCode::kSuccess);
  EXPECT_EQ(modify(AddValues("objectClass", {"2.5.6.6"})), ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(modify(DeleteValues("objectClass", {"inetOrgPerson"})),
            ResultCode::kObjectClassModsProhibited);
}

TEST_P(DirectoryContract, ModifyIncrements) {
  Load(kAccount);
  const std::string dn = "uid=c,dc=example,dc=com";
  const auto modify = [&](model::Modification one) { return admin().Modify(dn, {one}).code; };
  EXPECT_EQ(modify(IncrementBy("uidNumber", {"1"})), ResultCode::kSuccess);
  EXPECT_EQ(modify(IncrementBy("gidNumber", {"-3"})), ResultCode::kSuccess);
  EXPECT_EQ(admin().Get(dn).at("uidnumber"), Values{"2147483648"});
  EXPECT_EQ(admin().Get(dn).at("gidnumber"), Values{"-2"});
  EXPECT_EQ(modify(IncrementBy("shadowLastChange", {"1"})), ResultCode::kNoSuchAttribute);
  EXPECT_EQ(modify(IncrementBy("uidNumber", {"1", "2"})), ResultCode::kProtocolError);
  EXPECT_EQ(modify(IncrementBy("uidNumber", {})), ResultCode::kProtocolError);
  EXPECT_EQ(modify(IncrementBy("uidNumber", {"abc"})), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(modify(IncrementBy("cn", {"1"})), ResultCode::kConstraintViolation);
}

TEST_P(DirectoryContract, ModifyIncrementsOfManyLoseNothing) {
  Load(kAccount);
  admin().Modify("uid=c,dc=example,dc=com", {ReplaceValues("uidNumber", {"0"})});
  std::atomic<int> succeeded{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&] {
      DirectoryClient client(directory(), RootSubject());
      for (int i = 0; i < 25; ++i) {
        const Outcome outcome =
            client.Modify("uid=c,dc=example,dc=com", {IncrementBy("uidNumber", {"1"})});
        if (outcome.code == ResultCode::kSuccess) ++succeeded;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(succeeded, 200);
  EXPECT_EQ(admin().Get("uid=c,dc=example,dc=com").at("uidnumber"), Values{"200"});
}

TEST_P(DirectoryContract, ModifyStampsTheEntry) {
  Load(kPerson);
  const AttributeMap before = admin().Get(kName, {"+"});
  admin().Modify(kName, {ReplaceValues("sn", {"y"})});
  const AttributeMap after = admin().Get(kName, {"+"});
  EXPECT_GT(after.at("entrycsn"), before.at("entrycsn"));
  EXPECT_EQ(after.at("entryuuid"), before.at("entryuuid"));
  EXPECT_EQ(after.at("createtimestamp"), before.at("createtimestamp"));
}

TEST_P(DirectoryContract, EntriesTellWhoMadeAndWhoChangedThem) {
  DirectorySettings settings;
  settings.access_rules = R"(rules:
  - grant:
      - {to: users, rights: [search, compare, read, write]}
)";
  Start(settings);
  AddUnit("a");
  const auto writer = [](int number) {
    return "cn=w" + std::to_string(number) + ",dc=example,dc=com";
  };
  const auto who = [&](const std::string& dn) {
    const AttributeMap entry = admin().Get(dn, {"+"});
    EXPECT_EQ(entry.at("creatorsname"), Values{writer(0)});
    return entry.at("modifiersname");
  };
  const std::string name = "cn=e,dc=example,dc=com";
  EXPECT_EQ(ClientOf(writer(0)).Add(name, {{"objectClass", {"person"}}, {"sn", {"x"}}}).code,
            ResultCode::kSuccess);
  EXPECT_EQ(who(name), Values{writer(0)});
  EXPECT_EQ(ClientOf(writer(1)).Modify(name, {ReplaceValues("sn", {"y"})}).code,
            ResultCode::kSuccess);
  EXPECT_EQ(who(name), Values{writer(1)});
  EXPECT_EQ(ClientOf(writer(2)).SetPassword(name, std::nullopt, "secret").code,
            ResultCode::kSuccess);
  EXPECT_EQ(who(name), Values{writer(2)});
  EXPECT_EQ(ClientOf(writer(3)).Rename(name, "cn=f").code, ResultCode::kSuccess);
  EXPECT_EQ(who("cn=f,dc=example,dc=com"), Values{writer(3)});
  EXPECT_EQ(ClientOf(writer(4))
                .Rename("cn=f,dc=example,dc=com", "cn=f", true, "ou=a,dc=example,dc=com")
                .code,
            ResultCode::kSuccess);
  EXPECT_EQ(who("cn=f,ou=a,dc=example,dc=com"), Values{writer(4)});
}

TEST_P(DirectoryContract, ModifyHandlesManyValuesQuickly) {
  Values members;
  for (int i = 0; i < 20000; ++i) {
    members.push_back("cn=" + std::to_string(i) + ",dc=example,dc=com");
  }
  ASSERT_EQ(
      admin()
          .Add("cn=g,dc=example,dc=com", {{"objectClass", {"groupOfNames"}}, {"member", members}})
          .code,
      ResultCode::kSuccess);
  members.resize(15000);
  EXPECT_EQ(admin().Modify("cn=g,dc=example,dc=com", {DeleteValues("member", members)}).code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Modify("cn=g,dc=example,dc=com", {AddValues("member", members)}).code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Modify("cn=g,dc=example,dc=com", {AddValues("member", members)}).code,
            ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(admin().Get("cn=g,dc=example,dc=com").at("member").size(), 20000u);
}

TEST_P(DirectoryContract, ModifyChangesOneOfManyValuesByAnySpelling) {
  const std::string group = "cn=g,dc=example,dc=com";
  Values members;
  for (int i = 0; i < 2000; ++i) {
    members.push_back((i % 2 == 0 ? "CN=U " : "cn=u ") + std::to_string(i) + ",dc=example,dc=com");
  }
  admin().Add(group, {{"objectClass", {"groupOfNames"}}, {"member", members}});
  const auto modify = [&](model::Modification one) { return admin().Modify(group, {one}).code; };
  const auto found = [&](const std::string& member) {
    const Found result = admin().Search("dc=example,dc=com", Scope::kSubtree,
                                        "(member=" + member + ",dc=example,dc=com)");
    return result.entries.size();
  };
  const std::string other = "commonName = u  1000 , DC=Example,dc=com";
  EXPECT_EQ(modify(AddValues("member", {other})), ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(modify(DeleteValues("member", {other})), ResultCode::kSuccess);
  EXPECT_EQ(found("cn=u 1000"), 0u);
  EXPECT_EQ(found("cn=u 1001"), 1u);
  EXPECT_EQ(modify(DeleteValues("member", {other})), ResultCode::kNoSuchAttribute);
  EXPECT_EQ(modify(AddValues("member", {other})), ResultCode::kSuccess);
  EXPECT_EQ(found("cn=u 1000"), 1u);
  EXPECT_EQ(admin().Get(group).at("member").back(), other);
  EXPECT_EQ(admin().Get(group).at("member").size(), 2000u);
}

TEST_P(DirectoryContract, ModifyComparesPasswordsByVerifying) {
  Load(kPerson);
  const auto modify = [&](model::Modification one) { return admin().Modify(kName, {one}).code; };
  EXPECT_EQ(modify(AddValues("userPassword", {"one", "two"})), ResultCode::kSuccess);
  EXPECT_EQ(modify(AddValues("userPassword", {"one"})), ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(modify(DeleteValues("userPassword", {"three"})), ResultCode::kNoSuchAttribute);
  EXPECT_EQ(modify(DeleteValues("userPassword", {"one"})), ResultCode::kSuccess);
  EXPECT_EQ(admin().Get(kName).at("userpassword").size(), 1u);
  EXPECT_EQ(ClientOf("").Bind(kName, "one").code, ResultCode::kInvalidCredentials);
  EXPECT_EQ(ClientOf("").Bind(kName, "two").code, ResultCode::kSuccess);
}

TEST_P(DirectoryContract, ModifyComparesExpensivePasswordsToo) {
  DirectorySettings settings;
  settings.engine.password_scheme = passwords::Scheme::kArgon2;
  Start(settings);
  Load(kPerson);
  const auto modify = [&](model::Modification one) { return admin().Modify(kName, {one}).code; };
  EXPECT_EQ(modify(AddValues("userPassword", {"one"})), ResultCode::kSuccess);
  EXPECT_EQ(modify(AddValues("userPassword", {"one"})), ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(
      admin()
          .Modify(kName, {AddValues("userPassword", {"two"}), DeleteValues("userPassword", {"two"}),
                          DeleteValues("userPassword", {"one"})})
          .code,
      ResultCode::kSuccess);
  EXPECT_FALSE(admin().Get(kName).contains("userpassword"));
}

}  // namespace
}  // namespace twintree::directory
