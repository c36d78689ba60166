#include "services/model/standard_schema.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include "services/model/ascii.h"
#include "services/model/matching_rule.h"
#include "services/model/schema.h"
#include "services/model/schema_builder.h"
#include "services/model/schema_parser.h"
#include "services/model/syntax.h"

namespace twintree::model {
namespace {

class StandardSchemaTest : public testing::Test {
 protected:
  const AttributeType& Type(std::string_view name) {
    const AttributeType* type = schema_->FindAttributeType(name);
    EXPECT_NE(type, nullptr) << name;
    return *type;
  }
  static std::string RuleName(const MatchingRule* rule) {
    return rule == nullptr ? "none" : rule->name();
  }

  std::shared_ptr<const Schema> schema_ = Schema::Standard();
};

TEST(StandardSchemaTextTest, EveryTextIsAccepted) {
  SchemaBuilder builder;
  for (const StandardSchemaText& part : StandardSchemaTexts()) {
    const Status status = builder.AddText(part.text, part.origin);
    EXPECT_TRUE(status.ok()) << part.origin << ": " << status.error().message;
  }
}

TEST_F(StandardSchemaTest, WellKnownDefinitionsExist) {
  const Schema::WellKnown& known = schema_->well_known();
  for (const AttributeType* type :
       {known.object_class, known.user_password, known.entry_uuid, known.entry_dn, known.entry_csn,
        known.create_timestamp, known.creators_name, known.modify_timestamp, known.modifiers_name,
        known.structural_object_class, known.subschema_subentry, known.has_subordinates,
        known.num_subordinates, known.member, known.unique_member}) {
    EXPECT_NE(type, nullptr);
  }
  EXPECT_NE(known.top, nullptr);
  EXPECT_NE(known.extensible_object, nullptr);
  EXPECT_NE(known.alias, nullptr);
}

TEST_F(StandardSchemaTest, DefinitionsAreCanonicalAndDescribed) {
  for (const auto& type : schema_->attribute_types()) {
    EXPECT_TRUE(CheckDescription(type->definition, DescriptionForm::kAttributeType).ok());
    EXPECT_EQ(AttributeTypeDescription::Parse(type->definition)->ToString(), type->definition);
    EXPECT_FALSE(type->description.empty()) << type->name();
    EXPECT_EQ(type->definition.find("  "), std::string::npos) << type->definition;
  }
  for (const auto& object_class : schema_->object_classes()) {
    EXPECT_TRUE(CheckDescription(object_class->definition, DescriptionForm::kObjectClass).ok());
    EXPECT_EQ(ObjectClassDescription::Parse(object_class->definition)->ToString(),
              object_class->definition);
    EXPECT_FALSE(object_class->description.empty()) << object_class->name();
  }
  for (const auto& rule : schema_->matching_rules()) {
    EXPECT_TRUE(CheckDescription(rule->definition(), DescriptionForm::kMatchingRule).ok());
  }
}

TEST_F(StandardSchemaTest, EveryReferenceIsListed) {
  for (const auto& type : schema_->attribute_types()) {
    const AttributeTypeDescription printed =
        AttributeTypeDescription::Parse(type->definition).value();
    for (const std::string& rule : {printed.equality, printed.ordering, printed.substring}) {
      EXPECT_TRUE(rule.empty() || schema_->FindMatchingRule(rule) != nullptr) << rule;
    }
    EXPECT_TRUE(printed.syntax.empty() || schema_->FindSyntax(printed.syntax) != nullptr);
    EXPECT_TRUE(printed.superior.empty() || schema_->FindAttributeType(printed.superior));
  }
  for (const auto& rule : schema_->matching_rules()) {
    EXPECT_EQ(schema_->FindSyntax(rule->assertion_syntax().oid()), &rule->assertion_syntax());
  }
}

TEST_F(StandardSchemaTest, IndexesAreDense) {
  for (std::size_t i = 0; i < schema_->attribute_types().size(); ++i) {
    EXPECT_EQ(schema_->attribute_types()[i]->index, i);
  }
  for (std::size_t i = 0; i < schema_->object_classes().size(); ++i) {
    EXPECT_EQ(schema_->object_classes()[i]->index, i);
  }
}

// Schema::IdentifierKey gives one key for a name, whatever it is a name of.
TEST_F(StandardSchemaTest, NoNameIsUsedForTwoKindsOfThings) {
  std::set<std::string> names;
  for (const auto& type : schema_->attribute_types()) {
    for (const std::string& name : type->names) EXPECT_TRUE(names.insert(ToLowerCopy(name)).second);
  }
  for (const auto& object_class : schema_->object_classes()) {
    for (const std::string& name : object_class->names) {
      EXPECT_TRUE(names.insert(ToLowerCopy(name)).second) << name;
    }
  }
  for (const auto& rule : schema_->matching_rules()) {
    EXPECT_TRUE(names.insert(ToLowerCopy(rule->name())).second) << rule->name();
  }
}

TEST_F(StandardSchemaTest, RulesOfEachTypeShareKeysAndSuitItsSyntax) {
  for (const auto& type : schema_->attribute_types()) {
    for (const MatchingRule* rule : {type->equality, type->ordering, type->substring}) {
      if (rule == nullptr) continue;
      EXPECT_TRUE(rule->AppliesTo(*type)) << type->name() << " " << rule->name();
      EXPECT_TRUE(rule->SharesKeysWith(*type->equality)) << type->name() << " " << rule->name();
      EXPECT_TRUE(rule->keys_decide()) << type->name();
    }
  }
}

TEST_F(StandardSchemaTest, ManyTypesHaveNoOrderingOrSubstringRule) {
  for (std::string_view name : {"cn", "sn", "mail", "uid", "member", "objectClass"}) {
    EXPECT_EQ(Type(name).ordering, nullptr) << name;
  }
  for (std::string_view name :
       {"uidNumber", "member", "objectClass", "userPassword", "entryUUID"}) {
    EXPECT_EQ(Type(name).substring, nullptr) << name;
  }
}

TEST_F(StandardSchemaTest, RulesAreThoseOfTheSpecifications) {
  EXPECT_EQ(RuleName(Type("mail").equality), "caseIgnoreIA5Match");
  EXPECT_EQ(RuleName(Type("description").substring), "caseIgnoreSubstringsMatch");
  EXPECT_EQ(RuleName(Type("uniqueMember").equality), "uniqueMemberMatch");
  EXPECT_EQ(RuleName(Type("homeDirectory").equality), "caseExactIA5Match");
  EXPECT_EQ(RuleName(Type("postalAddress").substring), "caseIgnoreListSubstringsMatch");
  EXPECT_EQ(RuleName(Type("userPassword").equality), "octetStringMatch");
  EXPECT_EQ(RuleName(Type("uidNumber").ordering), "integerOrderingMatch");
  EXPECT_EQ(RuleName(Type("labeledURI").equality), "caseExactMatch");
  EXPECT_EQ(RuleName(Type("jpegPhoto").equality), "none");
  EXPECT_EQ(RuleName(Type("userCertificate").equality), "certificateExactMatch");
  EXPECT_EQ(RuleName(Type("certificateRevocationList").equality), "certificateListExactMatch");
}

TEST_F(StandardSchemaTest, UsersCannotChangeWhatTheServerMaintains) {
  for (std::string_view name :
       {"entryUUID", "entryDN", "entryCSN", "createTimestamp", "creatorsName", "modifyTimestamp",
        "modifiersName", "structuralObjectClass", "subschemaSubentry", "hasSubordinates",
        "numSubordinates", "vendorName"}) {
    EXPECT_TRUE(Type(name).no_user_modification) << name;
    EXPECT_TRUE(Type(name).operational()) << name;
  }
  EXPECT_TRUE(Type("memberOf").operational());
  EXPECT_TRUE(Type("memberOf").no_user_modification);
  EXPECT_FALSE(Type("memberOf").single_value);
  EXPECT_FALSE(Type("objectClass").operational());
}

TEST_F(StandardSchemaTest, FirstNamesAreTheShortOnes) {
  EXPECT_EQ(Type("commonName").name(), "cn");
  EXPECT_EQ(Type("userid").name(), "uid");
  EXPECT_EQ(Type("rfc822Mailbox").name(), "mail");
  EXPECT_EQ(Type("domainComponent").name(), "dc");
  EXPECT_EQ(Type("organizationalUnitName").name(), "ou");
}

TEST_F(StandardSchemaTest, ClassesHaveTheirKinds) {
  const auto kind = [this](std::string_view name) { return schema_->FindObjectClass(name)->kind; };
  EXPECT_EQ(kind("top"), ObjectClassKind::kAbstract);
  EXPECT_EQ(kind("inetOrgPerson"), ObjectClassKind::kStructural);
  EXPECT_EQ(kind("posixAccount"), ObjectClassKind::kAuxiliary);
  EXPECT_EQ(kind("posixGroup"), ObjectClassKind::kAuxiliary);
  EXPECT_EQ(kind("extensibleObject"), ObjectClassKind::kAuxiliary);
  EXPECT_TRUE(schema_->FindObjectClass("posixGroup")->structural_when_alone);
  EXPECT_FALSE(schema_->FindObjectClass("posixAccount")->structural_when_alone);
}

}  // namespace
}  // namespace twintree::model
