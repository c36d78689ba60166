#include "services/rpc/grpc_server.h"

#include <grpc/support/log.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "grpc/health/v1/health.grpc.pb.h"
#include "services/rpc/grpc_log.h"
#include "tests/unit/services/rpc/server_fixture.h"

namespace twintree::rpc {
namespace {

namespace health_pb = ::grpc::health::v1;
using model::ResultCode;
using Status = health_pb::HealthCheckResponse::ServingStatus;

class GrpcServerTest : public ServerFixture {
 protected:
  std::unique_ptr<health_pb::Health::Stub> HealthStub() const {
    return health_pb::Health::NewStub(
        grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials()));
  }
  static grpc::Status Check(health_pb::Health::Stub& stub, const std::string& service,
                            Status* status) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kPatience);
    health_pb::HealthCheckRequest request;
    request.set_service(service);
    health_pb::HealthCheckResponse response;
    const grpc::Status result = stub.Check(&context, request, &response);
    *status = response.status();
    return result;
  }
};

TEST_F(GrpcServerTest, HealthStartsAsNotServing) {
  StartServer();
  const auto stub = HealthStub();
  Status status = health_pb::HealthCheckResponse::UNKNOWN;
  for (const std::string service : {"", "twintree.directory.v1.DirectoryService"}) {
    ASSERT_TRUE(Check(*stub, service, &status).ok());
    EXPECT_EQ(status, health_pb::HealthCheckResponse::NOT_SERVING);
  }
  server_->SetServing(true);
  for (const std::string service : {"", "twintree.directory.v1.DirectoryService"}) {
    ASSERT_TRUE(Check(*stub, service, &status).ok());
    EXPECT_EQ(status, health_pb::HealthCheckResponse::SERVING);
  }
  EXPECT_EQ(Check(*stub, "no.such.Service", &status).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(GrpcServerTest, WatchTellsEveryChangeAndEndsWhenDraining) {
  StartServer();
  const auto stub = HealthStub();
  grpc::ClientContext context;
  const auto reader = stub->Watch(&context, health_pb::HealthCheckRequest());
  health_pb::HealthCheckResponse response;
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.status(), health_pb::HealthCheckResponse::NOT_SERVING);
  server_->SetServing(true);
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.status(), health_pb::HealthCheckResponse::SERVING);
  server_->Drain(kPatience);
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.status(), health_pb::HealthCheckResponse::NOT_SERVING);
  EXPECT_FALSE(reader->Read(&response));
}

TEST_F(GrpcServerTest, WatchOfAnUnknownServiceGoesOn) {
  StartServer();
  const auto stub = HealthStub();
  grpc::ClientContext context;
  health_pb::HealthCheckRequest request;
  request.set_service("no.such.Service");
  const auto reader = stub->Watch(&context, request);
  health_pb::HealthCheckResponse response;
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.status(), health_pb::HealthCheckResponse::SERVICE_UNKNOWN);
  server_->SetServing(true);
  context.TryCancel();
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(GrpcServerTest, NamesAnAddressThatIsTaken) {
  StartServer();
  GrpcServerOptions options = Options();
  options.listen = server_->address();
  const auto second = GrpcServer::Start(directory_, std::move(options));
  ASSERT_EQ(second.code(), ResultCode::kOther);
  EXPECT_EQ(second.error().message,
            "cannot listen for gRPC on " + server_->address() + ": Address already in use");
}

std::string logged;  // by gRPC, in the tests below

TEST_F(GrpcServerTest, GrpcLogsWhereItIsTold) {
  RouteGrpcLog([](std::string_view text, std::string_view place) {
    logged = std::string(text) + " at " + std::string(place);
  });
  gpr_log(GPR_ERROR, "a port in use");
  RouteGrpcLog([](std::string_view, std::string_view) {});
  EXPECT_NE(logged.find("a port in use at "), std::string::npos) << logged;
  EXPECT_NE(logged.find(".cc:"), std::string::npos) << logged;
}

TEST_F(GrpcServerTest, HeadersThatGrpcCannotReadAreNotLogged) {
  RouteGrpcLog([](std::string_view text, std::string_view) { logged = text; });
  gpr_log(GPR_ERROR, "Error parsing metadata: error=invalid value key=te value=geheim");
  RouteGrpcLog([](std::string_view, std::string_view) {});
  EXPECT_EQ(logged, "Error parsing metadata: error=invalid value key=te value=<hidden>");
}

TEST_F(GrpcServerTest, NamesAnUnusableCertificate) {
  GrpcServerOptions options = Options();
  options.tls = ServerTls{"/no/such/cert.pem", "/no/such/key.pem", ""};
  const auto server = GrpcServer::Start(directory_, std::move(options));
  ASSERT_EQ(server.code(), ResultCode::kOther);
  EXPECT_NE(server.error().message.find("/no/such/cert.pem"), std::string::npos);
}

