// The examples of docs/access.md, as printed there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/access/access.h"
#include "tests/contract/directory_client.h"
#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

using model::ResultCode;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kPeople = "ou=People,dc=example,dc=com";
constexpr std::string_view kAlice = "uid=alice,ou=People,dc=example,dc=com";
constexpr std::string_view kBob = "uid=bob,ou=People,dc=example,dc=com";
constexpr std::string_view kHost = "cn=host1,ou=Machines,dc=example,dc=com";
constexpr std::string_view kPortal = "cn=portal,ou=Services,dc=example,dc=com";

constexpr std::string_view kTree = R"(dn: dc=example,dc=com
objectClass: domain
dc: example

dn: ou=People,dc=example,dc=com
objectClass: organizationalUnit
ou: People

dn: ou=Groups,dc=example,dc=com
objectClass: organizationalUnit
ou: Groups

dn: ou=Machines,dc=example,dc=com
objectClass: organizationalUnit
ou: Machines

dn: ou=Services,dc=example,dc=com
objectClass: organizationalUnit
ou: Services

dn: uid=alice,ou=People,dc=example,dc=com
objectClass: inetOrgPerson
objectClass: posixAccount
uid: alice
cn: Alice
sn: A
mail: alice@example.com
uidNumber: 1000
gidNumber: 1000
homeDirectory: /home/alice
loginShell: /bin/bash
userPassword: wonder

dn: uid=bob,ou=People,dc=example,dc=com
objectClass: inetOrgPerson
uid: bob
cn: Bob
sn: B
mail: bob@example.com
userPassword: builder

dn: cn=staff,ou=Groups,dc=example,dc=com
objectClass: posixGroup
cn: staff
gidNumber: 1000
memberUid: alice

dn: cn=helpdesk,ou=Groups,dc=example,dc=com
objectClass: groupOfNames
cn: helpdesk
member: uid=bob,ou=People,dc=example,dc=com

dn: cn=host1,ou=Machines,dc=example,dc=com
objectClass: device
objectClass: simpleSecurityObject
cn: host1
userPassword: machine

dn: cn=portal,ou=Services,dc=example,dc=com
objectClass: applicationProcess
objectClass: simpleSecurityObject
cn: portal
userPassword: service
)";

// The first YAML block of each chapter, by the chapter's heading.
std::map<std::string, std::string> Examples() {
  const char* const root = std::getenv("TWINTREE_SOURCE_DIR");
  std::ifstream file(std::string(root == nullptr ? "." : root) + "/docs/access.md");
  std::map<std::string, std::string> examples;
  std::string heading;
  std::string* block = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") && block == nullptr) heading = line.substr(line.find(' ') + 1);
    if (line == "```yaml") {
      block = &examples[heading];
    } else if (line == "```") {
      block = nullptr;
    } else if (block != nullptr) {
      block->append(line).push_back('\n');
    }
  }
  return examples;
}

// What rules are asked about.
class NamedPerson : public model::FilterTarget {
 public:
  NamedPerson(std::string_view dn, const model::Schema& schema)
      : key_(*schema.NormalizeDn(dn)),
        entry_(model::Entry::Encode(
            std::vector<model::Attribute>{
                {*model::AttributeDescription::Parse("objectClass", schema),
                 {"inetOrgPerson", "posixAccount"}}},
            schema)) {}
  const model::Entry& entry() override { return entry_; }
  const model::DnKey& dn_key() override { return key_; }
  std::vector<std::string> DerivedValues(const model::AttributeType&) override { return {}; }
  bool MaySearch(const model::AttributeType&) override { return true; }

 private:
  model::DnKey key_;
  model::Entry entry_;
};

class DocumentedAccessTest : public testing::Test {
 protected:
  ~DocumentedAccessTest() override {
    directory_ = nullptr;
    executor_->Stop();
    store_->Close();
  }

