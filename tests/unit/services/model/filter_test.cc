#include "services/model/filter.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace twintree::model {
namespace {

using namespace std::string_view_literals;

std::string ValueInText(std::string_view value) {
  Filter filter;
  filter.kind = FilterKind::kEquality;
  filter.attribute = "cn";
  filter.value = value;
  return filter.ToString();
}

TEST(FilterToStringTest, WritesTheSpellingOfRfc4515) {
  for (const std::string_view text : {"(cn=Babs Jensen)",
                                      "(!(cn=Tim Howes))",
                                      "(&(objectClass=Person)(|(sn=Jensen)(cn=B*)))",
                                      "(o=univ*of*mich*)",
                                      "(seeAlso=)",
                                      "(cn:caseExactMatch:=Fred)",
                                      "(cn:=Betty)",
                                      "(sn:dn:2.4.6.8.10:=Barney)",
                                      "(o:dn:=Ace)",
                                      "(:1.2.3:=Wilma)",
                                      "(:dn:2.4.6:=Dino)",
                                      "(a>=1)",
                                      "(a<=1)",
                                      "(a~=1)",
                                      "(cn=*)",
                                      "(cn=**)",
                                      "(cn=a**b)",
                                      "(cn=*a)",
                                      "(&)",
                                      "(|)",
                                      "(cn=Lu\xc4\x8di)"}) {
    const Result<Filter> filter = Filter::Parse(text);
    ASSERT_TRUE(filter.ok()) << text;
    EXPECT_EQ(filter->ToString(), text);
  }
}

TEST(FilterToStringTest, EscapesWhatHasAMeaningOrCannotBePrinted) {
  EXPECT_EQ(ValueInText("a*(b)\\c"), "(cn=a\\2a\\28b\\29\\5cc)");
  EXPECT_EQ(ValueInText("\0\n\x7f"sv), "(cn=\\00\\0a\\7f)");
  EXPECT_EQ(ValueInText("\xff\xc3(\xc3\xbc\xc3"), "(cn=\\ff\\c3\\28\xc3\xbc\\c3)");
}

TEST(FilterToStringTest, AnAttributeOrRuleCannotForgeText) {
  EXPECT_EQ(PresentFilter("cn=*)(a").ToString(), "(cn\\3d\\2a\\29\\28a=*)");
  Filter filter;
  filter.kind = FilterKind::kEquality;
  filter.attribute = "cn~";
  EXPECT_EQ(filter.ToString(), "(cn\\7e=)");
  filter.kind = FilterKind::kExtensible;
  filter.attribute = "cn";
  filter.matching_rule = "DN";
  EXPECT_EQ(filter.ToString(), "(cn:\\64n:=)");
}

TEST(PresentFilterTest, TestsPresence) {
  const Filter filter = PresentFilter("objectClass");
  EXPECT_EQ(filter.kind, FilterKind::kPresent);
  EXPECT_EQ(filter.ToString(), "(objectClass=*)");
}

}  // namespace
}  // namespace twintree::model
