#include "load/scenario/new_entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace twintree::load {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

std::vector<std::string> Values(const std::vector<NewAttribute>& attributes,
                                std::string_view name) {
  for (const NewAttribute& attribute : attributes) {
    if (attribute.name == name) return attribute.values;
  }
  return {};
}

TEST(NewEntryTest, MakesPeopleLikeThoseOfThePopulation) {
  NewEntryWriter writer(1);
  const auto& person =
      writer.Attributes(NewEntryKind::kPerson, 42, "uid=load.42,ou=x,dc=example,dc=com");
  EXPECT_EQ(person.size(), 27U);
  EXPECT_THAT(Values(person, "objectClass"), ElementsAre("top", "person", "organizationalPerson",
                                                         "inetOrgPerson", "posixAccount"));
  EXPECT_THAT(Values(person, "uid"), ElementsAre("load.42"));
  EXPECT_THAT(Values(person, "cn"), ElementsAre("Load 42"));
  EXPECT_THAT(Values(person, "mail"), ElementsAre("load.42@example.com"));
  EXPECT_THAT(Values(person, "homeDirectory"), ElementsAre("/home/load.42"));
  EXPECT_THAT(Values(person, "userPassword"), ElementsAre(StartsWith("{SSHA}")));
}

TEST(NewEntryTest, NamesEachAttributeOnce) {
  NewEntryWriter writer(1);
  std::set<std::string_view> names;
  for (const NewAttribute& attribute : writer.Attributes(NewEntryKind::kPerson, 1, "uid=load.1")) {
    EXPECT_TRUE(names.insert(attribute.name).second) << attribute.name;
  }
}

TEST(NewEntryTest, NamesTheContainerAfterItsDn) {
  NewEntryWriter writer(1);
  const auto& entry = writer.Attributes(NewEntryKind::kContainer, 0, "ou=load-1,dc=example,dc=com");
  EXPECT_THAT(Values(entry, "objectClass"), ElementsAre("organizationalUnit"));
  EXPECT_THAT(Values(entry, "ou"), ElementsAre("load-1"));
}

}  // namespace
}  // namespace twintree::load
