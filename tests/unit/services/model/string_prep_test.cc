#include "services/model/string_prep.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace twintree::model {
namespace {

using enum CaseHandling;
using enum SubstringPosition;

std::string Folded(std::string_view value) { return PrepareValue(value, kIgnore).value(); }
std::string Exact(std::string_view value) { return PrepareValue(value, kExact).value(); }
std::string Piece(std::string_view piece, SubstringPosition position) {
  return PreparePiece(piece, kIgnore, position).value();
}

std::string RandomAscii(std::mt19937& random) {
  // Mostly letters and spaces, now and then any character.
  std::string text;
  for (std::size_t size = random() % 12; size > 0; --size) {
    const unsigned draw = random();
    if (draw % 3 == 0) {
      text.push_back(' ');
    } else if (draw % 3 == 1) {
      text.push_back(static_cast<char>("aBzZ"[draw / 3 % 4]));
    } else {
      text.push_back(static_cast<char>(draw / 3 % 128));
    }
  }
  return text;
}

TEST(StringPrepTest, SpacesAreSqueezed) {
  EXPECT_EQ(Folded("  John   Doe "), "john doe");
  EXPECT_EQ(Exact("  John   Doe "), "John Doe");
}

TEST(StringPrepTest, NothingSignificantIsOneSpace) {
  EXPECT_EQ(Folded(""), " ");
  EXPECT_EQ(Folded("   "), " ");
  EXPECT_EQ(Folded("\xc2\xad"), " ") << "soft hyphen";
}

TEST(StringPrepTest, ControlCharactersGoAndBlanksBecomeSpaces) {
  EXPECT_EQ(Folded(std::string_view("a\0b\x01\x7f", 5)), "ab");
  EXPECT_EQ(Folded("a\tb\nc\rd\ve\ff"), "a b c d e f");
  EXPECT_EQ(Folded("a\xc2\x85z"), "a z") << "next line";
  EXPECT_EQ(Folded("a\xc2\x84z"), "az") << "a C1 control";
}

TEST(StringPrepTest, LettersBeyondAsciiAreFoldedAndNormalised) {
  EXPECT_EQ(Folded("Gr\xc3\xbc\xc3\x9f"
                   "e"),
            "gr\xc3\xbcsse");
  EXPECT_EQ(Folded("U\xcc\x88"), "\xc3\xbc") << "a letter and a combining mark";
  EXPECT_EQ(Folded("\xef\xbc\xa1"), "a") << "full width";
  EXPECT_EQ(Exact("\xef\xbc\xa1"), "A");
  EXPECT_EQ(Folded("\xe2\x85\xa3"), "iv") << "a Roman numeral";
  EXPECT_EQ(Exact("\xc3\x9f"), "\xc3\x9f");
}

TEST(StringPrepTest, OtherSpacesAreSpaces) {
  EXPECT_EQ(Folded("a\xc2\xa0\xe3\x80\x80z"), "a z") << "no-break and ideographic space";
  EXPECT_EQ(Folded("a\xe2\x80\x8bz"), "az") << "zero width space";
}

TEST(StringPrepTest, CharactersYoungerThanUnicode32AreKept) {
  EXPECT_EQ(Folded("A\xf0\x9f\x98\x80"), "a\xf0\x9f\x98\x80");
}

TEST(StringPrepTest, RightToLeftScriptsMayMix) { EXPECT_EQ(Folded("A\xd7\x90 1"), "a\xd7\x90 1"); }

TEST(StringPrepTest, ASpaceWithACombiningMarkIsSignificant) {
  EXPECT_EQ(Folded("a  \xcc\x81"), "a  \xcc\x81");
}

TEST(StringPrepTest, ProhibitedCharactersAndBrokenUtf8AreRefused) {
  for (std::string_view text : {"\xee\x80\x80", "\xef\xbf\xbd", "\xef\xb7\x90", "\xff", "a\xc3"}) {
    EXPECT_EQ(PrepareValue(text, kIgnore).code(), ResultCode::kInvalidAttributeSyntax);
    EXPECT_EQ(PreparePiece(text, kExact, kAny).code(), ResultCode::kInvalidAttributeSyntax);
  }
}

// Sorting the marks of one character takes time that grows with the square of their number.
TEST(StringPrepTest, ACharacterHasABoundedNumberOfMarks) {
  std::string pairs = "a";
  for (int i = 0; i < 64; ++i) pairs += "\xcc\x81\xcc\x96";
  EXPECT_TRUE(PrepareValue(pairs, kIgnore).ok());
  EXPECT_EQ(PrepareValue(pairs + "\xcc\x81", kIgnore).code(), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(PrepareValue(pairs + "\xc2\xad\xcc\x81", kIgnore).code(),
            ResultCode::kInvalidAttributeSyntax)
      << "a soft hyphen is dropped";
  EXPECT_TRUE(PrepareValue(pairs + "a\xcc\x81", kIgnore).ok());
}

// A letter that is not ASCII takes the whole string through ICU.
TEST(StringPrepTest, TheShortWayForAsciiGivesWhatIcuGives) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = RandomAscii(random);
    for (CaseHandling letter_case : {kExact, kIgnore}) {
      const std::string by_icu = PrepareValue(text + "\xc3\xa9", letter_case).value();
      std::string start = PreparePiece(text, letter_case, kInitial).value();
      if (start == " ") start.clear();
      EXPECT_EQ(by_icu, start + "\xc3\xa9") << testing::PrintToString(text);
    }
  }
}

TEST(StringPrepTest, EveryAsciiCharacterGoesTheSameWayThroughIcu) {
  for (int octet = 0; octet < 128; ++octet) {
    const std::string text = std::string("x") + static_cast<char>(octet) + "y";
    for (CaseHandling letter_case : {kExact, kIgnore}) {
      EXPECT_EQ(PrepareValue(text + "\xc3\xa9", letter_case).value(),
                PrepareValue(text, letter_case).value() + "\xc3\xa9")
          << octet;
    }
  }
}

TEST(StringPrepTest, PiecesKeepSpacesWhereTextMayFollow) {
  EXPECT_EQ(Piece("  a  b  ", kInitial), "a b ");
  EXPECT_EQ(Piece("  a  b  ", kAny), " a b ");
  EXPECT_EQ(Piece("  a  b  ", kFinal), " a b");
  EXPECT_EQ(Piece("  ", kAny), " ");
  EXPECT_EQ(Piece("", kInitial), "");
}

TEST(StringPrepTest, PreparedEqualsAgreesWithTheKeys) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 20000; ++i) {
    const std::string a = RandomAscii(random);
    const std::string b = random() % 2 == 0 ? RandomAscii(random) : " " + a + "  ";
    const std::string key = Folded(b);
    EXPECT_EQ(PreparedEquals(a, kIgnore, key), Folded(a) == key)
        << testing::PrintToString(a) << testing::PrintToString(b);
  }
}

TEST(StringPrepTest, PreparedEqualsKnowsMoreThanAscii) {
  EXPECT_TRUE(PreparedEquals("U\xcc\x88", kIgnore, "\xc3\xbc"));
  EXPECT_FALSE(PreparedEquals("u", kIgnore, "\xc3\xbc"));
  EXPECT_FALSE(PreparedEquals("\xff", kIgnore, "\xff"));
}

}  // namespace
}  // namespace twintree::model
