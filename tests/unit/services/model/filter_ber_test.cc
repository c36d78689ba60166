#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ldap_gateway/ber/ber.h"
#include "services/model/filter.h"

namespace twintree::model {
namespace {

using namespace std::string_view_literals;

ResultCode CodeOf(std::string_view octets) { return Filter::Decode(octets).code(); }

std::string TextOf(std::string_view octets) {
  const Result<Filter> filter = Filter::Decode(octets);
  return filter.ok() ? filter->ToString() : filter.error().message;
}

std::string Encoded(std::string_view text) {
  std::string octets;
  const Result<Filter> filter = Filter::Parse(text);
  EXPECT_TRUE(filter.ok()) << text;
  if (filter.ok()) filter->Encode(&octets);
  return octets;
}

std::string Element(ber::Tag tag, std::string_view content) {
  std::string octets;
  ber::Writer(&octets).OctetString(content, tag);
  return octets;
}

std::string Nested(std::size_t depth) {
  std::string octets =
      "\x87\x02"
      "cn";
  for (std::size_t i = 1; i < depth; ++i) octets = Element(ber::Context(2, true), octets);
  return octets;
}

// What ldapsearch puts on the wire for each of these filters.
struct Golden {
  std::string_view text;
  std::string_view octets;
};
constexpr Golden kGolden[] = {
    {"(objectClass=*)", "\x87\x0bobjectClass"sv},
    {"(cn=a)",
     "\xa3\x07\x04\x02"
     "cn\x04\x01"
     "a"sv},
    {"(cn>=a)",
     "\xa5\x07\x04\x02"
     "cn\x04\x01"
     "a"sv},
    {"(cn<=a)",
     "\xa6\x07\x04\x02"
     "cn\x04\x01"
     "a"sv},
    {"(cn~=a)",
     "\xa8\x07\x04\x02"
     "cn\x04\x01"
     "a"sv},
    {"(cn=a*b*c*d)",
     "\xa4\x12\x04\x02"
     "cn\x30\x0c\x80\x01"
     "a\x81\x01"
     "b\x81\x01"
     "c\x82\x01"
     "d"sv},
    {"(cn=*b)",
     "\xa4\x09\x04\x02"
     "cn\x30\x03\x82\x01"
     "b"sv},
    {"(&(cn=*)(!(sn=*)))",
     "\xa0\x0a\x87\x02"
     "cn\xa2\x04\x87\x02sn"sv},
    {"(|)", "\xa1\x00"sv},
    {"(&)", "\xa0\x00"sv},
    {"(!(|))", "\xa2\x02\xa1\x00"sv},
    {"(cn:dn:1.2:=a)",
     "\xa9\x0f\x81\x03"
     "1.2\x82\x02"
     "cn\x83\x01"
     "a\x84\x01\xff"sv},
    {"(cn:=a)",
     "\xa9\x07\x82\x02"
     "cn\x83\x01"
     "a"sv},
    {"(:1.2:=a)",
     "\xa9\x08\x81\x03"
     "1.2\x83\x01"
     "a"sv},
};

TEST(FilterBerTest, EncodesAsClientsDo) {
  for (const Golden& golden : kGolden)
    EXPECT_EQ(Encoded(golden.text), golden.octets) << golden.text;
}

TEST(FilterBerTest, DecodesWhatClientsSend) {
  for (const Golden& golden : kGolden) EXPECT_EQ(TextOf(golden.octets), golden.text);
}

TEST(FilterBerTest, EncodeAppends) {
  std::string out = "x";
  PresentFilter("cn").Encode(&out);
  EXPECT_EQ(out,
            "x\x87\x02"
            "cn");
}

TEST(FilterBerTest, EveryTruncationIsAProtocolError) {
  for (const Golden& golden : kGolden) {
    for (std::size_t size = 0; size < golden.octets.size(); ++size) {
      EXPECT_EQ(CodeOf(golden.octets.substr(0, size)), ResultCode::kProtocolError)
          << golden.text << " at " << size;
    }
  }
}

TEST(FilterBerTest, EveryTruncatedContentIsAProtocolError) {
  // The outer length is right, so what is missing is inside. The AND is as good without children,
  // presence with a shorter name.
  for (const Golden& golden : kGolden) {
    const auto tag = static_cast<ber::Tag>(golden.octets[0]);
    if (tag == ber::Context(7, false) || golden.text[1] == '&' || golden.text == "(|)") continue;
    const std::string_view content = golden.octets.substr(2);
    for (std::size_t size = 0; size < content.size(); ++size) {
      if (golden.text == "(cn:dn:1.2:=a)" && size == content.size() - 3) continue;  // no dn flag
      EXPECT_EQ(CodeOf(Element(tag, content.substr(0, size))), ResultCode::kProtocolError)
          << golden.text << " at " << size;
    }
  }
}

TEST(FilterBerTest, RefusesTheMalformed) {
  EXPECT_EQ(CodeOf("\xa0\x00\xa0\x00"sv), ResultCode::kProtocolError) << "two elements";
  EXPECT_EQ(CodeOf("\xaa\x00"sv), ResultCode::kProtocolError) << "unknown kind";
  EXPECT_EQ(CodeOf("\x30\x00"sv), ResultCode::kProtocolError) << "universal tag";
  EXPECT_EQ(CodeOf("\xa2\x00"sv), ResultCode::kProtocolError) << "NOT of nothing";
  EXPECT_EQ(CodeOf("\xa2\x04\xa1\x00\xa1\x00"sv), ResultCode::kProtocolError) << "NOT of two";
  EXPECT_EQ(CodeOf("\xa9\x03\x83\x01"
                   "a"sv),
            ResultCode::kProtocolError)
      << "no rule, no type";
  EXPECT_EQ(CodeOf("\xa9\x04\x82\x02"
                   "cn"sv),
            ResultCode::kProtocolError)
      << "no value";
  EXPECT_EQ(CodeOf("\xa0\x80\x00\x00"sv), ResultCode::kProtocolError) << "indefinite length";
}

TEST(FilterBerTest, SubstringPiecesHaveAnOrder) {
  const auto pieces = [](std::string_view content) {
    return Element(ber::Context(4, true),
                   "\x04\x02"
                   "cn" +
                       Element(ber::kSequence, content));
  };
  EXPECT_EQ(CodeOf(pieces("")), ResultCode::kProtocolError) << "none";
  EXPECT_EQ(CodeOf(pieces("\x81\x01x\x80\x01y")), ResultCode::kProtocolError) << "initial late";
  EXPECT_EQ(CodeOf(pieces("\x80\x01x\x80\x01y")), ResultCode::kProtocolError) << "initial twice";
  EXPECT_EQ(CodeOf(pieces("\x82\x01x\x81\x01y")), ResultCode::kProtocolError) << "final early";
  EXPECT_EQ(CodeOf(pieces("\x83\x01x")), ResultCode::kProtocolError) << "unknown piece";
  EXPECT_EQ(TextOf(pieces("\x80\x00\x81\x01x\x82\x00"sv)), "(cn=*x*)") << "empty pieces";
  EXPECT_EQ(TextOf(pieces("\x80\x00"sv)), "(cn=**)") << "only an empty piece";
}

TEST(FilterBerTest, IgnoresTrailingComponentsItDoesNotKnow) {
  EXPECT_EQ(TextOf("\xa3\x0a\x04\x02"
                   "cn\x04\x01"
                   "a\x85\x01x"sv),
            "(cn=a)");
  EXPECT_EQ(TextOf("\xa9\x09\x82\x02"
                   "cn\x83\x01"
                   "a\x89\x00"sv),
            "(cn:=a)");
  EXPECT_EQ(CodeOf("\xa3\x09\x04\x02"
                   "cn\x04\x01"
                   "a\x85\x01"sv),
            ResultCode::kProtocolError);
}

TEST(FilterBerTest, ADnFlagThatIsFalseIsTheDefault) {
  EXPECT_EQ(TextOf("\xa9\x0a\x82\x02"
                   "cn\x83\x01"
                   "a\x84\x01\x00"sv),
            "(cn:=a)");
  EXPECT_EQ(TextOf("\xa9\x0a\x82\x02"
                   "cn\x83\x01"
                   "a\x84\x01\x01"sv),
            "(cn:dn:=a)");
  EXPECT_EQ(CodeOf("\xa9\x09\x82\x02"
                   "cn\x83\x01"
                   "a\x84\x00"sv),
            ResultCode::kProtocolError);
}

TEST(FilterBerTest, AnOddAttributeDescriptionIsNoError) {
  EXPECT_EQ(CodeOf("\x87\x00"sv), ResultCode::kSuccess);
  EXPECT_EQ(TextOf("\x87\x03"
                   "a b"sv),
            "(a\\20b=*)");
}

TEST(FilterBerTest, DepthIsLimited) {
  EXPECT_EQ(CodeOf(Nested(Filter::kMaxDepth)), ResultCode::kSuccess);
  EXPECT_EQ(CodeOf(Nested(Filter::kMaxDepth + 1)), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf(Nested(1000)), ResultCode::kProtocolError);
}

TEST(FilterBerTest, DeepAndLongFiltersComeBack) {
  const std::string octets = Nested(Filter::kMaxDepth);
  std::string again;
  Filter::Decode(octets).value().Encode(&again);
  EXPECT_EQ(again, octets);
  const std::string text =
      "(&(cn=" + std::string(70000, 'x') + ")(!(sn=" + std::string(300, 'y') + "*)))";
  EXPECT_EQ(TextOf(Encoded(text)), text);
}

TEST(FilterBerTest, NumberOfItemsIsLimited) {
  std::string items;
  for (std::size_t i = 1; i < Filter::kMaxItems; ++i) items += "\xa1\x00"sv;
  EXPECT_EQ(CodeOf(Element(ber::Context(0, true), items)), ResultCode::kSuccess);
  EXPECT_EQ(CodeOf(Element(ber::Context(0, true), items + std::string("\xa1\x00", 2))),
            ResultCode::kProtocolError);
}

}  // namespace
}  // namespace twintree::model
