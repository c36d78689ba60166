#include "ldap_gateway/ber/ber.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace twintree::ber {
namespace {

using namespace std::string_view_literals;

std::string FromHex(std::string_view hex) {
  std::string octets;
  std::string digits;
  for (const char c : hex) {
    if (c == ' ') continue;
    digits.push_back(c);
    if (digits.size() == 2) {
      octets.push_back(static_cast<char>(std::stoi(digits, nullptr, 16)));
      digits.clear();
    }
  }
  return octets;
}

std::string ToHex(std::string_view octets) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : octets) {
    hex.push_back(kDigits[static_cast<std::uint8_t>(c) >> 4]);
    hex.push_back(kDigits[static_cast<std::uint8_t>(c) & 15]);
  }
  return hex;
}

std::string IntegerHex(std::int64_t value) {
  std::string out;
  Writer(&out).Integer(value);
  return ToHex(out);
}

HeaderState StateOf(std::string_view hex) { return PeekHeader(FromHex(hex)).state; }

TEST(BerTagTest, ClassFormAndNumberShareAnOctet) {
  EXPECT_EQ(Application(0, true), 0x60);
  EXPECT_EQ(Application(2, false), 0x42);
  EXPECT_EQ(Context(7, false), 0x87);
  EXPECT_EQ(Context(0, true), 0xa0);
}

TEST(BerPeekHeaderTest, ReadsShortAndLongLengths) {
  const Header short_form = PeekHeader(FromHex("30 25 02"));
  EXPECT_EQ(short_form.state, HeaderState::kComplete);
  EXPECT_EQ(short_form.tag, kSequence);
  EXPECT_EQ(short_form.size, 2u);
  EXPECT_EQ(short_form.length, 0x25u);
  const Header long_form = PeekHeader(FromHex("04 82 01 02"));
  EXPECT_EQ(long_form.state, HeaderState::kComplete);
  EXPECT_EQ(long_form.size, 4u);
  EXPECT_EQ(long_form.length, 0x102u);
}

TEST(BerPeekHeaderTest, WaitsForMissingOctets) {
  EXPECT_EQ(StateOf(""), HeaderState::kTruncated);
  EXPECT_EQ(StateOf("30"), HeaderState::kTruncated);
  EXPECT_EQ(StateOf("30 84"), HeaderState::kTruncated);
  EXPECT_EQ(StateOf("30 84 00 00 01"), HeaderState::kTruncated);
}

TEST(BerPeekHeaderTest, AcceptsLeadingZerosInLengths) {
  const Header four = PeekHeader(FromHex("30 84 00 00 00 05"));
  EXPECT_EQ(four.state, HeaderState::kComplete);
  EXPECT_EQ(four.length, 5u);
  const Header nine = PeekHeader(FromHex("30 89 00 00 00 00 00 00 00 00 05"));
  EXPECT_EQ(nine.state, HeaderState::kComplete);
  EXPECT_EQ(nine.size, 11u);
  EXPECT_EQ(nine.length, 5u);
}

TEST(BerPeekHeaderTest, RefusesNineOctetLengthAboveTheLimit) {
  EXPECT_EQ(StateOf("30 89 01 00 00 00 00 00 00 00 05"), HeaderState::kMalformed);
}

TEST(BerPeekHeaderTest, LimitsLengthToThirtyTwoBits) {
  EXPECT_EQ(StateOf("30 84 ff ff ff ff"), HeaderState::kComplete);
  EXPECT_EQ(PeekHeader(FromHex("30 84 ff ff ff ff")).length, 0xffffffffu);
  EXPECT_EQ(StateOf("30 85 01 00 00 00 00"), HeaderState::kMalformed);
  EXPECT_EQ(StateOf("30 88 ff ff ff ff ff ff ff ff"), HeaderState::kMalformed);
}

TEST(BerPeekHeaderTest, RefusesHugeLengthBeforeItsLastOctetArrives) {
  EXPECT_EQ(StateOf("30 88 ff ff ff ff ff"), HeaderState::kMalformed);
}

TEST(BerPeekHeaderTest, RefusesIndefiniteAndReservedLengths) {
  EXPECT_EQ(StateOf("30 80 00 00"), HeaderState::kMalformed);
  EXPECT_EQ(StateOf("30 ff"), HeaderState::kMalformed);
}

TEST(BerPeekHeaderTest, RefusesHighTagNumbersAtOnce) {
  EXPECT_EQ(StateOf("1f"), HeaderState::kMalformed);
  EXPECT_EQ(StateOf("7f 22 03"), HeaderState::kMalformed);
  EXPECT_EQ(StateOf("bf"), HeaderState::kMalformed);
  EXPECT_EQ(StateOf("7e 00"), HeaderState::kComplete);
}

// A simple bind as ldapsearch sends it: messageID 1, version 3, name cn=a, password "x".
constexpr std::string_view kBindHex = "30 11 020101 60 0c 020103 0404 636e3d61 8001 78";

