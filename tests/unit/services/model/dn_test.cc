#include "services/model/dn.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace twintree::model {
namespace {

TEST(DnTest, TheEmptyTextIsTheEmptyName) {
  const Result<Dn> dn = Dn::Parse("");
  ASSERT_TRUE(dn.ok());
  EXPECT_TRUE(dn->empty());
  EXPECT_EQ(dn->ToString(), "");
}

TEST(DnTest, KeepsEscapedCommaInsideValue) {
  const Result<Dn> dn = Dn::Parse("cn=Doe\\, John,dc=example");
  ASSERT_TRUE(dn.ok());
  ASSERT_EQ(dn->size(), 2u);
  EXPECT_EQ(dn->rdn(0).avas[0].value, "Doe, John");
  EXPECT_EQ(dn->ToString(), "cn=Doe\\, John,dc=example");
}

TEST(DnTest, KeepsTheSpellingWithoutSpacesAroundSeparators) {
  const Result<Dn> dn = Dn::Parse(" CN = A\\20B  +  Sn=x , 2.5.4.11=#0C0161");
  ASSERT_TRUE(dn.ok());
  EXPECT_EQ(dn->ToString(), "CN=A\\20B+Sn=x,2.5.4.11=#0C0161");
  EXPECT_EQ(dn->rdn(0).avas[1].type, "Sn");
  EXPECT_EQ(dn->rdn(1).avas[0].value, "a");
}

TEST(DnTest, EqualsSignsNeedNoEscapeInAValue) {
  EXPECT_EQ(Dn::Parse("cn=a=b=c")->rdn(0).avas[0].value, "a=b=c");
}

TEST(DnTest, MalformedNamesAreInvalidDnSyntax) {
  for (std::string_view text : {"not a dn", "cn=a,,dc=x", "cn=a\\", "cn=a\\zz", "cn=a+", "=a", ",",
                                "cn=a=b=c\\", "cn=#zz", "cn=A+B,dc=x", " ", "cn", "dc=a,"}) {
    EXPECT_EQ(Dn::Parse(text).code(), ResultCode::kInvalidDnSyntax) << text;
  }
}

TEST(DnTest, AcceptsNoMoreThanTheAllowedNumberOfRdns) {
  std::string text = "dc=a";
  for (std::size_t i = 1; i < Dn::kMaxRdns; ++i) text += ",dc=a";
  EXPECT_EQ(Dn::Parse(text).code(), ResultCode::kSuccess);
  EXPECT_EQ(Dn::Parse(text + ",dc=a").code(), ResultCode::kInvalidDnSyntax);
}

TEST(RdnTest, ParsesExactlyOneRdn) {
  const Result<Rdn> rdn = Rdn::Parse("cn=a + sn=b");
  ASSERT_TRUE(rdn.ok());
  EXPECT_EQ(rdn->text, "cn=a+sn=b");
  EXPECT_EQ(rdn->avas.size(), 2u);
  EXPECT_EQ(Rdn::Parse("").code(), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(Rdn::Parse("cn=a,dc=b").code(), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(Rdn::Parse("cn=a,").code(), ResultCode::kInvalidDnSyntax);
}

TEST(EscapeDnValueTest, EscapesWhatAValueMustNotHold) {
  EXPECT_EQ(EscapeDnValue("a,b+c\"d\\e<f>g;h"), "a\\,b\\+c\\\"d\\\\e\\<f\\>g\\;h");
  EXPECT_EQ(EscapeDnValue(" a b "), "\\ a b\\ ");
  EXPECT_EQ(EscapeDnValue("#1#"), "\\#1#");
  EXPECT_EQ(EscapeDnValue("J\xc3\xbcrgen"), "J\xc3\xbcrgen");
  EXPECT_EQ(EscapeDnValue(std::string_view("\0\xff\n", 3)), "\\00\\ff\\0a");
}

TEST(EscapeDnValueTest, EveryValueComesBackUnchanged) {
  std::string all;
  for (int octet = 0; octet < 256; ++octet) all.push_back(static_cast<char>(octet));
  const std::string values[] = {all, "", " ", "  ", "#", "\\", " # ", "\xe2\x82\xac"};
  for (const std::string& value : values) {
    const Result<Dn> dn = Dn::Parse("cn=" + EscapeDnValue(value) + ",dc=x");
    ASSERT_TRUE(dn.ok()) << dn.error().message;
    EXPECT_EQ(dn->rdn(0).avas[0].value, value);
  }
}

TEST(DnKeyTest, CutsAtRdnBoundaries) {
  const DnKey key = DnKey::FromNormalized("cn=a\\2cb,ou=c,dc=d");
  ASSERT_EQ(key.size(), 3u);
  EXPECT_EQ(key.rdn(0), "cn=a\\2cb");
  EXPECT_EQ(key.rdn(2), "dc=d");
  EXPECT_EQ(key.parent(), "ou=c,dc=d");
  EXPECT_EQ(key.suffix(0), key.text());
  EXPECT_EQ(key.suffix(3), "");
}

TEST(DnKeyTest, TheEmptyNameHasNoRdnAndHoldsAll) {
  const DnKey root = DnKey::FromNormalized("");
  EXPECT_TRUE(root.empty());
  EXPECT_EQ(root.size(), 0u);
  EXPECT_EQ(root.parent(), "");
  EXPECT_TRUE(DnKey::FromNormalized("dc=a").IsWithin(root));
  EXPECT_FALSE(root.IsWithin(DnKey::FromNormalized("dc=a")));
}

TEST(DnKeyTest, IsWithinComparesWholeRdns) {
  const DnKey base = DnKey::FromNormalized("dc=b,dc=c");
  EXPECT_TRUE(DnKey::FromNormalized("dc=b,dc=c").IsWithin(base));
  EXPECT_TRUE(DnKey::FromNormalized("cn=a,dc=b,dc=c").IsWithin(base));
  EXPECT_FALSE(DnKey::FromNormalized("dc=xdc=b,dc=c").IsWithin(base));
  EXPECT_FALSE(DnKey::FromNormalized("dc=c").IsWithin(base));
}

}  // namespace
}  // namespace twintree::model
