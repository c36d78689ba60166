#include "services/rpc/grpc_log.h"

#include <gtest/gtest.h>

#include <string>

#include "twintree/directory/v1/directory_service.pb.h"

namespace twintree::rpc {
namespace {

TEST(GrpcLogTest, TakesWhatProtocolBuffersSayOfTextThatIsNoUtf8) {
  static std::string said;
  RouteProtobufLog([](std::string_view text, std::string_view) { said += text; });
  directory::v1::GetEntryRequest request;
  EXPECT_FALSE(request.ParseFromString("\x0a\x02\xff\xfe"));
  EXPECT_NE(said.find("GetEntryRequest.dn"), std::string::npos) << said;
}

}  // namespace
}  // namespace twintree::rpc
