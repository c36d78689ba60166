#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

using Values = std::vector<std::string>;

constexpr std::string_view kTree = R"(dn: ou=a,dc=example,dc=com
objectClass: organizationalUnit
ou: a

dn: cn=x,ou=a,dc=example,dc=com
objectClass: person
cn: x
sn: s

dn: cn=y,cn=x,ou=a,dc=example,dc=com
objectClass: person
cn: y
sn: s

dn: ou=ab,dc=example,dc=com
objectClass: organizationalUnit
ou: ab
)";

TEST_P(DirectoryContract, SearchScopes) {
  Load(kTree);
  const std::string a = "ou=a,dc=example,dc=com";
  const std::string x = "cn=x," + a;
  const std::string y = "cn=y," + x;
  EXPECT_THAT(admin().Search(a, Scope::kBase).dns(), ElementsAre(a));
  EXPECT_THAT(admin().Search(a, Scope::kOneLevel).dns(), ElementsAre(x));
  EXPECT_THAT(admin().Search(a, Scope::kSubtree).dns(), UnorderedElementsAre(a, x, y));
  EXPECT_THAT(admin().Search("OU=A,dc=example,dc=com", Scope::kSubordinate).dns(),
              UnorderedElementsAre(x, y));
}

TEST_P(DirectoryContract, SearchBaseThatDoesNotMatchIsSuccess) {
  Load(kTree);
  const Found found =
      admin().Search("ou=a,dc=example,dc=com", Scope::kBase, "(objectClass=person)");
  EXPECT_EQ(found.code(), ResultCode::kSuccess);
  EXPECT_THAT(found.entries, IsEmpty());
}

TEST_P(DirectoryContract, SearchTellsNearestAncestorOfMissingBase) {
  Load(kTree);
  const Found found = admin().Search("cn=1,cn=2,OU=A,dc=example,dc=com", Scope::kSubtree);
  EXPECT_EQ(found.code(), ResultCode::kNoSuchObject);
  EXPECT_EQ(found.outcome.matched_dn, "ou=a,dc=example,dc=com");
  const Found outside = admin().Search("dc=elsewhere", Scope::kSubtree);
  EXPECT_EQ(outside.code(), ResultCode::kNoSuchObject);
  EXPECT_EQ(outside.outcome.matched_dn, "");
}

TEST_P(DirectoryContract, NamesOutsideTheTreeAreToldAsSuch) {
  const std::string none = "no naming context holds this name";
  EXPECT_EQ(admin().Search("dc=elsewhere", Scope::kSubtree).outcome.diagnostic, none);
  EXPECT_EQ(admin().Add("cn=a,dc=elsewhere", {{"objectClass", {"device"}}}).diagnostic, none);
  EXPECT_EQ(admin().Delete("cn=a,dc=elsewhere").diagnostic, none);
}

TEST_P(DirectoryContract, ANamingContextWithoutItsEntryIsToldAsSuch) {
  DirectorySettings settings;
  settings.engine.suffixes.emplace_back("dc=Later");
  Start(settings);
  ASSERT_EQ(admin().Delete("dc=later").code, ResultCode::kSuccess);
  const std::string missing = "the entry of the naming context dc=Later does not exist yet";
  const Found found = admin().Search("dc=later", Scope::kSubtree);
  EXPECT_EQ(found.code(), ResultCode::kNoSuchObject);
  EXPECT_EQ(found.outcome.diagnostic, missing);
  EXPECT_EQ(admin().Add("cn=a,dc=later", {{"objectClass", {"device"}}}).diagnostic, missing);
  EXPECT_EQ(admin().Search("cn=a,dc=example,dc=com", Scope::kBase).outcome.diagnostic,
            "no such entry");
}

TEST_P(DirectoryContract, SearchRefusesBaseThatIsNoName) {
  EXPECT_EQ(admin().Search("no name", Scope::kBase).code(), ResultCode::kInvalidDnSyntax);
}

