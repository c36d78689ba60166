#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "services/model/filter.h"

namespace twintree::model {
namespace {

using namespace std::string_view_literals;
using testing::ElementsAre;
using testing::HasSubstr;

Filter Parsed(std::string_view text) {
  Result<Filter> filter = Filter::Parse(text);
  if (filter.ok()) return std::move(filter).value();
  ADD_FAILURE() << text << ": " << filter.error().message;
  return {};
}

ResultCode CodeOf(std::string_view text) { return Filter::Parse(text).code(); }

std::string Nested(std::size_t depth) {
  std::string text;
  for (std::size_t i = 1; i < depth; ++i) text += "(!";
  return text + "(cn=a)" + std::string(depth - 1, ')');
}

TEST(FilterParseTest, ReadsSimpleItems) {
  const Filter equality = Parsed("(cn=Babs Jensen)");
  EXPECT_EQ(equality.kind, FilterKind::kEquality);
  EXPECT_EQ(equality.attribute, "cn");
  EXPECT_EQ(equality.value, "Babs Jensen");
  EXPECT_EQ(Parsed("(cn>=a)").kind, FilterKind::kGreaterOrEqual);
  EXPECT_EQ(Parsed("(cn<=a)").kind, FilterKind::kLessOrEqual);
  EXPECT_EQ(Parsed("(cn~=a)").kind, FilterKind::kApprox);
  EXPECT_EQ(Parsed("(cn;lang-de=a=b)").value, "a=b");
  EXPECT_EQ(Parsed("(seeAlso=)").value, "");
}

TEST(FilterParseTest, TellsPresenceFromSubstringsAndALiteralStar) {
  EXPECT_EQ(Parsed("(cn=*)").kind, FilterKind::kPresent);
  EXPECT_EQ(Parsed("(cn=**)").kind, FilterKind::kSubstrings);
  EXPECT_THAT(Parsed("(cn=**)").any, ElementsAre(""));
  const Filter literal = Parsed("(cn=\\2a)");
  EXPECT_EQ(literal.kind, FilterKind::kEquality);
  EXPECT_EQ(literal.value, "*");
  const Filter inside = Parsed("(cn=*\\2a*)");
  EXPECT_EQ(inside.kind, FilterKind::kSubstrings);
  EXPECT_THAT(inside.any, ElementsAre("*"));
}

TEST(FilterParseTest, ReadsSubstrings) {
  const Filter all = Parsed("(o=univ*of*mich*igan)");
  EXPECT_EQ(all.initial, "univ");
  EXPECT_THAT(all.any, ElementsAre("of", "mich"));
  EXPECT_EQ(all.final_piece, "igan");
  const Filter initial = Parsed("(o=a*)");
  EXPECT_EQ(initial.initial, "a");
  EXPECT_THAT(initial.any, ElementsAre());
  EXPECT_EQ(Parsed("(o=*z)").final_piece, "z");
  EXPECT_THAT(Parsed("(o=a**z)").any, ElementsAre(""));
}

TEST(FilterParseTest, ReadsEscapes) {
  EXPECT_EQ(Parsed("(o=Parens R Us \\28for all your parenthetical needs\\29)").value,
            "Parens R Us (for all your parenthetical needs)");
  EXPECT_EQ(Parsed("(filename=C:\\5cMyFile)").value, "C:\\MyFile");
  EXPECT_EQ(Parsed("(bin=\\00\\00\\00\\04)").value, "\0\0\0\4"sv);
  EXPECT_EQ(Parsed("(sn=Lu\\C4\\8di\\c4\\87)").value, "Lu\xc4\x8di\xc4\x87");
  EXPECT_EQ(Parsed("(sn=Lu\xc4\x8di)").value, "Lu\xc4\x8di");
  EXPECT_EQ(Parsed("(cn=\\*\\(\\)\\\\)").value, "*()\\");
}

TEST(FilterParseTest, ReadsExtensibleItems) {
  const Filter full = Parsed("(cn:DN:caseExactMatch:=Fred)");
  EXPECT_EQ(full.kind, FilterKind::kExtensible);
  EXPECT_EQ(full.attribute, "cn");
  EXPECT_EQ(full.matching_rule, "caseExactMatch");
  EXPECT_TRUE(full.dn_attributes);
  EXPECT_EQ(full.value, "Fred");
  const Filter plain = Parsed("(cn:=Betty)");
  EXPECT_EQ(plain.attribute, "cn");
  EXPECT_EQ(plain.matching_rule, "");
  EXPECT_FALSE(plain.dn_attributes);
  EXPECT_TRUE(Parsed("(o:dn:=Ace)").dn_attributes);
  EXPECT_EQ(Parsed("(sn:2.4.6.8.10:=B)").matching_rule, "2.4.6.8.10");
  EXPECT_EQ(Parsed("(:1.2.3:=Wilma)").attribute, "");
  EXPECT_TRUE(Parsed("(:dn:2.4.6:=Dino)").dn_attributes);
}

TEST(FilterParseTest, ReadsLists) {
  const Filter filter = Parsed("(&(objectClass=Person)(|(sn=Jensen)(!(cn=Babs J*))))");
  EXPECT_EQ(filter.kind, FilterKind::kAnd);
  ASSERT_EQ(filter.children.size(), 2u);
  EXPECT_EQ(filter.children[1].kind, FilterKind::kOr);
  EXPECT_EQ(filter.children[1].children[1].kind, FilterKind::kNot);
  EXPECT_EQ(filter.children[1].children[1].children[0].initial, "Babs J");
}

TEST(FilterParseTest, EmptyListsAreAllowed) {
  EXPECT_EQ(Parsed("(&)").kind, FilterKind::kAnd);
  EXPECT_EQ(Parsed("(|)").kind, FilterKind::kOr);
  EXPECT_EQ(Parsed("(!(|))").children[0].kind, FilterKind::kOr);
}

TEST(FilterParseTest, SpacesMayStandAroundFilters) {
  EXPECT_EQ(Parsed(" ( & (cn=a)\n\t ( | (sn= b )(sn=c) ) ) ").ToString(),
            "(&(cn=a)(|(sn= b )(sn=c)))");
  EXPECT_EQ(Parsed("(! (cn=a) )").ToString(), "(!(cn=a))");
}

TEST(FilterParseTest, OuterParenthesesMayBeMissing) {
  EXPECT_EQ(Parsed("cn=a").ToString(), "(cn=a)");
  EXPECT_EQ(Parsed("cn=a*").ToString(), "(cn=a*)");
  EXPECT_EQ(Parsed("&(cn=a)(sn=b)").ToString(), "(&(cn=a)(sn=b))");
}

TEST(FilterParseTest, RefusesWhatIsNoFilter) {
  for (const std::string_view text : {"",
                                      " ",
                                      "(",
                                      ")",
                                      "()",
                                      "(cn)",
                                      "cn",
                                      "(=a)",
                                      "(cn=a",
                                      "cn=a)",
                                      "(cn=a))",
                                      "(cn=a)x",
                                      "(cn=a)(sn=b)",
                                      "(&(cn=a)",
                                      "(&(cn=a)b)",
                                      "(&cn=a)",
                                      "(!)",
                                      "(!(cn=a)(sn=b))",
                                      "(!cn=a)",
                                      "(cn=a(b)",
                                      "(cn=a(b))",
                                      "(cn=\\)",
                                      "(cn=\\2)",
                                      "(cn=\\zz)",
                                      "(cn=\\2g)",
                                      "(c n=a)",
                                      "(cn =a)",
                                      "(cn>=a*)",
                                      "(cn~=*)",
                                      "(cn:=a*b)",
                                      "(:=a)",
                                      "(:dn:=a)",
                                      "(cn:dn:=a",
                                      "(cn:rule with space:=a)",
                                      "(cn:dn:dn:dn:=a)",
                                      "(cn::=a)",
                                      "(cn:dn::=a)",
                                      "((cn=a))"}) {
    EXPECT_EQ(CodeOf(text), ResultCode::kProtocolError) << text;
  }
  EXPECT_EQ(CodeOf("(cn=a\0b)"sv), ResultCode::kProtocolError);
}

TEST(FilterParseTest, TellsWhere) {
  EXPECT_THAT(Filter::Parse("(&(cn=a)(sn=\\zz))").error().message, HasSubstr("offset 12"));
  EXPECT_THAT(Filter::Parse("(cn=a)x").error().message, HasSubstr("offset 6"));
}

TEST(FilterParseTest, DepthIsLimited) {
  EXPECT_EQ(CodeOf(Nested(100)), ResultCode::kSuccess);
  EXPECT_EQ(CodeOf(Nested(Filter::kMaxDepth)), ResultCode::kSuccess);
  EXPECT_EQ(CodeOf(Nested(Filter::kMaxDepth + 1)), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf(std::string(1'000'000, '(')), ResultCode::kProtocolError);
  std::string nots;
  for (int i = 0; i < 1'000'000; ++i) nots += "(!";
  EXPECT_EQ(CodeOf(nots), ResultCode::kProtocolError);
}

TEST(FilterParseTest, NumberOfItemsIsLimited) {
  std::string items;
  for (std::size_t i = 1; i < Filter::kMaxItems; ++i) items += "(|)";
  EXPECT_EQ(CodeOf("(|" + items + ")"), ResultCode::kSuccess);
  EXPECT_EQ(CodeOf("(|" + items + "(|))"), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf("(cn=" + std::string(Filter::kMaxItems + 1, '*') + ")"),
            ResultCode::kProtocolError);
}

}  // namespace
}  // namespace twintree::model
