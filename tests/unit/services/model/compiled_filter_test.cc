#include "services/model/compiled_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "tests/unit/services/model/filter_fixture.h"

namespace twintree::model {
namespace {

using testing::ElementsAre;

class CompiledFilterTest : public FilterFixture {};

TEST_F(CompiledFilterTest, BindsTypeRuleAndKeyOnce) {
  const CompiledFilter filter = Compiled("(commonName=Babs  JENSEN)");
  EXPECT_FALSE(filter.undefined);
  EXPECT_EQ(filter.description.type, schema_->FindAttributeType("cn"));
  EXPECT_EQ(filter.rule, filter.description.type->equality);
  EXPECT_EQ(filter.key, filter.description.type->EqualityKey("babs jensen").value());
  EXPECT_EQ(filter.object_class, nullptr);
}

TEST_F(CompiledFilterTest, WhatCannotBeBoundIsUndefined) {
  for (const std::string_view text : {
           "(xNoSuchAttr=1)",
           "(xNoSuchAttr=*)",
           "(cn;no-such-option=a)",
           "(cn>=a)",  // no ordering rule
           "(cn<=a)",
           "(uidNumber=1*)",  // no substring rule
           "(member=cn=a*)",
           "(objectClass=per*)",
           "(uidNumber=seven)",  // not an integer
           "(uidNumber=007)",
           "(member=cn=Doe, John,dc=a)",  // not a name
           "(objectClass=noSuchClass)",
           "(sn:1.2.840.113556.1.4.1941:=x)",
           "(sn:noSuchRule:=x)",
           "(:noSuchRule:=x)",
           "(uidNumber:caseExactMatch:=1)",  // does not suit the syntax
           "(cn:caseIgnoreSubstringsMatch:=no star)",
           "(cn:caseIgnoreSubstringsMatch:=bad\\5c\\2a)",
       }) {
    EXPECT_TRUE(Compiled(text).undefined) << text;
  }
}

TEST_F(CompiledFilterTest, OneBadItemLeavesTheOthers) {
  const CompiledFilter filter = Compiled("(|(xNoSuchAttr=1)(cn=u))");
  EXPECT_FALSE(filter.undefined);
  EXPECT_TRUE(filter.children[0].undefined);
  EXPECT_FALSE(filter.children[1].undefined);
}

TEST_F(CompiledFilterTest, ObjectClassIsResolved) {
  EXPECT_EQ(Compiled("(objectClass=2.5.6.6)").object_class, schema_->FindObjectClass("person"));
  EXPECT_EQ(Compiled("(2.5.4.0=PERSON)").object_class, schema_->FindObjectClass("person"));
}

TEST_F(CompiledFilterTest, PiecesThatSayNothingAreDropped) {
  const CompiledFilter filter = Compiled("(cn=A**b*C)");
  EXPECT_EQ(filter.pieces.initial, "a");
  EXPECT_THAT(filter.pieces.any, ElementsAre("b"));
  EXPECT_EQ(filter.pieces.final_piece, "c");
}

TEST_F(CompiledFilterTest, DerivedAttributesAreMarked) {
  EXPECT_TRUE(Compiled("(entryDN=dc=a)").derived);
  EXPECT_TRUE(Compiled("(hasSubordinates=TRUE)").derived);
  EXPECT_FALSE(Compiled("(entryUUID=*)").derived);
}

TEST_F(CompiledFilterTest, MatchesEverythingIsSeenThroughLists) {
  for (const std::string_view text : {"(objectClass=*)", "(2.5.4.0=*)", "(&)",
                                      "(&(objectClass=*)(&))", "(|(cn=a)(objectClass=*))"}) {
    EXPECT_TRUE(Compiled(text).MatchesEverything(*schema_)) << text;
  }
  for (const std::string_view text :
       {"(cn=*)", "(|)", "(!(objectClass=*))", "(&(objectClass=*)(cn=a))", "(objectClass;x-a=*)",
        "(xNoSuchAttr=*)", "(objectClass=person)"}) {
    EXPECT_FALSE(Compiled(text).MatchesEverything(*schema_)) << text;
  }
}

}  // namespace
}  // namespace twintree::model
