// Schema files beside the standard content, OpenLDAP's own among them.
#include "services/model/schema_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "services/model/schema.h"
#include "services/model/syntax.h"

namespace twintree::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SchemaReport ReportOf(const std::vector<SchemaFile>& files) {
  SchemaReport report;
  const auto schema = Schema::StandardWith(files, &report);
  EXPECT_TRUE(schema.ok()) << schema.status().error().message;
  return report;
}

TEST(SchemaFilesTest, RepeatedDefinitionsAreCounted) {
  const SchemaReport report =
      ReportOf({{"a", "attributetype ( 2.5.4.4 NAME 'surname' DESC 'other words' SUP name )\n"},
                {"b", "attributetype ( 1.2.3 NAME 'x' SUP name )\n"},
                {"c", "attributetype ( 1.2.3 NAME 'x' SUP name )\n"}});
  EXPECT_EQ(report.repeated, 2u);
  EXPECT_THAT(report.warnings, IsEmpty());
}

TEST(SchemaFilesTest, OursStaysAndTheDifferenceIsTold) {
  const std::vector<SchemaFile> files = {
      {"my.schema",
       "\nattributetype ( 2.5.4.4 NAME ( 'sn' 'nachname' ) SUP name SINGLE-VALUE )\n"
       "objectclass ( 2.5.6.6 NAME 'person' SUP top STRUCTURAL MUST cn )\n"}};
  SchemaReport report;
  const auto schema = Schema::StandardWith(files, &report);
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  EXPECT_THAT(report.warnings,
              ElementsAre("my.schema: line 2: the attribute type \"sn\" is known with another "
                          "definition, which stays: this one differs in NAME, SINGLE-VALUE",
                          "my.schema: line 3: the object class \"person\" is known with another "
                          "definition, which stays: this one differs in MUST, MAY"));
  EXPECT_FALSE((*schema)->FindAttributeType("sn")->single_value);
  EXPECT_EQ((*schema)->FindAttributeType("nachname"), nullptr);
}

TEST(SchemaFilesTest, FilesMayReferToEachOtherInAnyOrder) {
  EXPECT_THAT(ReportOf({{"a",
                         "objectclass ( acme:2 NAME 'x' MUST y )\n"
                         "objectidentifier other 1.5\n"},
                        {"b",
                         "objectidentifier acme 1.2.3\n"
                         "attributetype ( acme:1 NAME 'y' SUP name )\n"}})
                  .warnings,
              IsEmpty());
}

TEST(SchemaFilesTest, MistakesNameTheFile) {
  const std::vector<SchemaFile> files = {{"good", ""}, {"bad", "\ninclude /etc/x.schema\n"}};
  const auto schema = Schema::StandardWith(files, nullptr);
  ASSERT_EQ(schema.code(), ResultCode::kOther);
  EXPECT_THAT(schema.error().message, HasSubstr("bad: line 2: include"));
  EXPECT_THAT(schema.error().message, HasSubstr("--schema"));
}

TEST(SchemaFilesTest, ANameOfAnotherDefinitionIsAMistakeThatTellsWhose) {
  const auto schema = Schema::StandardWith("attributetype ( 1.2.3 NAME 'cn' SUP name )");
  EXPECT_THAT(schema.error().message, HasSubstr("\"cn\" is already the name of 2.5.4.3"));
}

TEST(SchemaFilesTest, MatchingRulesThatAreNotOfferedAreLeftOut) {
  const std::vector<SchemaFile> files = {
      {"",
       "attributetype ( 1.2.3 NAME 'x' EQUALITY certificateMatch\n"
       "  SYNTAX 1.3.6.1.4.1.1466.115.121.1.8 )\n"}};
  SchemaReport report;
  const auto schema = Schema::StandardWith(files, &report);
  ASSERT_TRUE(schema.ok());
  EXPECT_EQ((*schema)->FindAttributeType("x")->equality, nullptr);
  EXPECT_THAT(report.warnings, ElementsAre(HasSubstr("certificateMatch is not offered")));
}

TEST(SchemaFilesTest, SyntaxesCanBeDefinedLikeOthers) {
  const auto schema = Schema::StandardWith(
      "ldapsyntax ( 1.2.9 DESC 'Number' X-SUBST '1.3.6.1.4.1.1466.115.121.1.27' )\n"
      "attributetype ( 1.2.3 NAME 'x' EQUALITY integerMatch SYNTAX 1.2.9 )\n");
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  const AttributeType& type = *(*schema)->FindAttributeType("x");
  EXPECT_TRUE(type.Validate("7").ok());
  EXPECT_FALSE(type.Validate("seven").ok());
  EXPECT_THAT(type.syntax->definition(), HasSubstr("X-SUBST '1.3.6.1.4.1.1466.115.121.1.27'"));
}

// OpenLDAP's files where they are installed; its own tests stay without them.
class OpenLdapSchemaTest : public testing::Test {
 protected:
  static constexpr char kFolder[] = "/etc/ldap/schema";

  void SetUp() override {
    if (!std::filesystem::exists(kFolder)) GTEST_SKIP() << "slapd is not installed";
  }
  static SchemaFile Read(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {path.filename(), {std::istreambuf_iterator<char>(file), {}}};
  }
  static std::vector<std::filesystem::path> Paths(const std::string& extension) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
      const bool typo = entry.path().filename() == "dsee.schema";
      if (entry.path().extension() == extension && !typo) paths.push_back(entry.path());
    }
    return paths;
  }
};

TEST_F(OpenLdapSchemaTest, EveryFileLoadsAlone) {
  for (const char* extension : {".schema", ".ldif"}) {
    for (const auto& path : Paths(extension)) {
      // pmi refers to nothing else; the others build on core and cosine, which are built in.
      const SchemaFile file = Read(path);
      const auto schema = Schema::StandardWith({&file, 1}, nullptr);
      EXPECT_TRUE(schema.ok()) << schema.status().error().message;
    }
  }
}

TEST_F(OpenLdapSchemaTest, AllFilesLoadTogetherInBothForms) {
  for (const char* extension : {".schema", ".ldif"}) {
    std::vector<SchemaFile> files;
    for (const auto& path : Paths(extension)) files.push_back(Read(path));
    ASSERT_GT(files.size(), 10u);
    SchemaReport report;
    const auto schema = Schema::StandardWith(files, &report);
    ASSERT_TRUE(schema.ok()) << schema.error().message;
    EXPECT_GT(report.repeated, 150u);
    EXPECT_NE((*schema)->FindObjectClass("pilotDSA"), nullptr);
    EXPECT_NE((*schema)->FindObjectClass("OpenLDAPperson"), nullptr);
    EXPECT_NE((*schema)->FindAttributeType("memberURL"), nullptr);
  }
}

TEST_F(OpenLdapSchemaTest, TheMistakeInOneOfThemIsToldWithItsLine) {
  const SchemaFile file = Read(std::string(kFolder) + "/dsee.schema");
  const auto schema = Schema::StandardWith({&file, 1}, nullptr);
  ASSERT_FALSE(schema.ok());
  EXPECT_THAT(schema.error().message, HasSubstr("dsee.schema: line "));
  EXPECT_THAT(schema.error().message, HasSubstr("\"attributeype\""));
}

}  // namespace
}  // namespace twintree::model
