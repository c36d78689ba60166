#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "services/model/schema_parser.h"

namespace twintree::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ResultCode TypeCode(std::string_view text) { return AttributeTypeDescription::Parse(text).code(); }
ResultCode ClassCode(std::string_view text) { return ObjectClassDescription::Parse(text).code(); }

TEST(AttributeTypeDescriptionTest, ReadsEveryField) {
  const Result<AttributeTypeDescription> type = AttributeTypeDescription::Parse(
      "( 1.2.3 NAME ( 'a' 'b' ) DESC 'words' OBSOLETE SUP name EQUALITY x ORDERING y SUBSTR z "
      "SYNTAX 1.2.4{64} SINGLE-VALUE NO-USER-MODIFICATION USAGE dSAOperation X-Y ( 'p' 'q' ) )");
  ASSERT_TRUE(type.ok()) << type.error().message;
  EXPECT_EQ(type->oid, "1.2.3");
  EXPECT_THAT(type->names, ElementsAre("a", "b"));
  EXPECT_EQ(type->description, "words");
  EXPECT_TRUE(type->obsolete && type->single_value && type->no_user_modification);
  EXPECT_EQ(type->superior + type->equality + type->ordering + type->substring, "namexyz");
  EXPECT_EQ(type->syntax, "1.2.4");
  EXPECT_EQ(type->max_length, 64u);
  EXPECT_EQ(type->usage, AttributeUsage::kDsaOperation);
  ASSERT_EQ(type->extensions.size(), 1u);
  EXPECT_THAT(type->extensions[0].values, ElementsAre("p", "q"));
}

TEST(AttributeTypeDescriptionTest, PrintsTheCanonicalForm) {
  const std::string canonical =
      "( 1.2.3 NAME ( 'a' 'b' ) DESC 'it\\27s 5\\5C' SUP name EQUALITY x SYNTAX 1.2.4{64} "
      "SINGLE-VALUE USAGE directoryOperation X-ORIGIN 'RFC 1' )";
  EXPECT_EQ(AttributeTypeDescription::Parse(canonical)->ToString(), canonical);
  const Result<AttributeTypeDescription> loose = AttributeTypeDescription::Parse(
      "(1.2.3  NAME('a' 'b')x-origin 'RFC 1' usage DIRECTORYOPERATION desc 'it\\27s 5\\5c' "
      "equality 'x' syntax '1.2.4'{64} single-value sup 'name')");
  ASSERT_TRUE(loose.ok()) << loose.error().message;
  EXPECT_EQ(loose->ToString(), canonical);
}

TEST(AttributeTypeDescriptionTest, AnEmptyDescriptionIsDropped) {
  EXPECT_EQ(AttributeTypeDescription::Parse("( 1.2 DESC '' SUP name )")->ToString(),
            "( 1.2 SUP name )");
}

TEST(AttributeTypeDescriptionTest, MalformedDescriptionsAreRefused) {
  for (std::string_view text : {"",
                                "(",
                                "( )",
                                "1.2 SUP name",
                                "( 1.2 SUP name",
                                "( 1.2 SUP name ) x",
                                "( 1.2 SUP )",
                                "( 1.2 SUP ( a $ b ) )",
                                "( 1.2 SUP name SUP name )",
                                "( 1.2 NAME a_b SUP name )",
                                "( 1.2 NAME 'a SUP name )",
                                "( 1.2 SYNTAX 1.3{ )",
                                "( 1.2 SYNTAX 1.3{x} )",
                                "( 1.2 SYNTAX 1.3{99999999999} )",
                                "( 1.2 SUP name USAGE other )",
                                "( 1.2 SUP name FOO )",
                                "( 1.2 SYNTAX 1.3 SINGLE-VALUE COLLECTIVE )",
                                "( 1.2 )",
                                "( 1.2 SUP name $ )",
                                "( 1.2 NAME ( 'a' ( 'b' ) SUP name )",
                                "( 1.2 DESC '\xff' SUP name )"}) {
    EXPECT_EQ(TypeCode(text), ResultCode::kInvalidAttributeSyntax) << text;
  }
}

TEST(ObjectClassDescriptionTest, ReadsListsWithAndWithoutDollars) {
  const Result<ObjectClassDescription> object_class = ObjectClassDescription::Parse(
      "( 1.2.3 NAME 'x' SUP ( a$b ) AUXILIARY MUST ( c d ) MAY ( 'e' $ 'f' ) )");
  ASSERT_TRUE(object_class.ok()) << object_class.error().message;
  EXPECT_EQ(object_class->kind, ObjectClassKind::kAuxiliary);
  EXPECT_THAT(object_class->superiors, ElementsAre("a", "b"));
  EXPECT_EQ(object_class->ToString(),
            "( 1.2.3 NAME 'x' SUP ( a $ b ) AUXILIARY MUST ( c $ d ) MAY ( e $ f ) )");
}

TEST(ObjectClassDescriptionTest, IsStructuralUnlessItSaysOtherwise) {
  EXPECT_EQ(ObjectClassDescription::Parse("( 1.2 )")->kind, ObjectClassKind::kStructural);
  EXPECT_EQ(ObjectClassDescription::Parse("( 1.2 ABSTRACT )")->kind, ObjectClassKind::kAbstract);
  EXPECT_THAT(ObjectClassDescription::Parse("( 1.2 )")->superiors, IsEmpty());
}

TEST(ObjectClassDescriptionTest, MalformedDescriptionsAreRefused) {
  for (std::string_view text : {"( 1.2 ABSTRACT STRUCTURAL )", "( 1.2 MUST )", "( 1.2 MAY a_b )",
                                "( 1.2 SUP ( top )", "( 1.2 SYNTAX 1.3 )"}) {
    EXPECT_EQ(ClassCode(text), ResultCode::kInvalidAttributeSyntax) << text;
  }
}

TEST(FirstComponentTest, IsWhatFollowsTheParenthesis) {
  EXPECT_EQ(FirstComponent("( 2.5.4.3 NAME 'cn' )"), "2.5.4.3");
  EXPECT_EQ(FirstComponent("(7)"), "7");
  EXPECT_EQ(FirstComponent("( 'two words' 1 )"), "two words");
  EXPECT_EQ(FirstComponent("2.5.4.3"), "");
  EXPECT_EQ(FirstComponent("( 'open"), "");
  EXPECT_EQ(FirstComponent("("), "");
}

}  // namespace
}  // namespace twintree::model
