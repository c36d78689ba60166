#include "load/client/ldap_answer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace twintree::load {
namespace {

using namespace std::string_literals;

// A SearchResultEntry of message 5: DN "dc=x", attribute dc with value x. By hand, RFC 4511 4.5.2.
const std::string kEntry =
    "\x30\x18\x02\x01\x05\x64\x13\x04\x04"
    "dc=x\x30\x0b\x30\x09\x04\x02"
    "dc\x31\x03\x04\x01"
    "x"s;
// A SearchResultDone of message 5: noSuchObject, matched DN "dc=x", diagnostic "no".
const std::string kDone =
    "\x30\x12\x02\x01\x05\x65\x0d\x0a\x01\x20\x04\x04"
    "dc=x\x04\x02no"s;

TEST(LdapAnswerTest, ReadsAnEntry) {
  LdapAnswer answer;
  std::size_t size = 0;
  const std::string both = kEntry + kDone;
  ASSERT_EQ(ReadLdapAnswer(both, &answer, &size), AnswerState::kComplete);
  EXPECT_EQ(size, kEntry.size());
  EXPECT_EQ(answer.message_id, 5);
  EXPECT_EQ(answer.tag, kSearchResultEntry);
  EXPECT_EQ(answer.dn, "dc=x");
  EXPECT_EQ(CountAttributes(answer.attributes), 1U);
}

TEST(LdapAnswerTest, ReadsAResult) {
  LdapAnswer answer;
  std::size_t size = 0;
  ASSERT_EQ(ReadLdapAnswer(kDone, &answer, &size), AnswerState::kComplete);
  EXPECT_EQ(size, kDone.size());
  EXPECT_EQ(answer.tag, kSearchResultDone);
  EXPECT_EQ(answer.result, 32);
  EXPECT_EQ(answer.diagnostic, "no");
}

TEST(LdapAnswerTest, WaitsForTheRestOfAMessage) {
  for (const std::string& message : {kEntry, kDone}) {
    for (std::size_t length = 0; length < message.size(); ++length) {
      LdapAnswer answer;
      std::size_t size = 0;
      EXPECT_EQ(ReadLdapAnswer(std::string_view(message).substr(0, length), &answer, &size),
                AnswerState::kIncomplete)
          << length;
    }
  }
}

// Whatever length an inner element claims, nothing outside the message is read.
TEST(LdapAnswerTest, RefusesEveryInnerTruncation) {
  for (const std::string& message : {kEntry, kDone}) {
    for (std::size_t length = 2; length < message.size(); ++length) {
      std::string shorter = message.substr(0, length);
      shorter[1] = static_cast<char>(length - 2);
      LdapAnswer answer;
      std::size_t size = 0;
      EXPECT_EQ(ReadLdapAnswer(shorter, &answer, &size), AnswerState::kMalformed) << length;
    }
  }
}

TEST(LdapAnswerTest, NeverReadsPastTheEndWhateverOctetChanges) {
  for (const std::string& message : {kEntry, kDone}) {
    for (std::size_t at = 0; at < message.size(); ++at) {
      for (int octet = 0; octet < 256; ++octet) {
        // A block of its own, so that the address sanitizer sees every step outside.
        const auto copy = std::make_unique<char[]>(message.size());
        message.copy(copy.get(), message.size());
        copy[at] = static_cast<char>(octet);
        LdapAnswer answer;
        std::size_t size = 0;
        const std::string_view octets(copy.get(), message.size());
        if (ReadLdapAnswer(octets, &answer, &size) == AnswerState::kComplete) {
          EXPECT_LE(size, message.size());
          CountAttributes(answer.attributes);
        }
      }
    }
  }
}

TEST(LdapAnswerTest, RefusesWhatIsNoAnswer) {
  LdapAnswer answer;
  std::size_t size = 0;
  for (const std::string& octets :
       {"\x31\x03\x02\x01\x05"s, "\x30\x80"s, "HTTP/1.1 400"s,
        "\x30\x05\x02\x01\x05\x42\x00"s /* an UnbindRequest */,
        "\x30\x84\x7f\xff\xff\xff"s /* two thousand million octets */}) {
    EXPECT_EQ(ReadLdapAnswer(octets, &answer, &size), AnswerState::kMalformed) << octets;
  }
}

TEST(LdapAnswerTest, StopsCountingAtAMalformedAttribute) {
  EXPECT_EQ(CountAttributes("\x30\x02\x04\x00\x30\x7f"s), 1U);
  EXPECT_EQ(CountAttributes(""), 0U);
}

}  // namespace
}  // namespace twintree::load