TEST(BerReaderTest, ReadsABindRequest) {
  const std::string octets = FromHex(kBindHex);
  Reader outer(octets);
  std::string_view message;
  ASSERT_TRUE(outer.Expect(kSequence, &message));
  EXPECT_TRUE(outer.Finished());
  Reader reader(message);
  std::int64_t id = 0;
  std::string_view bind;
  ASSERT_TRUE(reader.ExpectInteger(&id));
  ASSERT_TRUE(reader.Expect(Application(0, true), &bind));
  EXPECT_TRUE(reader.Finished());
  Reader fields(bind);
  std::int64_t version = 0;
  std::string_view name;
  ASSERT_TRUE(fields.ExpectInteger(&version));
  ASSERT_TRUE(fields.Expect(kOctetString, &name));
  EXPECT_EQ(fields.Optional(Context(0, false)), "x"sv);
  EXPECT_TRUE(fields.Finished());
  EXPECT_EQ(id, 1);
  EXPECT_EQ(version, 3);
  EXPECT_EQ(name, "cn=a");
}

TEST(BerReaderTest, FailsOnEveryTruncation) {
  const std::string octets = FromHex(kBindHex);
  for (std::size_t size = 1; size < octets.size(); ++size) {
    Reader reader(std::string_view(octets).substr(0, size));
    Element element;
    EXPECT_FALSE(reader.Next(&element)) << size;
    EXPECT_FALSE(reader.ok()) << size;
  }
}

TEST(BerReaderTest, EndIsNotAFailure) {
  Reader reader("");
  Element element;
  EXPECT_FALSE(reader.Next(&element));
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.Finished());
}

TEST(BerReaderTest, GivesContentAndWholeElement) {
  const std::string octets = FromHex("04 81 02 61 62 05 00");
  Reader reader(octets);
  Element element;
  ASSERT_TRUE(reader.Next(&element));
  EXPECT_EQ(element.tag, kOctetString);
  EXPECT_EQ(element.content, "ab");
  EXPECT_EQ(ToHex(element.whole), "0481026162");
  EXPECT_EQ(ToHex(reader.rest()), "0500");
}

TEST(BerReaderTest, ElementMayNotOverrunItsParent) {
  const std::string octets = FromHex("04 7f 80 00");
  Reader reader(octets);
  std::string_view content;
  EXPECT_FALSE(reader.Expect(kOctetString, &content));
  EXPECT_FALSE(reader.ok());
  const std::string long_form = FromHex("04 84 ff ff ff f0 61");
  Reader other(long_form);
  EXPECT_FALSE(other.Expect(kOctetString, &content));
  EXPECT_FALSE(other.ok());
}

TEST(BerReaderTest, ExpectFailsOnAnotherTagAndStaysFailed) {
  const std::string octets = FromHex("0400 0400");
  Reader reader(octets);
  std::string_view content;
  EXPECT_FALSE(reader.Expect(kSequence, &content));
  EXPECT_FALSE(reader.Expect(kOctetString, &content));
  EXPECT_FALSE(reader.ok());
}

TEST(BerReaderTest, ExpectFailsAtTheEnd) {
  Reader reader("");
  std::string_view content;
  EXPECT_FALSE(reader.Expect(kOctetString, &content));
  EXPECT_FALSE(reader.ok());
}

TEST(BerReaderTest, OptionalConsumesOnlyItsTag) {
  const std::string octets = FromHex("8101 61");
  Reader reader(octets);
  EXPECT_EQ(reader.Optional(Context(0, false)), std::nullopt);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.Optional(Context(1, false)), "a"sv);
  EXPECT_EQ(reader.Optional(Context(1, false)), std::nullopt);
  EXPECT_TRUE(reader.Finished());
}

TEST(BerReaderTest, OptionalFailsOnItsTagWithABrokenLength) {
  const std::string octets = FromHex("8105 61");
  Reader reader(octets);
  EXPECT_EQ(reader.Optional(Context(1, false)), std::nullopt);
  EXPECT_FALSE(reader.ok());
}

TEST(BerReaderTest, FailMarksTheInput) {
  Reader reader("");
  reader.Fail();
  EXPECT_FALSE(reader.Finished());
}

TEST(BerReaderTest, BooleanIsOneOctetAndAnyNonZeroIsTrue) {
  const std::string octets = FromHex("0101ff 010101 010100 0102ffff");
  Reader reader(octets);
  bool value = false;
  EXPECT_TRUE(reader.ExpectBoolean(&value));
  EXPECT_TRUE(value);
  EXPECT_TRUE(reader.ExpectBoolean(&value));
  EXPECT_TRUE(value);
  EXPECT_TRUE(reader.ExpectBoolean(&value));
  EXPECT_FALSE(value);
  EXPECT_FALSE(reader.ExpectBoolean(&value));
  EXPECT_FALSE(reader.ok());
}

