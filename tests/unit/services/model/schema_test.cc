#include "services/model/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/matching_rule.h"

namespace twintree::model {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class SchemaTest : public testing::Test {
 protected:
  Result<const ObjectClass*> Structural(std::initializer_list<std::string_view> names) {
    std::vector<const ObjectClass*> classes;
    for (std::string_view name : names) classes.push_back(schema_->FindObjectClass(name));
    return schema_->StructuralClassOf(classes);
  }

  std::shared_ptr<const Schema> schema_ = Schema::Standard();
};

Error ErrorOf(std::string_view text) {
  const Result<std::shared_ptr<const Schema>> schema = Schema::StandardWith(text);
  EXPECT_FALSE(schema.ok()) << text;
  return schema.ok() ? Error{ResultCode::kSuccess, "", ""} : schema.error();
}

TEST_F(SchemaTest, FindsByAnyNameAndOid) {
  const AttributeType* uid = schema_->FindAttributeType("uid");
  ASSERT_NE(uid, nullptr);
  EXPECT_EQ(schema_->FindAttributeType("USERID"), uid);
  EXPECT_EQ(schema_->FindAttributeType("0.9.2342.19200300.100.1.1"), uid);
  EXPECT_EQ(schema_->FindAttributeType("uid;lang-de"), nullptr);
  EXPECT_EQ(schema_->FindObjectClass("PERSON"), schema_->FindObjectClass("2.5.6.6"));
  EXPECT_EQ(schema_->FindMatchingRule("2.5.13.2"), schema_->FindMatchingRule("caseignorematch"));
  EXPECT_EQ(schema_->FindAttributeType("person"), nullptr);
}

TEST_F(SchemaTest, SubtypesInheritRulesAndSyntax) {
  const AttributeType& name = *schema_->FindAttributeType("name");
  const AttributeType& cn = *schema_->FindAttributeType("cn");
  EXPECT_TRUE(cn.IsSubtypeOf(name));
  EXPECT_FALSE(name.IsSubtypeOf(cn));
  EXPECT_EQ(cn.equality, name.equality);
  EXPECT_EQ(cn.substring, name.substring);
  EXPECT_EQ(cn.syntax, name.syntax);
  EXPECT_EQ(cn.ordering, nullptr);
  EXPECT_NE(schema_->FindAttributeType("c")->syntax, name.syntax);
}

TEST_F(SchemaTest, SubclassesInheritAttributes) {
  const ObjectClass& person = *schema_->FindObjectClass("inetOrgPerson");
  EXPECT_THAT(person.must, Contains(schema_->FindAttributeType("sn")));
  EXPECT_THAT(person.must, Contains(schema_->FindAttributeType("objectClass")));
  EXPECT_THAT(person.may, Contains(schema_->FindAttributeType("mail")));
  EXPECT_THAT(person.may, Contains(schema_->FindAttributeType("telephoneNumber")));
  EXPECT_THAT(person.may, Not(Contains(schema_->FindAttributeType("sn"))));
  EXPECT_TRUE(person.IsSubclassOf(*schema_->well_known().top));
  EXPECT_FALSE(schema_->well_known().top->IsSubclassOf(person));
}

TEST_F(SchemaTest, KeysComeFromTheEqualityRule) {
  const AttributeType& cn = *schema_->FindAttributeType("cn");
  EXPECT_EQ(cn.EqualityKey(" John  Doe").value(), "john doe");
  EXPECT_EQ(cn.AssertionKey("JOHN DOE").value(), "john doe");
  const AttributeType& photo = *schema_->FindAttributeType("jpegPhoto");
  EXPECT_EQ(photo.EqualityKey("x").code(), ResultCode::kInappropriateMatching);
  EXPECT_EQ(photo.AssertionKey("x").code(), ResultCode::kInappropriateMatching);
}

TEST_F(SchemaTest, AssertionsOnDescriptionsAreIdentifiers) {
  const AttributeType& types = *schema_->FindAttributeType("attributeTypes");
  EXPECT_EQ(types.AssertionKey("surname").value(),
            types.EqualityKey(schema_->FindAttributeType("sn")->definition).value());
  const AttributeType& classes = *schema_->FindAttributeType("objectClasses");
  EXPECT_EQ(classes.AssertionKey("2.5.6.6").value(),
            classes.EqualityKey(schema_->FindObjectClass("person")->definition).value());
}

TEST_F(SchemaTest, TheStructuralClassIsTheMostDerived) {
  EXPECT_EQ(Structural({"top", "person", "inetOrgPerson", "posixAccount"}).value()->name(),
            "inetOrgPerson");
  EXPECT_EQ(Structural({"inetOrgPerson", "person"}).value()->name(), "inetOrgPerson");
  EXPECT_EQ(Structural({"person", "account"}).code(), ResultCode::kObjectClassViolation);
  EXPECT_EQ(Structural({"top"}).code(), ResultCode::kObjectClassViolation);
  EXPECT_EQ(Structural({}).code(), ResultCode::kObjectClassViolation);
  EXPECT_EQ(Structural({"posixAccount"}).code(), ResultCode::kObjectClassViolation);
}

TEST_F(SchemaTest, PosixGroupIsStructuralOnlyWhenAlone) {
  EXPECT_EQ(Structural({"posixGroup"}).value()->name(), "posixGroup");
  EXPECT_EQ(Structural({"top", "posixGroup", "labeledURIObject"}).value()->name(), "posixGroup");
  EXPECT_EQ(Structural({"posixGroup", "groupOfNames"}).value()->name(), "groupOfNames");
}

TEST_F(SchemaTest, IdentifierKeysAreTheFirstNames) {
  EXPECT_EQ(schema_->IdentifierKey("2.5.4.4"), "sn");
  EXPECT_EQ(schema_->IdentifierKey("SURNAME"), "sn");
  EXPECT_EQ(schema_->IdentifierKey("2.5.6.6"), "person");
  EXPECT_EQ(schema_->IdentifierKey("2.5.13.2"), "caseignorematch");
  EXPECT_EQ(schema_->IdentifierKey("1.3.6.1.4.1.1466.115.121.1.15"),
            "1.3.6.1.4.1.1466.115.121.1.15");
  EXPECT_EQ(schema_->IdentifierKey("nothing"), "");
}

TEST_F(SchemaTest, OperatorsDescriptionsMayReferInAnyOrder) {
  const auto schema = Schema::StandardWith(
      "objectidentifier acme 1.3.6.1.4.1.99999\n"
      "objectclass ( acme:2.2 NAME 'acmeManager' SUP acmePerson MAY acmeBadge )\n"
      "objectclass ( acme:2.1 NAME 'acmePerson' SUP inetOrgPerson MUST acmeBadge )\n"
      "attributetype ( acme:1.2 NAME 'acmeGoldBadge' SUP acmeBadge )\n"
      "attributetype ( acme:1.1 NAME 'acmeBadge' EQUALITY integerMatch\n"
      "  SYNTAX '1.3.6.1.4.1.1466.115.121.1.27' )\n");
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  const AttributeType* gold = (*schema)->FindAttributeType("1.3.6.1.4.1.99999.1.2");
  ASSERT_NE(gold, nullptr);
  EXPECT_EQ(gold->superior, (*schema)->FindAttributeType("acmeBadge"));
  const ObjectClass* manager = (*schema)->FindObjectClass("acmeManager");
  EXPECT_THAT(manager->must, Contains(gold->superior));
  EXPECT_EQ((*schema)->NormalizeDn("acmeBadge=7,dc=x")->text(), "acmebadge=7,dc=x");
  EXPECT_EQ(gold->index, (*schema)->attribute_types().size() - 1);
}

TEST_F(SchemaTest, RepeatingAStandardDefinitionChangesNothing) {
  const auto schema = Schema::StandardWith(
      "attributetype ( 2.5.4.4 NAME ( 'surname' 'sn' ) SUP name )\n"
      "objectclass ( 0.9.2342.19200300.100.4.19 NAME 'simpleSecurityObject' SUP top AUXILIARY\n"
      "  MUST userPassword )\n");
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  EXPECT_EQ((*schema)->attribute_types().size(), schema_->attribute_types().size());
  EXPECT_EQ((*schema)->object_classes().size(), schema_->object_classes().size());
}

TEST_F(SchemaTest, MistakesAreReportedWithTheirLine) {
  const Error error = ErrorOf("\nattributetype ( 1.2.3 NAME 'x' SUP noSuchType )\n");
  EXPECT_EQ(error.code, ResultCode::kOther);
  EXPECT_THAT(error.message, HasSubstr("line 2"));
  EXPECT_THAT(error.message, HasSubstr("noSuchType"));
}

TEST_F(SchemaTest, MistakesInDescriptionsAreRefused) {
  for (std::string_view text :
       {"attributetype ( x NAME 'x' SUP name )", "attributetype ( 1.2 NAME 'x' SYNTAX 1.2.3 )",
        "attributetype ( 1.2 NAME 'x' SUP name EQUALITY noSuchRule )",
        "attributetype ( 1.2 NAME 'x' SUP name EQUALITY caseIgnoreOrderingMatch )",
        "attributetype ( 1.2 NAME 'x' SUP name EQUALITY wordMatch )",
        "attributetype ( 1.2 NAME 'cn' SUP name )", "include /etc/ldap/schema/core.schema",
        "attributetype ( 1.2 NAME 'x' SUP x )",
        "attributetype ( 1.2 NAME 'x' SUP name USAGE directoryOperation )",
        "attributetype ( 1.2 NAME ( 'x' 'X' ) SUP name )",
        "objectclass ( 1.2 NAME 'x' SUP noSuchClass )",
        "objectclass ( 1.2 NAME 'x' MUST noSuchType )",
        "objectclass ( 1.2 NAME 'x' SUP person AUXILIARY )",
        "objectclass ( 1.2 NAME 'x' STRUCTURAL X-STRUCTURAL-WHEN-ALONE 'TRUE' )",
        "objectclass ( 1.2 NAME 'person' SUP top )", "ditcontentrule ( 1.2 )", "attributetype"}) {
    EXPECT_EQ(ErrorOf(text).code, ResultCode::kOther) << text;
  }
}

TEST_F(SchemaTest, OperatorsAuxiliaryClassesMayBeStructuralWhenAlone) {
  const auto schema = Schema::StandardWith(
      "objectclass ( 1.2.3 NAME 'x' SUP posixGroup AUXILIARY )\n"
      "objectclass ( 1.2.4 NAME 'y' AUXILIARY X-STRUCTURAL-WHEN-ALONE 'TRUE' )\n");
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  const ObjectClass* x = (*schema)->FindObjectClass("x");
  const ObjectClass* y = (*schema)->FindObjectClass("y");
  EXPECT_EQ((*schema)->StructuralClassOf(std::vector{x}).value()->name(), "posixGroup");
  EXPECT_EQ((*schema)->StructuralClassOf(std::vector{y}).value(), y);
}

}  // namespace
}  // namespace twintree::model
