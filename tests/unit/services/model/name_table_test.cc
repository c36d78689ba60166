#include "services/model/name_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace twintree::model {
namespace {

TEST(NameTableTest, LetterCaseDoesNotMatter) {
  const int value = 1;
  NameTable<int> table;
  EXPECT_TRUE(table.Insert("objectClass", &value));
  EXPECT_EQ(table.Find("OBJECTCLASS"), &value);
  EXPECT_EQ(table.Find("objectClas"), nullptr);
  EXPECT_EQ(table.Find(""), nullptr);
}

TEST(NameTableTest, ANameIsTakenOnce) {
  const int first = 1;
  const int second = 2;
  NameTable<int> table;
  EXPECT_TRUE(table.Insert("cn", &first));
  EXPECT_FALSE(table.Insert("CN", &second));
  EXPECT_EQ(table.Find("cn"), &first);
}

TEST(NameTableTest, NothingIsLostWhenItGrows) {
  std::vector<int> values(1000);
  NameTable<int> table;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(table.Insert("2.5.4." + std::to_string(i), &values[i]));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(table.Find("2.5.4." + std::to_string(i)), &values[i]);
  }
  EXPECT_EQ(table.Find("2.5.4.1000"), nullptr);
}

TEST(NameTableTest, CharactersThatDifferOnlyInTheCaseBitAreDifferent) {
  const int value = 1;
  NameTable<int> table;
  table.Insert("a-b", &value);
  EXPECT_EQ(table.Find("a\rb"), nullptr);
  table.Insert("x@", &value);
  EXPECT_EQ(table.Find("x`"), nullptr);
}

}  // namespace
}  // namespace twintree::model
