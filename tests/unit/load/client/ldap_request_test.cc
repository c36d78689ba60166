#include "load/client/ldap_request.h"

#include <gtest/gtest.h>

#include <string>

#include "ldap_gateway/ber/ber.h"

namespace twintree::load {
namespace {

using namespace std::string_literals;

constexpr std::uint32_t kId = kFirstMessageId + 0x0203;
const std::string kHead = "\x02\x04\x01\x00\x02\x03"s;  // the message ID

std::string Encoded(const Operation& operation, std::uint32_t message_id = kId) {
  LdapRequestWriter writer(1);
  std::string out;
  writer.Append(operation, message_id, &out);
  return out;
}

// Head and body of a message with a body of less than 128 octets.
std::string Message(const std::string& body) {
  return "\x30"s + static_cast<char>(kHead.size() + body.size()) + kHead + body;
}

Action MakeAction(OperationKind kind, std::string_view dn) {
  Action action;
  action.kind = kind;
  action.dn = Pattern(dn);
  return action;
}

TEST(LdapRequestTest, EncodesABind) {
  EXPECT_EQ(EncodeSimpleBind("cn=a", "pw"),
            "\x30\x15\x02\x04\x01\x00\x00\x00\x60\x0d\x02\x01\x03\x04\x04"
            "cn=a\x80\x02pw"s);
}

TEST(LdapRequestTest, EncodesASearchByEquality) {
  Action action = MakeAction(OperationKind::kSearch, "dc=x");
  action.scope = Scope::kSubtree;
  action.filter = {FilterKind::kEqual, "uid", Pattern("u{n}")};
  action.attributes = {"cn"};
  EXPECT_EQ(Encoded({&action, 42}),
            Message("\x63\x27\x04\x04"
                    "dc=x\x0a\x01\x02\x0a\x01\x00\x02\x01\x00\x02\x01\x00\x01\x01\x00"
                    "\xa3\x0a\x04\x03uid\x04\x03u42\x30\x04\x04\x02"
                    "cn"s));
}

TEST(LdapRequestTest, EncodesSubstrings) {
  Action action = MakeAction(OperationKind::kSearch, "");
  const auto filter = [&](FilterKind kind) {
    action.filter = {kind, "cn", Pattern("{n}")};
    const std::string message = Encoded({&action, 7});
    return message.substr(message.size() - 13, 11);
  };
  EXPECT_EQ(filter(FilterKind::kPrefix),
            "\xa4\x09\x04\x02"
            "cn\x30\x03\x80\x01"
            "7"s);
  EXPECT_EQ(filter(FilterKind::kInfix),
            "\xa4\x09\x04\x02"
            "cn\x30\x03\x81\x01"
            "7"s);
  EXPECT_EQ(filter(FilterKind::kSuffix),
            "\xa4\x09\x04\x02"
            "cn\x30\x03\x82\x01"
            "7"s);
}

TEST(LdapRequestTest, EncodesPresence) {
  const Action action = MakeAction(OperationKind::kSearch, "");
  const std::string message = Encoded({&action});
  EXPECT_EQ(message.substr(message.size() - 15), "\x87\x0bobjectClass\x30\x00"s);
}

TEST(LdapRequestTest, EncodesACompare) {
  Action action = MakeAction(OperationKind::kCompare, "uid={n}");
  action.attribute = "cn";
  action.value = Pattern("v{n}");
  EXPECT_EQ(Encoded({&action, 1}), Message("\x6e\x11\x04\x05uid=1\x30\x08\x04\x02"
                                           "cn\x04\x02v1"s));
}

TEST(LdapRequestTest, EncodesAModifyWithBothNumbers) {
  Action action = MakeAction(OperationKind::kModify, "uid={n}");
  action.attribute = "cn";
  action.value = Pattern("{n}/{v}");
  EXPECT_EQ(Encoded({&action, 1, 23}),
            Message("\x66\x1c\x04\x05uid=1\x30\x13\x30\x11\x0a\x01\x02\x30\x0c\x04\x02"
                    "cn\x31\x06\x04\x04"
                    "1/23"s));
}

TEST(LdapRequestTest, EncodesDeleteAndRename) {
  Action action = MakeAction(OperationKind::kDelete, "uid={n}");
  EXPECT_EQ(Encoded({&action, 12}), Message("\x4a\x06uid=12"s));
  action = MakeAction(OperationKind::kRename, "uid={n}");
  action.value = Pattern("uid={v}");
  EXPECT_EQ(Encoded({&action, 1, 2}), Message("\x6c\x11\x04\x05uid=1\x04\x05uid=2\x01\x01\xff"s));
}

TEST(LdapRequestTest, EncodesTheAddedEntry) {
  Action action = MakeAction(OperationKind::kAdd, "ou=x");
  action.new_entry = NewEntryKind::kContainer;
  EXPECT_EQ(Encoded({&action}),
            Message("\x68\x38\x04\x04ou=x\x30\x30\x30\x23\x04\x0bobjectClass\x31\x14\x04\x12"
                    "organizationalUnit\x30\x09\x04\x02ou\x31\x03\x04\x01x"s));
}

// Numbers of every length, again and again with the same writer: templates do not leak into each
// other.
TEST(LdapRequestTest, FillsTemplatesForEveryLength) {
  Action action = MakeAction(OperationKind::kCompare, std::string(200, 'x') + "={n}");
  action.attribute = "cn";
  action.value = Pattern("{n}{v}{n}");
  LdapRequestWriter writer(1);
  for (std::uint64_t number = 1; number < 1'000'000'000'000; number = number * 7 + 3) {
    std::string used;
    writer.Append({&action, number, number / 3}, kId, &used);
    EXPECT_EQ(used, Encoded({&action, number, number / 3}));
    EXPECT_NE(used.find(action.dn.Text(number)), std::string::npos);
    EXPECT_NE(used.find(action.value.Text(number, number / 3)), std::string::npos);
  }
}

TEST(LdapRequestTest, PutsEveryMessageIdInFourOctets) {
  const Action action = MakeAction(OperationKind::kDelete, "uid={n}");
  for (const std::uint32_t id : {kFirstMessageId, kFirstMessageId + kMessageIds - 1}) {
    const std::string message = Encoded({&action, 1}, id);
    ber::Reader reader(message);
    std::string_view body;
    ASSERT_TRUE(reader.Expect(ber::kSequence, &body));
    ber::Reader inside(body);
    std::int64_t read = 0;
    ASSERT_TRUE(inside.ExpectInteger(&read));
    EXPECT_EQ(read, id);
  }
}

}  // namespace
}  // namespace twintree::load