  void Start(const std::string& heading) {
    const auto schema = model::Schema::Standard();
    const auto policy = access::AccessPolicy::Parse(Examples()[heading], schema);
    ASSERT_TRUE(policy.ok()) << heading << ": " << policy.status().error().message;
    const model::Status names =
        access::CheckNames(**policy, {*schema->NormalizeDn("dc=example,dc=com")});
    ASSERT_TRUE(names.ok()) << names.error().message;
    LocalDirectory::Parts parts = MakeParts(store_, executor_);
    parts.access = *policy;
    auto made = LocalDirectory::Make(std::move(parts), MakeOptions());
    ASSERT_TRUE(made.ok());
    directory_ = *std::move(made);
    DirectoryClient(*directory_, RootSubject()).Load(kTree);
  }

  DirectoryClient Client(std::string_view dn) { return {*directory_, SubjectOf(dn)}; }
  ResultCode Bind(std::string_view dn, std::string_view password) {
    return Client("").Bind(dn, password).code;
  }

  std::shared_ptr<storage::EntryStore> store_ = MakeMemoryStore({});
  std::shared_ptr<Executor> executor_ = MakeThreadPool(1, 100);
  std::unique_ptr<LocalDirectory> directory_;
};

// Former passwords come by import only.
TEST_F(DocumentedAccessTest, NobodyLooksAtPasswords) {
  const auto schema = model::Schema::Standard();
  const std::map<std::string, std::string> examples = Examples();
  EXPECT_EQ(examples.size(), 5u);
  for (const auto& [heading, rules] : examples) {
    const auto policy = access::AccessPolicy::Parse(rules, schema);
    ASSERT_TRUE(policy.ok()) << heading;
    for (const std::string_view subject : {kAlice, kBob, kHost, kPortal}) {
      const auto access = (*policy)->ForRequest(
          SubjectOf(subject), [](std::string_view, std::string_view) { return true; });
      NamedPerson target(kAlice, *schema);
      const access::EntryAccess rights = access->ForEntry(target);
      for (const char* password : {"userPassword", "pwdHistory"}) {
        EXPECT_EQ(rights.ForAttribute(*schema->FindAttributeType(password)) &
                      (access::kRead | access::kSearch | access::kCompare),
                  0)
            << heading << ": " << subject << ": " << password;
      }
    }
  }
}

TEST_F(DocumentedAccessTest, TheFirstExampleIsSecure) {
  Start("Access rules");
  EXPECT_EQ(Bind(kAlice, "wonder"), ResultCode::kSuccess);
  EXPECT_TRUE(Client(kAlice).Exists(kAlice));
  EXPECT_FALSE(Client(kAlice).Get(kAlice).contains("userpassword"));
  EXPECT_FALSE(Client(kAlice).Exists(kBob));
  EXPECT_EQ(Client(kAlice).SetPassword("", "wonder", "new").code, ResultCode::kSuccess);
}

TEST_F(DocumentedAccessTest, MachinesLookPeopleAndGroupsUp) {
  Start("Machines with SSSD look people and groups up");
  EXPECT_EQ(Bind(kHost, "machine"), ResultCode::kSuccess);
  DirectoryClient host = Client(kHost);
  const Found person = host.Search(kPeople, Scope::kSubtree,
                                   "(&(uid=alice)(objectclass=posixAccount)(uid=*)"
                                   "(&(uidNumber=*)(!(uidNumber=0))))",
                                   {"*", "+"});
  EXPECT_THAT(person.dns(), ElementsAre(kAlice));
  EXPECT_EQ(person.entries.front().attributes.at("homedirectory").front(), "/home/alice");
  EXPECT_TRUE(person.entries.front().attributes.contains("entryuuid"));
  EXPECT_FALSE(person.entries.front().attributes.contains("userpassword"));
  EXPECT_FALSE(person.entries.front().attributes.contains("mail"));
  EXPECT_THAT(host.Search("ou=Groups,dc=example,dc=com", Scope::kSubtree,
                          "(&(memberUid=alice)(objectClass=posixGroup)(cn=*)"
                          "(&(gidNumber=*)(!(gidNumber=0))))")
                  .dns(),
              ElementsAre("cn=staff,ou=Groups,dc=example,dc=com"));
  EXPECT_EQ(host.Search(kBob, Scope::kBase).code(), ResultCode::kNoSuchObject);
  EXPECT_EQ(Bind(kAlice, "wonder"), ResultCode::kSuccess);
  EXPECT_EQ(Client(kBob).Search(kPeople, Scope::kSubtree).code(), ResultCode::kNoSuchObject);
}

