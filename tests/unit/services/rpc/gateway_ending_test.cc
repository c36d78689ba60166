// What a gateway tells when its stream ends: why, and what that means for what was under way.
#include <grpcpp/create_channel.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "services/rpc/gateway_limits.h"
#include "tests/unit/services/rpc/server_fixture.h"
#include "twintree/gateway/v1/gateway_service.grpc.pb.h"

namespace twintree::rpc {
namespace {

namespace gateway_pb = ::twintree::gateway::v1;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

class GatewayEndingTest : public ServerFixture {
 protected:
  // The directory takes deletes and compares, and answers none.
  void SwallowOperations() {
    directory_->on_delete = [arrived = arrived_](const auto&, const auto&, const auto&) mutable {
      ++*arrived;
    };
    directory_->on_compare = [arrived = arrived_](const auto&, const auto&, const auto&) mutable {
      ++*arrived;
    };
  }
  // Starts a delete and a compare.
  void StartOperations(RemoteDirectory& remote, const directory::RequestContext& context) {
    remote.Delete(context, {"cn=a", {}}, [deleted = deleted_](const auto& outcome) mutable {
      deleted.Set(outcome.diagnostic);
    });
    remote.Compare(
        context, {"cn=a", "cn", "a", {}},
        [compared = compared_](const auto& outcome) mutable { compared.Set(outcome.diagnostic); });
  }
  bool BothArrived() const {
    const auto give_up = steady_clock::now() + kPatience;
    while (*arrived_ < 2 && steady_clock::now() < give_up) std::this_thread::yield();
    return *arrived_ == 2;
  }

  const std::shared_ptr<std::atomic<int>> arrived_ = std::make_shared<std::atomic<int>>(0);
  Later<std::string> deleted_;
  Later<std::string> compared_;
};

TEST_F(GatewayEndingTest, OnlyWritesMayHaveBeenMadeWhenTheConnectionIsLost) {
  SwallowOperations();
  StartServer();
  const auto remote = Connect();
  StartOperations(*remote, {});
  ASSERT_TRUE(BothArrived());
  server_->Drain(milliseconds(0));
  EXPECT_EQ(deleted_.Get(),
            "the connection to the directory was lost; the change may have been made");
  EXPECT_EQ(compared_.Get(), "the connection to the directory was lost");
}

TEST_F(GatewayEndingTest, OnlyWritesMayHaveBeenMadeWhenNoAnswerComes) {
  SwallowOperations();
  StartServer();
  const auto remote = Connect();
  StartOperations(*remote, {{}, steady_clock::now() + milliseconds(1)});
  EXPECT_EQ(deleted_.Get(), "the directory did not answer in time; the change may have been made");
  EXPECT_EQ(compared_.Get(), "the directory did not answer in time");
}

TEST_F(GatewayEndingTest, ADirectoryThatIsLeftIsNotLost) {
  StartServer();
  std::atomic<int> lost{0};
  RemoteDirectoryOptions options = RemoteOptions();
  options.on_change = [&lost](bool reachable, const std::string&) { lost += reachable ? 0 : 1; };
  auto remote = Connect(std::move(options));
  ASSERT_TRUE(remote->WaitUntilConnected(kPatience));
  remote.reset();
  EXPECT_EQ(lost, 0);
}

// A directory of another release.
class StrangeDirectory final : public gateway_pb::GatewayService::Service {
 public:
  StrangeDirectory() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }
  ~StrangeDirectory() override { server_->Shutdown(std::chrono::system_clock::now()); }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  grpc::Status Connect(grpc::ServerContext*,
                       grpc::ServerReaderWriter<gateway_pb::ConnectResponse,
                                                gateway_pb::ConnectRequest>* stream) override {
    gateway_pb::ConnectResponse hello;
    hello.mutable_hello()->set_protocol_version(99);
    stream->Write(hello);
    gateway_pb::ConnectRequest request;
    while (stream->Read(&request)) {
    }
    return grpc::Status::OK;
  }

 private:
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

TEST_F(GatewayEndingTest, AGatewayTellsBothVersionsAndWhatToDo) {
  const StrangeDirectory directory;
  RemoteDirectoryOptions options;
  options.target = directory.address();
  const auto remote = Connect(std::move(options));
  EXPECT_EQ(WaitForReason(*remote, "version"),
            "the directory refuses this gateway: it speaks version 99 of the gateway protocol, and "
            "this gateway version " +
                std::to_string(kGatewayProtocolVersion) + ": run both of the same release");
}

// How the directory ends the stream of a gateway that shows `tokens` tokens and speaks `version`.
grpc::Status EndOfStream(const std::string& address, int tokens, std::uint32_t version) {
  const auto stub = gateway_pb::GatewayService::NewStub(
      grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kPatience);
  for (int i = 0; i < tokens; ++i) {
    context.AddMetadata("authorization", std::string("Bearer ") + kToken);
  }
  const auto stream = stub->Connect(&context);
  gateway_pb::ConnectRequest hello;
  hello.mutable_hello()->set_protocol_version(version);
  stream->Write(hello);
  stream->WritesDone();
  gateway_pb::ConnectResponse response;
  while (stream->Read(&response)) {
  }
  return stream->Finish();
}

TEST_F(GatewayEndingTest, ADirectoryTellsBothVersionsAndWhatToDo) {
  StartServer();
  const grpc::Status status = EndOfStream(server_->address(), 1, 99);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(status.error_message(),
            "this directory speaks version " + std::to_string(kGatewayProtocolVersion) +
                " of the gateway protocol, and the gateway version 99: run both of the same "
                "release");
}

TEST_F(GatewayEndingTest, TwoTokensAreRefused) {
  StartServer();
  EXPECT_TRUE(EndOfStream(server_->address(), 1, kGatewayProtocolVersion).ok());
  const grpc::Status status = EndOfStream(server_->address(), 2, kGatewayProtocolVersion);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(status.error_message(), "it shows more than one gateway token");
}

}  // namespace
}  // namespace twintree::rpc
