// Requests of the public API that are wrong.
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/rpc/directory_client.h"
#include "services/rpc/entry_codec.h"
#include "tests/unit/services/rpc/directory_service_fixture.h"

namespace twintree::rpc {
namespace {

using model::ResultCode;

TEST_F(DirectoryServiceTest, ABadFilterIsAnInvalidArgument) {
  StartServer();
  ClientQuery query;
  query.filter = "(cn=";
  EXPECT_EQ(Client()->Search(query, [](const auto&) {}).code(), ResultCode::kProtocolError);
}

// The fields that a BadRequest blames, with their descriptions.
std::string Blamed(const grpc::Status& status) {
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  google::rpc::Status details;
  EXPECT_TRUE(details.ParseFromString(status.error_details()));
  google::rpc::BadRequest bad;
  for (const auto& detail : details.details()) detail.UnpackTo(&bad);
  return bad.field_violations_size() == 1 ? bad.field_violations(0).field() : "";
}

TEST_F(DirectoryServiceTest, AuthenticateNeedsBothFields) {
  StartServer();
  const auto stub = Stub();
  pb::AuthenticateResponse response;
  pb::AuthenticateRequest request;
  grpc::ClientContext first;
  EXPECT_EQ(Blamed(stub->Authenticate(&first, request, &response)), "dn");
  request.set_dn("cn=a");
  grpc::ClientContext second;
  EXPECT_EQ(Blamed(stub->Authenticate(&second, request, &response)), "password");
}

TEST_F(DirectoryServiceTest, NoMoreAttributesCanBeAskedForThanOverLdap) {
  GenerateEntries(1, OneAttribute("cn", "a"));
  StartServer();
  const auto stub = Stub();
  pb::GetEntryRequest get;
  get.set_dn("cn=a");
  for (int i = 0; i < kMaxSelectedAttributes; ++i) get.add_attributes("cn");
  pb::GetEntryResponse entry;
  grpc::ClientContext first;
  EXPECT_TRUE(stub->GetEntry(&first, get, &entry).ok());
  get.add_attributes("cn");
  grpc::ClientContext second;
  EXPECT_EQ(stub->GetEntry(&second, get, &entry).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  pb::SearchEntriesRequest search;
  *search.mutable_attributes() = get.attributes();
  grpc::ClientContext third;
  const auto reader = stub->SearchEntries(&third, search);
  pb::SearchEntriesResponse response;
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(DirectoryServiceTest, NegativeLimitsAreInvalid) {
  GenerateEntries(1, OneAttribute("cn", "a"));
  StartServer();
  const auto stub = Stub();
  const auto blamed = [&](const pb::SearchEntriesRequest& request) {
    grpc::ClientContext context;
    const auto reader = stub->SearchEntries(&context, request);
    pb::SearchEntriesResponse response;
    while (reader->Read(&response)) {
    }
    return Blamed(reader->Finish());
  };
  pb::SearchEntriesRequest seconds;
  seconds.mutable_time_limit()->set_seconds(-1);
  EXPECT_EQ(blamed(seconds), "time_limit");
  pb::SearchEntriesRequest nanos;
  nanos.mutable_time_limit()->set_nanos(-1);
  EXPECT_EQ(blamed(nanos), "time_limit");
  pb::SearchEntriesRequest size;
  size.set_size_limit(static_cast<std::uint32_t>(-1));
  EXPECT_EQ(blamed(size), "size_limit");
}

// How a call of `method` with `body` ends.
grpc::Status CallWithBody(const std::string& address, const std::string& method,
                          const std::string& body) {
  grpc::GenericStub stub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::Slice octets(body);
  grpc::ByteBuffer request(&octets, 1);
  grpc::ByteBuffer response;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kPatience);
  Later<grpc::Status> status;
  stub.UnaryCall(&context, method, grpc::StubOptions(), &request, &response,
                 [status](grpc::Status s) mutable { status.Set(std::move(s)); });
  return *status.Get();
}

TEST_F(DirectoryServiceTest, ABodyThatIsNoMessageIsInvalidForEveryMethod) {
  StartServer();
  std::vector<std::string> methods = {"/grpc.health.v1.Health/Check",
                                      "/grpc.health.v1.Health/Watch"};
  for (const RpcMethod& method : AllRpcMethods()) {
    if (method.type == "bidi_stream") continue;
    methods.push_back("/" + std::string(method.service) + "/" + std::string(method.name));
  }
  for (const std::string& method : methods) {
    for (const std::string body : {"\xff\xff\xff", "\x0a\x01\xff", "\x0a\x05x"}) {
      EXPECT_EQ(CallWithBody(server_->address(), method, body).error_code(),
                grpc::StatusCode::INVALID_ARGUMENT)
          << method;
    }
  }
}

TEST_F(DirectoryServiceTest, ABodyThatIsNoMessageIsNamed) {
  StartServer();
  const grpc::Status status = CallWithBody(
      server_->address(), "/twintree.directory.v1.DirectoryService/DeleteEntry", "\xff\xff");
  EXPECT_EQ(status.error_message(),
            "the body is no twintree.directory.v1.DeleteEntryRequest, whose strings are UTF-8");
  EXPECT_EQ(Blamed(status), "");
}

}  // namespace
}  // namespace twintree::rpc
