#include "services/model/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace twintree::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// One test looks at values that were moved from.
// NOLINTNEXTLINE(clang-analyzer-cplusplus.Move)
std::vector<std::string> Copy(const ValueList& values) { return {values.begin(), values.end()}; }

TEST(ValueListTest, KeepsOrderAndOctets) {
  const std::string octets("\x00\xff", 2);
  ValueList values{"b"};
  values.Append(octets);
  values.Append("");
  EXPECT_THAT(Copy(values), ElementsAre("b", octets, ""));
  EXPECT_EQ(values.size(), 3u);
  EXPECT_EQ(values.front(), "b");
}

TEST(ValueListTest, IsTheStoredForm) {
  const ValueList values{"a", ""};
  EXPECT_EQ(values.elements(), std::string_view("\x04\x01"
                                                "a\x04\x00",
                                                5));
  EXPECT_EQ(ValueList(ValueRange(values.elements())), values);
}

TEST(ValueListTest, JoinsListsAndStrings) {
  const std::string large(70000, 'x');
  ValueList values{"a"};
  values.AppendAll(std::vector<std::string>{"b", large});
  values.Append(ValueList{"c"});
  EXPECT_THAT(Copy(values), ElementsAre("a", "b", large, "c"));
  EXPECT_EQ(values.size(), 4u);
}

TEST(ValueListTest, RemovesWhatMatches) {
  ValueList values{"a", "b", "b", "c", "b"};
  values.RemoveAll([](std::string_view value) { return value == "b"; });
  EXPECT_EQ(values, (ValueList{"a", "c"}));
  EXPECT_EQ(values.size(), 2u);
  values.RemoveAll([](std::string_view value) { return value == "z"; });
  EXPECT_EQ(values, (ValueList{"a", "c"}));
  values.RemoveAll([](std::string_view) { return true; });
  EXPECT_THAT(Copy(values), IsEmpty());
  EXPECT_EQ(values, ValueList());
}

TEST(ValueListTest, AsksOnceForEachValueInOrder) {
  ValueList values{"a", "b", "c"};
  std::vector<std::string> asked;
  values.RemoveAll([&](std::string_view value) {
    asked.emplace_back(value);
    return value == "a";
  });
  EXPECT_THAT(asked, ElementsAre("a", "b", "c"));
}

TEST(ValueListTest, IsEmptyOnceMovedFrom) {
  ValueList values{"a"};
  const ValueList taken = std::move(values);
  EXPECT_EQ(taken.size(), 1u);
  EXPECT_TRUE(values.empty());  // NOLINT(bugprone-use-after-move): the state it is left in
  EXPECT_THAT(Copy(values), IsEmpty());
}

TEST(ValueListTest, DiffersByOrderAndValue) {
  EXPECT_NE((ValueList{"a", "b"}), (ValueList{"b", "a"}));
  EXPECT_NE((ValueList{"a", ""}), (ValueList{"a"}));
  EXPECT_NE((ValueList{"ab"}), (ValueList{"a", "b"}));
}

}  // namespace
}  // namespace twintree::model
