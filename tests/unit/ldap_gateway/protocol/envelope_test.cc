#include "ldap_gateway/protocol/envelope.h"

#include <gtest/gtest.h>

#include "ldap_gateway/limits.h"
#include "tests/unit/ldap_gateway/protocol/golden.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap {
namespace {

using model::ResultCode;
using testing::Octets;

Frame::State StateOf(std::string_view hex, std::size_t max = kMaxMessageBytes) {
  return NextFrame(Octets(hex), max).state;
}

ResultCode CodeOf(std::string_view hex) { return DecodeEnvelope(Octets(hex)).code(); }

TEST(FrameTest, FindsTheFirstOfTwoMessages) {
  const std::string one = Octets(testing::golden::kUnbind);
  const Frame frame = NextFrame(one + one, kMaxMessageBytes);
  EXPECT_EQ(frame.state, Frame::State::kComplete);
  EXPECT_EQ(frame.size, one.size());
}

TEST(FrameTest, WaitsForHeadAndBody) {
  EXPECT_EQ(StateOf(""), Frame::State::kIncomplete);
  EXPECT_EQ(StateOf("30"), Frame::State::kIncomplete);
  EXPECT_EQ(StateOf("3084 0000"), Frame::State::kIncomplete);
  EXPECT_EQ(StateOf("3005 020103 42"), Frame::State::kIncomplete);
}

TEST(FrameTest, RefusesForeignProtocolsAtTheFirstOctet) {
  EXPECT_EQ(StateOf("47"), Frame::State::kMalformed);      // GET
  EXPECT_EQ(StateOf("160301"), Frame::State::kMalformed);  // TLS
}

TEST(FrameTest, RefusesIndefiniteAndReservedLengths) {
  EXPECT_EQ(StateOf("3080"), Frame::State::kMalformed);
  EXPECT_EQ(StateOf("30ff"), Frame::State::kMalformed);
}

// The octets of case DOS-01.
TEST(FrameTest, RefusesHugeLengthsOnceTheyAreRead) {
  EXPECT_EQ(StateOf("30847fffffff 020101"), Frame::State::kTooLarge);
  EXPECT_EQ(StateOf("3084ffffffff 020101"), Frame::State::kTooLarge);
  EXPECT_EQ(StateOf("3088ffffffffffffffff"), Frame::State::kMalformed);
  EXPECT_EQ(StateOf("30843fffffff 020101 63843ffffff0"), Frame::State::kTooLarge);
  EXPECT_EQ(StateOf("3089010000000000000005 020101 4200"), Frame::State::kMalformed);
}

TEST(FrameTest, AllowsExactlyTheLimit) {
  EXPECT_EQ(StateOf("3005 020103 4200", 7), Frame::State::kComplete);
  EXPECT_EQ(StateOf("3005 020103 4200", 6), Frame::State::kTooLarge);
}

TEST(EnvelopeTest, TakesAMessageApart) {
  const std::string message = Octets(testing::golden::kPagedSearch);
  const auto envelope = DecodeEnvelope(message);
  ASSERT_TRUE(envelope.ok());
  EXPECT_EQ(envelope->id, 2);
  EXPECT_EQ(envelope->kind, OperationKind::kSearch);
  EXPECT_EQ(envelope->content.size(), 0x20u);
  ASSERT_TRUE(envelope->controls.has_value());
  EXPECT_EQ(envelope->controls->size(), 0x26u);
}

TEST(EnvelopeTest, KnowsTheLargestMessageId) {
  const std::string message = Octets("3008 02047fffffff 4200");
  EXPECT_EQ(DecodeEnvelope(message).value().id, 2147483647);
}

// The octets of case BER-04.
TEST(EnvelopeTest, RefusesBadMessageIds) {
  EXPECT_EQ(CodeOf("3010 02050080000000 6007 020103 0400 8000"), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf("300c 0201ff 6007 020103 0400 8000"), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf("300c 020100 6007 020103 0400 8000"), ResultCode::kProtocolError);
}

TEST(EnvelopeTest, RefusesUnknownOperations) {
  EXPECT_EQ(CodeOf("3005 020101 7e00"), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf("3005 020101 6100"), ResultCode::kProtocolError);  // a response
  EXPECT_EQ(CodeOf("3005 020101 4300"), ResultCode::kProtocolError);  // a primitive search
}

TEST(EnvelopeTest, IgnoresLaterExtensionsAndNothingElse) {
  EXPECT_TRUE(DecodeEnvelope(Octets("3008 020103 4200 8b0100")).ok());
  EXPECT_EQ(CodeOf("3008 020103 4200 040100"), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf("3006 020103 4200 8b"), ResultCode::kProtocolError);
}

TEST(WellFormedTest, SeesLengthsThatOverrunAtEveryDepth) {
  EXPECT_TRUE(IsWellFormed(Octets("300c 020101 6007 020103 0400 8000")));
  EXPECT_FALSE(IsWellFormed(Octets("300c 020101 6007 020103 047f 8000")));
  EXPECT_FALSE(IsWellFormed(Octets("300c 020101 6007 020103 0400 8001")));
}

// So many elements within one another.
std::string Nested(std::size_t depth) {
  std::string nested;
  for (std::size_t i = 0; i < depth; ++i) {
    std::string outer;
    ber::Writer(&outer).Header(ber::Context(2, true), nested.size());
    nested.insert(0, outer);
  }
  return nested;
}

TEST(WellFormedTest, WalksDeepNestingWithoutRecursion) {
  const std::string nested = Nested(kMaxNesting - 1);
  EXPECT_TRUE(IsWellFormed(nested));
  EXPECT_FALSE(IsWellFormed(nested + "\x04"));
}

// What it remembers of each level would be several times the message.
TEST(WellFormedTest, DoesNotLookIntoWhatNestsTooDeep) {
  EXPECT_FALSE(IsWellFormed(Nested(kMaxNesting)));
}

}  // namespace
}  // namespace twintree::ldap