TEST_P(DirectoryContract, SearchSizeLimitCountsWhatIsSent) {
  for (int i = 0; i < 5; ++i) AddPerson("u" + std::to_string(i));
  for (const auto& [limit, code, count] :
       std::vector<std::tuple<std::uint32_t, ResultCode, std::size_t>>{
           {0, ResultCode::kSuccess, 5},
           {5, ResultCode::kSuccess, 5},
           {4, ResultCode::kSizeLimitExceeded, 4},
           {1, ResultCode::kSizeLimitExceeded, 1}}) {
    SearchRequest request = MakeSearch(kSuffix, Scope::kOneLevel, "(sn=same)");
    request.size_limit = limit;
    const Found found = admin().Search(request);
    EXPECT_EQ(found.code(), code) << limit;
    EXPECT_EQ(found.entries.size(), count) << limit;
    EXPECT_EQ(found.outcome.entries, count) << limit;
  }
}

TEST_P(DirectoryContract, SearchServerSizeLimitBindsUsersOnly) {
  DirectorySettings settings;
  settings.engine.max_size_limit = 2;
  Start(settings);
  for (int i = 0; i < 3; ++i) AddPerson("u" + std::to_string(i));
  const Found found = ClientOf("").Search(kSuffix, Scope::kOneLevel);
  EXPECT_EQ(found.code(), ResultCode::kSizeLimitExceeded);
  EXPECT_EQ(found.entries.size(), 2u);
  EXPECT_EQ(admin().Search(kSuffix, Scope::kOneLevel).entries.size(), 3u);
}

TEST_P(DirectoryContract, SearchAfterItsDeadlineIsOver) {
  admin().context().deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const Found found = admin().Search(kSuffix, Scope::kSubtree);
  EXPECT_EQ(found.code(), ResultCode::kTimeLimitExceeded);
  EXPECT_THAT(found.entries, IsEmpty());
}

TEST_P(DirectoryContract, SearchReturnsTypesOnly) {
  AddPerson("p");
  SearchRequest request =
      MakeSearch("cn=p,dc=example,dc=com", Scope::kBase, "(objectClass=*)", {"cn", "sn"});
  request.types_only = true;
  const Found found = admin().Search(request);
  ASSERT_EQ(found.entries.size(), 1u);
  EXPECT_THAT(found.entries[0].attributes,
              ElementsAre(Pair("cn", IsEmpty()), Pair("sn", IsEmpty())));
}

TEST_P(DirectoryContract, SearchSelectsAttributes) {
  Load(R"(dn: cn=p,dc=example,dc=com
objectClass: inetOrgPerson
cn: p
cn: q
cn;lang-de: r
sn: x
)");
  const auto get = [&](std::vector<std::string> attributes) {
    return admin().Get("cn=p,dc=example,dc=com", std::move(attributes));
  };
  EXPECT_THAT(get({"1.1"}), IsEmpty());
  EXPECT_THAT(get({"1.1", "sn"}), ElementsAre(Pair("sn", Values{"x"})));
  EXPECT_THAT(get({"sn", "SN", "surname", "2.5.4.4"}), ElementsAre(Pair("sn", Values{"x"})));
  EXPECT_THAT(get({"xNoSuchAttr", "no such name", "", "mail"}), IsEmpty());
  EXPECT_THAT(get({"cn"}),
              ElementsAre(Pair("cn", Values{"p", "q"}), Pair("cn;lang-de", Values{"r"})));
  EXPECT_THAT(get({"cn;lang-de"}), ElementsAre(Pair("cn;lang-de", Values{"r"})));
  EXPECT_EQ(get({"name"}).size(), 3u);
  EXPECT_EQ(get({"@person"}).size(), 4u);
  EXPECT_EQ(get({}).size(), 4u);
  EXPECT_EQ(get({"*", "1.1"}).size(), 4u);
}