TEST(BerIntegerTest, RefusesEmptyAndLongerThanEightOctets) {
  EXPECT_EQ(DecodeInteger(""), std::nullopt);
  EXPECT_EQ(DecodeInteger("\x00\x00\x00\x00\x00\x00\x00\x00\x01"sv), std::nullopt);
  const std::string octets = FromHex("0200");
  Reader reader(octets);
  std::int64_t value = 0;
  EXPECT_FALSE(reader.ExpectInteger(&value));
  EXPECT_FALSE(reader.ok());
}

TEST(BerIntegerTest, WritesTheShortestForm) {
  EXPECT_EQ(IntegerHex(0), "020100");
  EXPECT_EQ(IntegerHex(127), "02017f");
  EXPECT_EQ(IntegerHex(128), "02020080");
  EXPECT_EQ(IntegerHex(-1), "0201ff");
  EXPECT_EQ(IntegerHex(-128), "020180");
  EXPECT_EQ(IntegerHex(-129), "0202ff7f");
  EXPECT_EQ(IntegerHex(2147483647), "02047fffffff");
  EXPECT_EQ(IntegerHex(std::numeric_limits<std::int64_t>::max()), "02087fffffffffffffff");
  EXPECT_EQ(IntegerHex(std::numeric_limits<std::int64_t>::min()), "02088000000000000000");
}

TEST(BerIntegerTest, EverySizeComesBack) {
  for (int bit = 0; bit < 63; ++bit) {
    for (const std::int64_t offset : {-1, 0, 1}) {
      for (const std::int64_t sign : {-1, 1}) {
        const std::int64_t value = sign * ((std::int64_t{1} << bit) + offset);
        std::string octets;
        Writer(&octets).Integer(value);
        Reader reader(octets);
        std::int64_t read = 0;
        ASSERT_TRUE(reader.ExpectInteger(&read)) << value;
        ASSERT_EQ(read, value);
      }
    }
  }
}

TEST(BerIntegerTest, ReadsNonMinimalForm) {
  EXPECT_EQ(DecodeInteger("\x00\x00\x05"sv), 5);
  EXPECT_EQ(DecodeInteger("\xff\xff\xfb"sv), -5);
  EXPECT_EQ(DecodeInteger("\x00\x80\x00\x00\x00"sv), 2147483648);
}

TEST(BerWriterTest, WritesPrimitives) {
  std::string out;
  Writer writer(&out);
  writer.OctetString("ab");
  writer.OctetString("", Context(0, false));
  writer.Enumerated(32);
  writer.Boolean(true);
  writer.Boolean(false, Context(4, false));
  writer.Null();
  writer.Raw("\x05\x00"sv);
  EXPECT_EQ(ToHex(out),
            "04026162"
            "8000"
            "0a0120"
            "0101ff"
            "840100"
            "0500"
            "0500");
}

TEST(BerWriterTest, NestsConstructedElements) {
  std::string out = "x";
  Writer writer(&out);
  const std::size_t outer = writer.Begin(kSequence);
  writer.Integer(1);
  const std::size_t inner = writer.Begin(kSet);
  writer.OctetString("a");
  writer.End(inner);
  writer.End(outer);
  EXPECT_EQ(ToHex(out.substr(1)), "30080201013103040161");
}

TEST(BerWriterTest, MakesRoomForLongLengths) {
  for (const std::size_t size : {0u, 127u, 128u, 255u, 256u, 65535u, 65536u, 70000u}) {
    std::string out;
    Writer writer(&out);
    const std::size_t outer = writer.Begin(kSequence);
    const std::size_t inner = writer.Begin(kSet);
    const std::string content(size, 'z');
    writer.OctetString(content);
    writer.End(inner);
    writer.End(outer);
    Reader reader(out);
    std::string_view sequence, set, value;
    ASSERT_TRUE(reader.Expect(kSequence, &sequence) && reader.Finished()) << size;
    Reader inside(sequence);
    ASSERT_TRUE(inside.Expect(kSet, &set) && inside.Finished()) << size;
    Reader innermost(set);
    ASSERT_TRUE(innermost.Expect(kOctetString, &value) && innermost.Finished()) << size;
    EXPECT_EQ(value, content);
  }
}

TEST(BerWriterTest, LengthsAreMinimal) {
  std::string out;
  Writer(&out).Header(kSequence, 127);
  Writer(&out).Header(kSequence, 128);
  Writer(&out).Header(kSequence, 65536);
  EXPECT_EQ(ToHex(out),
            "307f"
            "308180"
            "3083010000");
}

TEST(BerWriterTest, HeaderSizeIsWhatHeaderWrites) {
  for (const std::size_t length : {0u, 127u, 128u, 255u, 256u, 65535u, 65536u, 16777216u}) {
    std::string out;
    Writer(&out).Header(kOctetString, length);
    EXPECT_EQ(HeaderSize(length), out.size()) << length;
  }
}

}  // namespace
}  // namespace twintree::ber
