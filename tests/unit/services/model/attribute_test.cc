#include "services/model/attribute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace twintree::model {
namespace {

using testing::ElementsAre;

class AttributeDescriptionTest : public testing::Test {
 protected:
  AttributeDescription Parsed(std::string_view text) {
    Result<AttributeDescription> result = AttributeDescription::Parse(text, *schema_);
    EXPECT_TRUE(result.ok()) << text;
    return result.ok() ? std::move(result).value() : AttributeDescription();
  }
  ResultCode CodeOf(std::string_view text) {
    return AttributeDescription::Parse(text, *schema_).code();
  }

  std::shared_ptr<const Schema> schema_ = Schema::Standard();
};

TEST_F(AttributeDescriptionTest, AllNamesAreWrittenAsTheFirstOne) {
  const AttributeDescription cn = Parsed("cn");
  EXPECT_EQ(cn.type, schema_->FindAttributeType("2.5.4.3"));
  EXPECT_EQ(Parsed("commonName").type, cn.type);
  EXPECT_EQ(Parsed("CommonName").text, "cn");
  EXPECT_EQ(Parsed("MAIL").text, "mail");
  EXPECT_EQ(Parsed("rfc822Mailbox;X-Home").text, "mail;X-Home");
}

TEST_F(AttributeDescriptionTest, AnOidIsWrittenAsTheName) {
  EXPECT_EQ(Parsed("2.5.4.3").text, "cn");
  EXPECT_EQ(Parsed("2.5.4.3;lang-DE").text, "cn;lang-DE");
}

TEST_F(AttributeDescriptionTest, OptionsAreASetInLowerCase) {
  const AttributeDescription description = Parsed("cn;x-foo;LANG-de;X-Foo");
  EXPECT_THAT(description.options, ElementsAre("lang-de", "x-foo"));
  EXPECT_TRUE(description.SameAs(Parsed("commonname;lang-DE;x-foo")));
  EXPECT_FALSE(description.SameAs(Parsed("cn;lang-de")));
}

TEST_F(AttributeDescriptionTest, UnknownTypesAndOptionsAreUndefined) {
  EXPECT_EQ(CodeOf("noSuchAttribute"), ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(CodeOf("1.2.3.4.5"), ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(CodeOf("cn;frobnicate"), ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(CodeOf("cn;x-"), ResultCode::kUndefinedAttributeType);
}

TEST_F(AttributeDescriptionTest, BinaryBelongsToBerSyntaxes) {
  EXPECT_EQ(CodeOf("cn;binary"), ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(CodeOf("jpegPhoto;lang-de;BINARY"), ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(Parsed("CACertificate;binary").text, "cACertificate;binary");
  EXPECT_THAT(Parsed("userSMIMECertificate;binary").options, ElementsAre("binary"));
  EXPECT_EQ(CodeOf("userPKCS12;binary"), ResultCode::kSuccess);
}

TEST_F(AttributeDescriptionTest, BadFormIsAProtocolError) {
  for (const std::string_view text : {"", ";binary", "cn;", "cn;;binary", "c n", "cn ", "1", "1.",
                                      "1..2", "01.2", "1cn", "cn:", "cn;lang_de", "c\xc3\xbcn"}) {
    EXPECT_EQ(CodeOf(text), ResultCode::kProtocolError) << text;
  }
}

TEST_F(AttributeDescriptionTest, MoreOptionsMakeASubtype) {
  EXPECT_TRUE(Parsed("cn;lang-de").IsSubtypeOf(Parsed("cn")));
  EXPECT_FALSE(Parsed("cn").IsSubtypeOf(Parsed("cn;lang-de")));
  EXPECT_TRUE(Parsed("cn;lang-de;x-a").IsSubtypeOf(Parsed("name;lang-de")));
  EXPECT_FALSE(Parsed("cn;lang-de").IsSubtypeOf(Parsed("cn;lang-de-ch")));
}

TEST_F(AttributeDescriptionTest, SupertypesCoverTheirSubtypes) {
  EXPECT_TRUE(Parsed("sn").IsSubtypeOf(Parsed("name")));
  EXPECT_FALSE(Parsed("name").IsSubtypeOf(Parsed("sn")));
  EXPECT_TRUE(Parsed("member").IsSubtypeOf(Parsed("distinguishedName")));
  EXPECT_FALSE(Parsed("mail").IsSubtypeOf(Parsed("name")));
}

TEST_F(AttributeDescriptionTest, LanguageRangesCoverTagsThatTheyBegin) {
  const AttributeDescription english = Parsed("cn;lang-en-");
  EXPECT_TRUE(english.HasLanguageRange());
  EXPECT_FALSE(Parsed("cn;lang-en").HasLanguageRange());
  EXPECT_TRUE(Parsed("cn;lang-en").IsSubtypeOf(english));
  EXPECT_TRUE(Parsed("cn;lang-en-US").IsSubtypeOf(english));
  EXPECT_FALSE(Parsed("cn;lang-eno").IsSubtypeOf(english));
  EXPECT_FALSE(Parsed("cn").IsSubtypeOf(english));
  EXPECT_TRUE(Parsed("cn;lang-de").IsSubtypeOf(Parsed("cn;lang-")));
}

TEST(HasOptionsTest, LooksOnlyAtOptionsAndIgnoresCase) {
  EXPECT_TRUE(HasOptions("cn", {}));
  EXPECT_FALSE(HasOptions("binary", {"binary"}));
  EXPECT_TRUE(HasOptions("userCertificate;Binary", {"binary"}));
  EXPECT_TRUE(HasOptions("cn;x-b;lang-DE", {"lang-de", "x-b"}));
  EXPECT_FALSE(HasOptions("cn;lang-DE", {"lang-de", "x-b"}));
  EXPECT_TRUE(HasOptions("cn;lang-de-CH", {"lang-de-"}));
}

TEST(IsAttributeDescriptionTest, JudgesFormNotMeaning) {
  EXPECT_TRUE(IsAttributeDescription("no-such-Attribute9;nor-option"));
  EXPECT_TRUE(IsAttributeDescription("1.3.6.1"));
  EXPECT_FALSE(IsAttributeDescription("-cn"));
}

}  // namespace
}  // namespace twintree::model
