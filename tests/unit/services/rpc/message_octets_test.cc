#include "services/rpc/message_octets.h"

#include <gtest/gtest.h>

#include <string>

#include "twintree/directory/v1/directory_service.pb.h"

namespace twintree::rpc {
namespace {

using directory::v1::CreateEntryRequest;
using directory::v1::GetEntryRequest;
using model::ResultCode;

grpc::ByteBuffer BufferOf(const std::string& octets) {
  // In slices, as they come from the network.
  const std::size_t half = octets.size() / 2;
  const grpc::Slice slices[] = {grpc::Slice(octets.substr(0, half)),
                                grpc::Slice(octets.substr(half))};
  return {slices, 2};
}

// entry 1, in it dn and two attributes with a name and two values each: ten fields.
CreateEntryRequest TenFields() {
  CreateEntryRequest request;
  request.mutable_entry()->set_dn("cn=x");
  for (const char* name : {"cn", "sn"}) {
    auto* attribute = request.mutable_entry()->add_attributes();
    attribute->set_name(name);
    attribute->add_values("one");
    attribute->add_values("two");
  }
  return request;
}

TEST(MessageOctetsTest, CountsFieldsOfMessagesWithinMessages) {
  const grpc::ByteBuffer octets = BufferOf(TenFields().SerializeAsString());
  EXPECT_FALSE(HasMoreFields(octets, *CreateEntryRequest::descriptor(), 10));
  EXPECT_TRUE(HasMoreFields(octets, *CreateEntryRequest::descriptor(), 9));
}

TEST(MessageOctetsTest, CountsUnknownFieldsOnce) {
  std::string octets = TenFields().SerializeAsString();
  octets += std::string("\xfa\x07\x04\x0a\x00\x0a\x00", 7);  // field 127, four octets
  EXPECT_FALSE(HasMoreFields(BufferOf(octets), *CreateEntryRequest::descriptor(), 11));
  EXPECT_TRUE(HasMoreFields(BufferOf(octets), *CreateEntryRequest::descriptor(), 10));
}

// Protobuf keeps each field of a group that it does not know.
TEST(MessageOctetsTest, CountsFieldsOfUnknownGroups) {
  // Group 9, in it field 1 as octets that are no message, field 2 and group 3 with field 4.
  std::string octets("\x4b\x0a\x01\xff\x10\x00\x1b\x20\x00\x1c\x4c", 11);
  octets += TenFields().SerializeAsString();
  EXPECT_FALSE(HasMoreFields(BufferOf(octets), *CreateEntryRequest::descriptor(), 15));
  EXPECT_TRUE(HasMoreFields(BufferOf(octets), *CreateEntryRequest::descriptor(), 14));
}

TEST(MessageOctetsTest, LeavesDamageToTheParser) {
  const std::string whole = TenFields().SerializeAsString();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(
        HasMoreFields(BufferOf(whole.substr(0, size)), *CreateEntryRequest::descriptor(), 10));
  }
  const std::string endless("\x0a\xff\xff\xff\xff\x0f\x0a\x00", 8);
  EXPECT_FALSE(HasMoreFields(BufferOf(endless), *CreateEntryRequest::descriptor(), 10));
}

TEST(MessageOctetsTest, ReadsAMessage) {
  CreateEntryRequest request;
  ASSERT_TRUE(ParseOctets(BufferOf(TenFields().SerializeAsString()), &request).ok());
  EXPECT_EQ(request.entry().attributes(1).values(1), "two");
}

TEST(MessageOctetsTest, RefusesMillionsOfEmptyStrings) {
  std::string octets;
  for (std::size_t i = 0; i <= kMaxMessageFields; ++i) octets.append("\x12\x00", 2);
  GetEntryRequest request;
  EXPECT_EQ(ParseOctets(BufferOf(octets), &request).code(), ResultCode::kAdminLimitExceeded);
  EXPECT_EQ(request.attributes_size(), 0);
  octets.resize(octets.size() - 2);
  EXPECT_TRUE(ParseOctets(BufferOf(octets), &request).ok());
}

}  // namespace
}  // namespace twintree::rpc
