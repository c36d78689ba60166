#include "services/model/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace twintree::model {
namespace {

TEST(Utf8Test, ValidCharactersOfEachLength) {
  EXPECT_TRUE(IsValidUtf8(""));
  EXPECT_TRUE(IsValidUtf8("plain"));
  EXPECT_TRUE(IsValidUtf8("\xc2\x80\xdf\xbf"));
  EXPECT_TRUE(IsValidUtf8("\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf"));
  EXPECT_TRUE(IsValidUtf8("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"));
}

TEST(Utf8Test, OverlongFormsSurrogatesAndTruncationAreInvalid) {
  for (std::string_view text : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                                "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc3",
                                "\xe2\x82", "\xf0\x9f\x98", "a\xff", "\xc3\x41", "\xe2\x82\x41"}) {
    EXPECT_FALSE(IsValidUtf8(text)) << testing::PrintToString(std::string(text));
  }
}

TEST(Utf8Test, AsciiIsSeenInAnyPositionOfAWord) {
  for (std::size_t i = 0; i < 20; ++i) {
    std::string text(20, 'a');
    EXPECT_TRUE(IsAscii(text));
    text[i] = '\x80';
    EXPECT_FALSE(IsAscii(text)) << i;
  }
}

TEST(Utf8Test, CharacterLengthIsZeroWhereNoneStarts) {
  EXPECT_EQ(Utf8CharacterLength("a\xe2\x82\xac", 0), 1u);
  EXPECT_EQ(Utf8CharacterLength("a\xe2\x82\xac", 1), 3u);
  EXPECT_EQ(Utf8CharacterLength("a\xe2\x82\xac", 2), 0u);
  EXPECT_EQ(Utf8CharacterLength("a\xe2\x82\xac", 4), 0u);
}

}  // namespace
}  // namespace twintree::model