TEST_F(DocumentedAccessTest, TheHelpDeskResetsPasswordsAndAddsPeople) {
  Start("The help desk resets passwords and adds people");
  DirectoryClient desk = Client(kBob);
  EXPECT_EQ(desk.SetPassword(kAlice, std::nullopt, "forgotten").code, ResultCode::kSuccess);
  EXPECT_EQ(Bind(kAlice, "forgotten"), ResultCode::kSuccess);
  EXPECT_EQ(desk.Add("uid=carol,ou=People,dc=example,dc=com", {{"objectClass", {"inetOrgPerson"}},
                                                               {"cn", {"Carol"}},
                                                               {"sn", {"C"}},
                                                               {"uid", {"carol"}},
                                                               {"userPassword", {"first"}}})
                .code,
            ResultCode::kSuccess);
  EXPECT_EQ(Bind("uid=carol,ou=People,dc=example,dc=com", "first"), ResultCode::kSuccess);
  EXPECT_EQ(desk.Modify(kAlice, {ReplaceValues("sn", {"X"})}).code, ResultCode::kSuccess);
  EXPECT_FALSE(desk.Get(kAlice).contains("userpassword"));
  EXPECT_EQ(desk.Delete("uid=carol,ou=People,dc=example,dc=com").code, ResultCode::kSuccess);
}

TEST_F(DocumentedAccessTest, TheHelpDeskRunsNothingElse) {
  Start("The help desk resets passwords and adds people");
  EXPECT_EQ(Client(kBob).SetPassword(kHost, std::nullopt, "x").code, ResultCode::kNoSuchObject);
  EXPECT_EQ(Client(kBob)
                .Modify("cn=helpdesk,ou=Groups,dc=example,dc=com", {AddValues("member", {"cn=x"})})
                .code,
            ResultCode::kNoSuchObject);
  EXPECT_EQ(Client(kAlice).SetPassword(kBob, std::nullopt, "x").code, ResultCode::kNoSuchObject);
  EXPECT_EQ(Client(kAlice).SetPassword("", "wonder", "x").code, ResultCode::kSuccess);
}

TEST_F(DocumentedAccessTest, BoundUsersReadEverythingButPasswords) {
  Start("Bound users read everything but passwords");
  const Found all = Client(kAlice).Search("dc=example,dc=com", Scope::kSubtree, "(mail=bob*)");
  EXPECT_THAT(all.dns(), ElementsAre(kBob));
  EXPECT_FALSE(all.entries.front().attributes.contains("userpassword"));
  EXPECT_THAT(Client(kAlice).Search(kPeople, Scope::kSubtree, "(userPassword=builder)").entries,
              IsEmpty());
  EXPECT_EQ(Client("").Search(kPeople, Scope::kSubtree).code(), ResultCode::kNoSuchObject);
  EXPECT_EQ(Bind(kBob, "builder"), ResultCode::kSuccess);
}

TEST_F(DocumentedAccessTest, AnApplicationSearchesAndThenBinds) {
  Start("An application that searches and then binds");
  EXPECT_EQ(Bind(kPortal, "service"), ResultCode::kSuccess);
  const Found found = Client(kPortal).Search(kPeople, Scope::kSubtree,
                                             "(&(objectClass=inetOrgPerson)"
                                             "(|(uid=bob)(mail=bob)))");
  EXPECT_THAT(found.dns(), ElementsAre(kBob));
  EXPECT_EQ(found.entries.front().attributes.size(), 3u);
  EXPECT_EQ(Bind(found.dns().front(), "builder"), ResultCode::kSuccess);
  EXPECT_THAT(Client(kPortal).Search(kPeople, Scope::kSubtree, "(cn=Bob)").entries, IsEmpty());
  EXPECT_EQ(Client(kBob).Search(kPeople, Scope::kSubtree).code(), ResultCode::kNoSuchObject);
}

}  // namespace
}  // namespace twintree::directory