// What the reflection service answers to a request for the list of services.
grpc::StatusCode ReflectionStatus(const std::string& address) {
  grpc::GenericStub stub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const auto call = stub.PrepareCall(
      &context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  grpc::Status status;
  void* tag = nullptr;
  bool ok = false;
  call->StartCall(nullptr);
  queue.Next(&tag, &ok);
  call->WritesDone(nullptr);
  queue.Next(&tag, &ok);
  call->Finish(&status, nullptr);
  queue.Next(&tag, &ok);
  return status.error_code();
}

TEST_F(GrpcServerTest, ReflectionCanBeSwitchedOff) {
  StartServer();
  EXPECT_EQ(ReflectionStatus(server_->address()), grpc::StatusCode::OK);
  GrpcServerOptions options = Options();
  options.reflection = false;
  StartServer(std::move(options));
  EXPECT_EQ(ReflectionStatus(server_->address()), grpc::StatusCode::UNIMPLEMENTED);
}

TEST_F(GrpcServerTest, TheGatewaysServiceIsThereOnlyForGateways) {
  const auto gateway_status = [this] {
    Status status = health_pb::HealthCheckResponse::UNKNOWN;
    return Check(*HealthStub(), std::string(kGatewayServiceName), &status).error_code();
  };
  StartServer();
  EXPECT_EQ(gateway_status(), grpc::StatusCode::OK);
  GrpcServerOptions options = Options();
  options.gateway_token = model::Secret();
  StartServer(std::move(options));
  EXPECT_EQ(gateway_status(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(GrpcServerTest, ListensOnAUnixSocket) {
  const std::string path = testing::TempDir() + "/twintree_grpc_server_test.sock";
  GrpcServerOptions options = Options();
  options.listen = "unix:" + path;
  StartServer(std::move(options));
  EXPECT_EQ(server_->port(), 0);
  EXPECT_EQ(server_->address(), "unix:" + path);
  Status status = health_pb::HealthCheckResponse::UNKNOWN;
  EXPECT_TRUE(Check(*HealthStub(), "", &status).ok());
}

// Counts by method and code.
class CountingObserver final : public RpcObserver {
 public:
  void OnStarted(const RpcMethod& method) override {
    std::lock_guard lock(mutex_);
    ++counts_[std::string(method.name) + " started"];
  }
  void OnHandled(const RpcMethod& method, int code, std::chrono::nanoseconds duration) override {
    std::lock_guard lock(mutex_);
    ++counts_[std::string(method.name) + " " + std::string(GrpcCodeName(code))];
    if (duration.count() <= 0) ++counts_["no time"];
  }
  std::map<std::string, int> counts() const {
    std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> counts_;
};

TEST_F(GrpcServerTest, TellsItsObserverOfEachCall) {
  directory_->on_search = [](const auto&, const auto&, const auto& sink) {
    auto search = std::make_shared<GeneratedSearch>(sink, 0, "");
    search->Start();
    return search;
  };
  const auto observer = std::make_shared<CountingObserver>();
  GrpcServerOptions options = Options();
  options.observer = observer;
  StartServer(std::move(options));
  EXPECT_EQ(Client()->Delete("cn=a").code(), ResultCode::kUnwillingToPerform);
  EXPECT_EQ(Client()->Get("cn=a", {}).code(), ResultCode::kNoSuchObject);
  EXPECT_TRUE(Client()->Search({}, [](const auto&) {}).ok());
  const auto remote = Connect();
  server_->Drain(kPatience);
  const std::map<std::string, int> expected = {
      {"DeleteEntry started", 1},   {"DeleteEntry FailedPrecondition", 1},
      {"GetEntry started", 1},      {"GetEntry NotFound", 1},
      {"SearchEntries started", 1}, {"SearchEntries OK", 1},
      {"Connect started", 1},       {"Connect OK", 1}};
  std::map<std::string, int> counts = observer->counts();
  // The gateway may have asked again while the server drained.
  counts["Connect started"] -= counts["Connect Unavailable"];
  counts.erase("Connect Unavailable");
  EXPECT_EQ(counts, expected);
}

TEST(RpcMethodsTest, NamesAreThoseOfTheProtocols) {
  for (const RpcMethod& method : AllRpcMethods()) {
    const auto* service = google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(
        std::string(method.service));
    ASSERT_NE(service, nullptr) << method.service;
    const auto* descriptor = service->FindMethodByName(std::string(method.name));
    ASSERT_NE(descriptor, nullptr) << method.name;
    const bool client = descriptor->client_streaming();
    const bool server = descriptor->server_streaming();
    EXPECT_EQ(method.type, client ? "bidi_stream" : server ? "server_stream" : "unary");
  }
}

}  // namespace
}  // namespace twintree::rpc
