#include "ldap_gateway/limits.h"

#include <gtest/gtest.h>

#include "ldap_gateway/protocol/controls.h"
#include "ldap_gateway/protocol/request.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap {
namespace {

using model::ResultCode;

template <typename Decode>
ResultCode CodeOf(const std::string& message, Decode decode) {
  return decode(DecodeEnvelope(message).value().content).code();
}

// What case GRP-01 adds: 100,000 members of 60 octets, and a photo of 5 MiB.
TEST(LimitsTest, ALargeGroupAndAPhotoFit) {
  const testing::Values members(100000, std::string(60, 'm'));
  const std::string group = testing::Add(1, "cn=g", {{"member", members}});
  EXPECT_LE(group.size(), kMaxMessageBytes);
  EXPECT_EQ(CodeOf(group, DecodeAdd), ResultCode::kSuccess);
  const std::string photo = testing::Add(1, "cn=p", {{"jpegPhoto", {std::string(5 << 20, 'j')}}});
  EXPECT_LE(photo.size(), kMaxMessageBytes);
}

TEST(LimitsTest, AttributesOfAMessage) {
  testing::Attributes attributes(kMaxAttributesPerMessage, {"cn", {"n"}});
  EXPECT_EQ(CodeOf(testing::Add(1, "cn=n", attributes), DecodeAdd), ResultCode::kSuccess);
  attributes.push_back({"cn", {"n"}});
  EXPECT_EQ(CodeOf(testing::Add(1, "cn=n", attributes), DecodeAdd),
            ResultCode::kAdminLimitExceeded);
}

TEST(LimitsTest, ChangesOfAMessage) {
  std::vector<testing::Change> changes(kMaxAttributesPerMessage, {1, "cn", {}});
  EXPECT_EQ(CodeOf(testing::Modify(1, "cn=n", changes), DecodeModify), ResultCode::kSuccess);
  changes.push_back({1, "cn", {}});
  EXPECT_EQ(CodeOf(testing::Modify(1, "cn=n", changes), DecodeModify),
            ResultCode::kAdminLimitExceeded);
}

TEST(LimitsTest, ValuesOfAMessageAllAttributesTogether) {
  testing::Attributes attributes = {{"cn", testing::Values(kMaxValuesPerMessage - 1)},
                                    {"sn", {""}}};
  EXPECT_EQ(CodeOf(testing::Add(1, "cn=n", attributes), DecodeAdd), ResultCode::kSuccess);
  attributes[1].second.push_back("");
  EXPECT_EQ(CodeOf(testing::Add(1, "cn=n", attributes), DecodeAdd),
            ResultCode::kAdminLimitExceeded);
}

TEST(LimitsTest, AttributesOfASearch) {
  testing::SearchFields fields;
  fields.attributes.assign(kMaxSelectedAttributes, "cn");
  EXPECT_EQ(CodeOf(testing::Search(1, fields), DecodeSearch), ResultCode::kSuccess);
  fields.attributes.push_back("cn");
  EXPECT_EQ(CodeOf(testing::Search(1, fields), DecodeSearch), ResultCode::kAdminLimitExceeded);
}

TEST(LimitsTest, ControlsOfAMessage) {
  std::string controls;
  for (std::size_t i = 0; i < kMaxControlsPerMessage; ++i) controls += testing::Control("1.2.3");
  EXPECT_EQ(DecodeControls(controls, OperationKind::kSearch).code(), ResultCode::kSuccess);
  controls += testing::Control("1.2.3");
  EXPECT_EQ(DecodeControls(controls, OperationKind::kSearch).code(),
            ResultCode::kAdminLimitExceeded);
}

std::string NestedNot(std::size_t depth) {
  std::string filter = testing::Octets("8702636e");
  for (std::size_t i = 1; i < depth; ++i) {
    std::string outer;
    ber::Writer(&outer).OctetString(filter, ber::Context(2, true));
    filter = std::move(outer);
  }
  return testing::Octets("0400 0a0100 0a0100 020100 020100 010100") + filter +
         testing::Octets("3000");
}

TEST(LimitsTest, DepthOfAFilter) {
  EXPECT_EQ(DecodeSearch(NestedNot(100)).code(), ResultCode::kSuccess);
  EXPECT_EQ(DecodeSearch(NestedNot(model::Filter::kMaxDepth)).code(), ResultCode::kSuccess);
  EXPECT_EQ(DecodeSearch(NestedNot(1000)).code(), ResultCode::kProtocolError);
}

}  // namespace
}  // namespace twintree::ldap
