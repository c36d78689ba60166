#include "services/model/schema_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace twintree::model {
namespace {

TEST(SchemaFileTest, ContinuationLinesBelongToTheirStatement) {
  const std::vector<SchemaStatement> statements = SplitSchemaFile(
      "# comment\n"
      "  continued comment\n"
      "\n"
      "AttributeType ( 1.2\r\n"
      "\tNAME 'a'\r\n"
      "\r\n"
      "  SUP name )\n"
      "objectclass( 1.3 )");
  ASSERT_EQ(statements.size(), 2u);
  EXPECT_EQ(statements[0].keyword, "attributetype");
  EXPECT_EQ(statements[0].body, "( 1.2 NAME 'a' SUP name )");
  EXPECT_EQ(statements[0].line, 4);
  EXPECT_EQ(statements[1].keyword, "objectclass");
  EXPECT_EQ(statements[1].line, 8);
}

TEST(SchemaFileTest, AnEmptyFileHasNoStatements) {
  EXPECT_TRUE(SplitSchemaFile("").empty());
  EXPECT_TRUE(SplitSchemaFile("\n  \n# only\n").empty());
}

TEST(SchemaFileTest, ReadsSchemaEntriesOfSlapdsConfiguration) {
  const std::vector<SchemaStatement> statements = SplitSchemaFile(
      "# a comment\n"
      "#\n"
      "dn: cn={4}acme,cn=schema,cn=config\n"
      "objectClass: olcSchemaConfig\r\n"
      "cn: {4}acme\n"
      "olcObjectIdentifier: acme 1.2\n"
      "olcAttributeTypes: {0}( acme:1 NAME 'a' SUP na\n"
      " me )\n"
      "olcObjectClasses:: KCAxLjMgKQ==\n"
      "objectclasses: ( 1.4 )\n");
  ASSERT_EQ(statements.size(), 4u);
  EXPECT_EQ(statements[0].keyword, "objectidentifier");
  EXPECT_EQ(statements[0].body, "acme 1.2");
  EXPECT_EQ(statements[1].keyword, "attributetypes");
  EXPECT_EQ(statements[1].body, "( acme:1 NAME 'a' SUP name )");
  EXPECT_EQ(statements[1].line, 7);
  EXPECT_EQ(statements[2].body, "( 1.3 )");
  EXPECT_EQ(statements[3].keyword, "objectclasses");
  EXPECT_EQ(statements[3].line, 10);
}

TEST(OidMacrosTest, MacrosMayBuildOnMacros) {
  OidMacros macros;
  EXPECT_TRUE(macros.Define("acme 1.3.6.1.4.1.99999").ok());
  EXPECT_TRUE(macros.Define("acmeTypes  acme:1").ok());
  EXPECT_EQ(macros.Expand("ACMEtypes:7"), "1.3.6.1.4.1.99999.1.7");
  EXPECT_EQ(macros.Expand("acme"), "1.3.6.1.4.1.99999");
  EXPECT_EQ(macros.Expand("1.2.3"), "1.2.3");
  EXPECT_EQ(macros.Expand("other:1"), "other:1");
}

TEST(OidMacrosTest, MalformedMacrosAreRefused) {
  OidMacros macros;
  EXPECT_EQ(macros.Define("acme").code(), ResultCode::kOther);
  EXPECT_EQ(macros.Define("acme unknown:1").code(), ResultCode::kOther);
  EXPECT_EQ(macros.Define("1.2 1.2").code(), ResultCode::kOther);
  EXPECT_TRUE(macros.Define("acme 1.2").ok());
  EXPECT_TRUE(macros.Define("acme 1.2").ok());
  EXPECT_EQ(macros.Define("ACME 1.3").code(), ResultCode::kOther);
}

}  // namespace
}  // namespace twintree::model
