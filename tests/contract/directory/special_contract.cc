#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Values = std::vector<std::string>;

Found SearchRoot(DirectoryClient& client, Values attributes,
                 std::string_view filter = "(objectClass=*)") {
  SearchRequest request = MakeSearch("", Scope::kBase, filter, std::move(attributes));
  request.door_attributes =
      std::make_shared<std::vector<model::RawAttribute>>(std::vector<model::RawAttribute>{
          {"supportedLDAPVersion", {"3"}}, {"supportedControl", {"1.3.6.1.1.12"}}});
  return client.Search(request);
}

TEST_P(DirectoryContract, RootDseTellsAnybodyWhatIsThere) {
  DirectorySettings settings;
  settings.access_rules = "rules: []";
  Start(settings);
  DirectoryClient anybody = ClientOf("");
  const Found found = SearchRoot(
      anybody, {"namingContexts", "SUBSCHEMASUBENTRY", "supportedLDAPVersion", "supportedControl"});
  ASSERT_EQ(found.entries.size(), 1u);
  EXPECT_EQ(found.entries[0].dn, "");
  EXPECT_THAT(found.entries[0].attributes,
              ElementsAre(Pair("namingcontexts", Values{"dc=example,dc=com"}),
                          Pair("subschemasubentry", Values{"cn=Subschema"}),
                          Pair("supportedcontrol", Values{"1.3.6.1.1.12"}),
                          Pair("supportedldapversion", Values{"3"})));
}

TEST_P(DirectoryContract, RootDseKeepsOperationalAttributesBack) {
  const Found plain = SearchRoot(admin(), {});
  ASSERT_EQ(plain.entries.size(), 1u);
  EXPECT_THAT(plain.entries[0].attributes, ElementsAre(Pair("objectclass", testing::_)));
  const Found all = SearchRoot(admin(), {"+"});
  ASSERT_EQ(all.entries.size(), 1u);
  for (const char* name : {"namingcontexts", "subschemasubentry", "supportedldapversion",
                           "vendorname", "vendorversion"}) {
    EXPECT_TRUE(all.entries[0].attributes.contains(name)) << name;
  }
  EXPECT_THAT(SearchRoot(admin(), {"1.1"}).entries.at(0).attributes, IsEmpty());
  EXPECT_THAT(SearchRoot(admin(), {}, "(cn=none)").entries, IsEmpty());
}

TEST_P(DirectoryContract, SubschemaIsAnEntry) {
  DirectoryClient anybody = ClientOf("");
  const AttributeMap plain = anybody.Get("cn=subschema");
  EXPECT_EQ(plain.at("cn"), Values{"Subschema"});
  EXPECT_FALSE(plain.contains("attributetypes"));
  const AttributeMap schema = anybody.Get(
      "cn=Subschema",
      {"attributeTypes", "objectClasses", "ldapSyntaxes", "matchingRules", "matchingRuleUse"});
  EXPECT_EQ(schema.size(), 5u);
  EXPECT_GT(schema.at("attributetypes").size(), 100u);
  for (const auto& [name, values] : schema) {
    for (const std::string& value : values) EXPECT_EQ(value.substr(0, 2), "( ") << name;
  }
}

TEST_P(DirectoryContract, SubschemaHasTimesThatCachesAsk) {
  EXPECT_FALSE(admin().Get("cn=Subschema").contains("modifytimestamp"));
  const AttributeMap times = admin().Get("cn=Subschema", {"+"});
  EXPECT_EQ(times.at("modifytimestamp").size(), 1u);
  EXPECT_EQ(times.at("createtimestamp"), times.at("modifytimestamp"));
  EXPECT_EQ(admin()
                .Search("cn=Subschema", Scope::kBase, "(modifyTimestamp>=20000101000000Z)")
                .entries.size(),
            1u);
}

TEST_P(DirectoryContract, SubschemaAnswersFilters) {
  const auto count = [&](std::string_view filter) {
    return admin().Search("cn=Subschema", Scope::kBase, filter, {"1.1"}).entries.size();
  };
  EXPECT_EQ(count("(objectClass=subschema)"), 1u);
  EXPECT_EQ(count("(attributeTypes=surname)"), 1u);
  EXPECT_EQ(count("(objectClasses=2.5.6.6)"), 1u);
  EXPECT_EQ(count("(objectClasses=1.2.3.4.5.6)"), 0u);
  EXPECT_EQ(admin().Search("cn=Subschema", Scope::kOneLevel).code(), ResultCode::kSuccess);
  EXPECT_THAT(admin().Search("cn=Subschema", Scope::kOneLevel).entries, IsEmpty());
  EXPECT_EQ(admin().Search("cn=Subschema", Scope::kSubtree).entries.size(), 1u);
}

TEST_P(DirectoryContract, SubschemaCompares) {
  EXPECT_EQ(admin().Compare("cn=Subschema", "objectClass", "subschema").code,
            ResultCode::kCompareTrue);
  EXPECT_EQ(admin().Compare("", "subschemaSubentry", "CN=Subschema").code,
            ResultCode::kCompareTrue);
}

}  // namespace
}  // namespace twintree::directory
