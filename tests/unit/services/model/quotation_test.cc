#include "services/model/quotation.h"

#include <gtest/gtest.h>

#include <string>

namespace twintree::model {
namespace {

TEST(QuotedTest, KeepsWhatPeopleCanRead) {
  EXPECT_EQ(Quoted(""), "\"\"");
  EXPECT_EQ(Quoted("1.2.3"), "\"1.2.3\"");
  EXPECT_EQ(Quoted("cn=\u00e9\\, x"), "\"cn=\u00e9\\, x\"");
}

TEST(QuotedTest, HoldsNoQuoteControlOrBrokenCharacter) {
  EXPECT_EQ(Quoted("a\"b\xff\n\x7f\u0085\u2028\xe2\x80"), "\"a?b?????" + std::string("??\""));
}

TEST(QuotedTest, IsShortAndCutsNoCharacter) {
  EXPECT_EQ(Quoted(std::string(64, 'x')), "\"" + std::string(64, 'x') + "\"");
  EXPECT_EQ(Quoted(std::string(100, 'x')), "\"" + std::string(64, 'x') + "...\"");
  EXPECT_EQ(Quoted("ab\u00e9", 3), "\"ab...\"");
}

}  // namespace
}  // namespace twintree::model
