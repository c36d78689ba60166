#include "services/directory/engine/schema_check.h"

#include <gtest/gtest.h>

#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

class SchemaCheckTest : public testing::Test {
 protected:
  ResultCode Check(std::string_view lines) {
    return CheckEntry(ParseAttributes(lines, *schema_), *schema_).code();
  }
  std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
};

TEST_F(SchemaCheckTest, FindsTheMostDerivedStructuralClass) {
  const auto found = CheckEntry(
      ParseAttributes("objectClass: person\nobjectClass: inetOrgPerson\ncn: a\nsn: b", *schema_),
      *schema_);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ((*found)->name(), "inetOrgPerson");
}

TEST_F(SchemaCheckTest, RequiresWhatSuperclassesRequire) {
  EXPECT_EQ(Check("objectClass: inetOrgPerson\ncn: a"), ResultCode::kObjectClassViolation);
  EXPECT_EQ(Check("objectClass: inetOrgPerson\ncn;lang-de: a\nsn: b"), ResultCode::kSuccess);
}

TEST_F(SchemaCheckTest, AllowsOnlyWhatAClassAllows) {
  EXPECT_EQ(Check("objectClass: person\ncn: a\nsn: b\nmail: x@y"),
            ResultCode::kObjectClassViolation);
  EXPECT_EQ(Check("objectClass: person\nobjectClass: extensibleObject\ncn: a\nsn: b\nmail: x@y"),
            ResultCode::kSuccess);
}

TEST_F(SchemaCheckTest, RefusesSeveralValuesOfSingleValuedTypes) {
  EXPECT_EQ(Check("objectClass: inetOrgPerson\ncn: a\nsn: b\ndisplayName: c\ndisplayName: d"),
            ResultCode::kConstraintViolation);
}

TEST_F(SchemaCheckTest, NeedsAStructuralClass) {
  EXPECT_EQ(Check("cn: a"), ResultCode::kObjectClassViolation);
  EXPECT_EQ(Check("objectClass: top\ncn: a"), ResultCode::kObjectClassViolation);
  EXPECT_EQ(Check("objectClass: person\nobjectClass: account\ncn: a\nsn: b\nuid: c"),
            ResultCode::kObjectClassViolation);
}

TEST_F(SchemaCheckTest, FindsDuplicatesAmongManyValuesQuickly) {
  model::Attribute attribute = ParseAttributes("member: cn=a", *schema_).front();
  for (int i = 0; i < 20000; ++i) attribute.values.Append("cn=" + std::to_string(i));
  EXPECT_TRUE(CheckValues(attribute, *schema_).ok());
  attribute.values.Append("CN = 77");
  EXPECT_EQ(CheckValues(attribute, *schema_).code(), ResultCode::kAttributeOrValueExists);
}

TEST_F(SchemaCheckTest, ComparesOctetsWithoutEqualityRule) {
  model::Attribute attribute = ParseAttributes("jpegPhoto: a\njpegPhoto: A", *schema_).front();
  EXPECT_TRUE(CheckValues(attribute, *schema_).ok());
  attribute.values.Append("a");
  EXPECT_EQ(CheckValues(attribute, *schema_).code(), ResultCode::kAttributeOrValueExists);
}

TEST_F(SchemaCheckTest, KeepsServerAttributesFromUsers) {
  EXPECT_EQ(
      CheckUserModifiable(model::AttributeDescription::Parse("entryUUID", *schema_).value()).code(),
      ResultCode::kConstraintViolation);
  const model::Status member_of =
      CheckUserModifiable(model::AttributeDescription::Parse("memberOf", *schema_).value());
  EXPECT_EQ(member_of.code(), ResultCode::kConstraintViolation);
  EXPECT_EQ(member_of.error().message, "memberOf is derived from groups and not kept here");
  EXPECT_TRUE(CheckUserModifiable(model::AttributeDescription::Parse("cn", *schema_).value()).ok());
}

}  // namespace
}  // namespace twintree::directory