TEST_P(DirectoryContract, SearchReturnsOperationalAttributesOnRequest) {
  AddPerson("p");
  const std::string dn = "cn=p,dc=example,dc=com";
  const AttributeMap operational = admin().Get(dn, {"+"});
  for (const char* name : {"createtimestamp", "modifytimestamp", "creatorsname", "modifiersname",
                           "entryuuid", "entrycsn", "structuralobjectclass", "entrydn",
                           "subschemasubentry", "hassubordinates", "numsubordinates"}) {
    EXPECT_TRUE(operational.contains(name)) << name;
  }
  EXPECT_FALSE(operational.contains("cn"));
  EXPECT_EQ(admin().Get(dn, {"ENTRYUUID", "CreateTimeStamp"}).size(), 2u);
  EXPECT_EQ(operational.at("creatorsname"), Values{std::string(kRootDn)});
  EXPECT_EQ(operational.at("structuralobjectclass"), Values{"inetOrgPerson"});
}

TEST_P(DirectoryContract, SearchComputesDerivedAttributes) {
  AddUnit("o");
  const std::string dn = "ou=o,dc=example,dc=com";
  EXPECT_EQ(admin().Get(dn, {"hasSubordinates"}).at("hassubordinates"), Values{"FALSE"});
  AddPerson("k", dn);
  const AttributeMap now = admin().Get(dn, {"hasSubordinates", "numSubordinates", "entryDN"});
  EXPECT_EQ(now.at("hassubordinates"), Values{"TRUE"});
  EXPECT_EQ(now.at("numsubordinates"), Values{"1"});
  EXPECT_EQ(now.at("entrydn"), Values{dn});
  EXPECT_THAT(admin().Search(kSuffix, Scope::kSubtree, "(hasSubordinates=TRUE)").dns(),
              UnorderedElementsAre(std::string(kSuffix), dn));
  EXPECT_THAT(
      admin().Search(kSuffix, Scope::kSubtree, "(entryDN=OU = o , dc=example,dc=com)").dns(),
      ElementsAre(dn));
}

TEST_P(DirectoryContract, SearchKeepsTheSpellingOfNames) {
  AddUnit("Big Unit");
  AddPerson("Doe\\, John", "OU=big  unit,dc=example,dc=com");
  EXPECT_THAT(admin().Search(kSuffix, Scope::kSubtree, "(cn=doe, john)").dns(),
              ElementsAre("cn=Doe\\, John,ou=Big Unit,dc=example,dc=com"));
}

TEST_P(DirectoryContract, SearchHidesPasswords) {
  Load(R"(dn: cn=p,dc=example,dc=com
objectClass: person
cn: p
userPassword: secret
sn: x
)");
  const std::string dn = "cn=p,dc=example,dc=com";
  EXPECT_FALSE(ClientOf("").Get(dn).contains("userpassword"));
  EXPECT_EQ(ClientOf("").Get(dn).size(), 3u);
  EXPECT_THAT(ClientOf("").Get(dn, {"userPassword"}), IsEmpty());
  EXPECT_TRUE(admin().Get(dn).contains("userpassword"));
  EXPECT_THAT(ClientOf("").Search(dn, Scope::kBase, "(userPassword=*)").entries, IsEmpty());
  EXPECT_THAT(ClientOf("").Search(dn, Scope::kBase, "(!(userPassword=*))").entries, IsEmpty());
}

TEST_P(DirectoryContract, SearchFromTheRootCoversAllContexts) {
  DirectorySettings settings;
  settings.engine.suffixes = {"dc=example,dc=com", "dc=other,dc=org"};
  Start(settings);
  AddPerson("p", "dc=other,dc=org");
  EXPECT_THAT(admin().Search("", Scope::kOneLevel).dns(),
              UnorderedElementsAre("dc=example,dc=com", "dc=other,dc=org"));
  EXPECT_EQ(admin().Search("", Scope::kSubtree).entries.size(), 3u);
  EXPECT_THAT(admin().Search("", Scope::kSubtree, "(cn=p)").dns(),
              ElementsAre("cn=p,dc=other,dc=org"));
}

}  // namespace
}  // namespace twintree::directory
