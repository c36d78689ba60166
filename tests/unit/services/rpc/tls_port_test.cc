// A server with a certificate: TLS and plain text on one port.
#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "grpc/health/v1/health.grpc.pb.h"
#include "services/log/log.h"
#include "services/rpc/credentials.h"
#include "services/rpc/grpc_server.h"
#include "tests/unit/ldap_gateway/net/certificates.h"
#include "tests/unit/services/rpc/raw_connection.h"
#include "tests/unit/services/rpc/server_fixture.h"
#include "twintree/gateway/v1/gateway_service.grpc.pb.h"

namespace twintree::rpc {
namespace {

namespace health_pb = ::grpc::health::v1;
namespace gateway_v1 = ::twintree::gateway::v1;
using model::ResultCode;
using std::chrono::milliseconds;

class TlsPortTest : public ServerFixture {
 protected:
  void SetUp() override {
    Certify("server", "directory.example");
    Certify("gateway", "gateway-1.example");
  }
  void Certify(const std::string& file, const std::string& name) {
    ldap::testing::WriteCertificate(Path(file + ".crt"), Path(file + ".key"), name, 1);
  }
  std::string Path(const std::string& file) const { return folder_.File(file); }

  // Gateways have the certificate `gateway`; there is no token.
  GrpcServerOptions TlsOptions() const {
    GrpcServerOptions options;
    options.listen = "127.0.0.1:0";
    options.tls = ServerTls{Path("server.crt"), Path("server.key"), Path("gateway.crt")};
    options.gateway_certificate_names = {"gateway-1.example"};
    return options;
  }
  ClientTls Trusting() const { return {Path("server.crt"), "", "", "directory.example"}; }
  ClientTls Gateway() const {
    return {Path("server.crt"), Path("gateway.crt"), Path("gateway.key"), "directory.example"};
  }

  std::shared_ptr<grpc::Channel> Channel(const std::optional<ClientTls>& tls) const {
    grpc::ChannelArguments arguments;
    const auto credentials = MakeChannelCredentials(tls, &arguments);
    EXPECT_TRUE(credentials.ok());
    return grpc::CreateCustomChannel(server_->address(), *credentials, arguments);
  }
  // What a new client gets: kUnwillingToPerform from FakeDirectory when it is served.
  ResultCode Ask(const std::optional<ClientTls>& tls) const {
    DirectoryClientOptions options;
    options.target = server_->address();
    options.tls = tls;
    options.timeout = kPatience;
    return DirectoryClient::Make(std::move(options)).value()->Delete("cn=a").code();
  }
  void ExpectBothAreServed() const {
    EXPECT_EQ(Ask(std::nullopt), ResultCode::kUnwillingToPerform);
    EXPECT_EQ(Ask(Trusting()), ResultCode::kUnwillingToPerform);
  }
  // How a stream ends that a gateway without a token opens.
  grpc::StatusCode GatewayRefusal(const std::optional<ClientTls>& tls) const {
    const auto stub = gateway_v1::GatewayService::NewStub(Channel(tls));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kPatience);
    const auto stream = stub->Connect(&context);
    gateway_v1::ConnectResponse response;
    EXPECT_FALSE(stream->Read(&response));
    return stream->Finish().error_code();
  }

  const ldap::testing::TempDir folder_;
};

// The health service's Watch, over a channel of its own.
class Watcher {
 public:
  explicit Watcher(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(health_pb::Health::NewStub(channel)) {
    context_.set_deadline(std::chrono::system_clock::now() + kPatience);
    reader_ = stub_->Watch(&context_, health_pb::HealthCheckRequest());
  }
  // The next status; nullopt at the end.
  std::optional<health_pb::HealthCheckResponse::ServingStatus> Next() {
    health_pb::HealthCheckResponse response;
    if (!reader_->Read(&response)) return std::nullopt;
    return response.status();
  }
  grpc::StatusCode Finish() { return reader_->Finish().error_code(); }

 private:
  const std::unique_ptr<health_pb::Health::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<health_pb::HealthCheckResponse>> reader_;
};

TEST_F(TlsPortTest, TakesTlsAndPlainText) {
  StartServer(TlsOptions());
  EXPECT_EQ(server_->address(), "127.0.0.1:" + std::to_string(server_->port()));
  ExpectBothAreServed();
}

TEST_F(TlsPortTest, RequireRefusesPlainText) {
  GrpcServerOptions options = TlsOptions();
  options.tls_required = true;
  StartServer(std::move(options));
  EXPECT_EQ(Ask(std::nullopt), ResultCode::kUnavailable);
  EXPECT_EQ(Ask(Trusting()), ResultCode::kUnwillingToPerform);
}

TEST_F(TlsPortTest, PlainTextThatIsRefusedIsLoggedWithItsPeer) {
  GrpcServerOptions options = TlsOptions();
  options.tls_required = true;
  StartServer(std::move(options));
  log::Configure({});
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) {
    const RawConnection plain(server_->port());
    ASSERT_TRUE(plain.Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    EXPECT_TRUE(plain.WaitUntilClosed());
  }
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("plain_text_refused protocol=grpc peer=127.0.0.1:"), std::string::npos) << log;
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << log;
}

TEST_F(TlsPortTest, TheServersCertificateIsShown) {
  StartServer(TlsOptions());
  Certify("other", "directory.example");
  EXPECT_EQ(Ask(ClientTls{Path("other.crt"), "", "", "directory.example"}),
            ResultCode::kUnavailable);
}

TEST_F(TlsPortTest, ASilentClientHoldsNobodyUp) {
  StartServer(TlsOptions());
  const RawConnection silent(server_->port());
  ExpectBothAreServed();
  server_->Drain(kPatience);
  EXPECT_TRUE(silent.WaitUntilClosed());
}

TEST_F(TlsPortTest, ClosesWhoDoesNotFinishAHandshake) {
  GrpcServerOptions options = TlsOptions();
  options.handshake_limit = milliseconds(100);
  StartServer(std::move(options));
  for (const std::string octets : {"", "\x16", "\x16\x03\x01", "PRI"}) {
    const RawConnection client(server_->port());
    ASSERT_TRUE(client.Send(octets));
    EXPECT_TRUE(client.WaitUntilClosed()) << octets;
  }
}

TEST_F(TlsPortTest, GarbageDoesNoHarm) {
  StartServer(TlsOptions());
  for (const char octet : {'\x00', '\x15', '\x17', 'G', '\x80', '\xff'}) {
    const RawConnection client(server_->port());
    ASSERT_TRUE(client.Send(std::string(64, octet)));
    EXPECT_TRUE(client.WaitUntilClosed());
  }
  ExpectBothAreServed();
}

TEST_F(TlsPortTest, DrainEndsBothAndClosesTheDoor) {
  StartServer(TlsOptions());
  server_->SetServing(true);
  Watcher plain(Channel(std::nullopt));
  Watcher tls(Channel(Trusting()));
  for (Watcher* watcher : {&plain, &tls}) {
    ASSERT_EQ(watcher->Next(), health_pb::HealthCheckResponse::SERVING);
  }
  server_->Drain(kPatience);
  for (Watcher* watcher : {&plain, &tls}) {
    EXPECT_EQ(watcher->Next(), health_pb::HealthCheckResponse::NOT_SERVING);
    EXPECT_EQ(watcher->Next(), std::nullopt);
    EXPECT_EQ(watcher->Finish(), grpc::StatusCode::UNAVAILABLE);
  }
  RawConnection late;
  EXPECT_FALSE(late.Connect(server_->port()));
}

TEST_F(TlsPortTest, ConnectionsOfBothKindsAge) {
  GrpcServerOptions options = TlsOptions();
  options.max_connection_age = milliseconds(200);
  options.connection_age_grace = milliseconds(1000);
  StartServer(std::move(options));
  for (const auto& tls : {std::optional<ClientTls>(), std::optional(Trusting())}) {
    Watcher watcher(Channel(tls));
    ASSERT_EQ(watcher.Next(), health_pb::HealthCheckResponse::NOT_SERVING);
    EXPECT_EQ(watcher.Next(), std::nullopt);
    EXPECT_EQ(watcher.Finish(), grpc::StatusCode::UNAVAILABLE);
  }
}

TEST_F(TlsPortTest, AGatewayIsKnownByItsCertificate) {
  StartServer(TlsOptions());
  RemoteDirectoryOptions options;
  options.target = server_->address();
  options.tls = Gateway();
  const auto gateway = Connect(std::move(options));
  ASSERT_TRUE(gateway->WaitUntilConnected(kPatience));
  EXPECT_EQ(DeleteAndWait(*gateway, "cn=a").code, ResultCode::kUnwillingToPerform);
  server_->Drain(kPatience);
}

TEST_F(TlsPortTest, AGatewayWithoutACertificateIsRefused) {
  for (const std::string name : {"gateway-1.example", "*"}) {
    GrpcServerOptions options = TlsOptions();
    options.gateway_certificate_names = {name};
    StartServer(std::move(options));
    EXPECT_EQ(GatewayRefusal(std::nullopt), grpc::StatusCode::UNAUTHENTICATED) << name;
    EXPECT_EQ(GatewayRefusal(Trusting()), grpc::StatusCode::UNAUTHENTICATED) << name;
  }
}

TEST_F(TlsPortTest, ACertificateWithAnotherNameIsRefused) {
  GrpcServerOptions options = TlsOptions();
  options.gateway_certificate_names = {"gateway-2.example"};
  StartServer(std::move(options));
  EXPECT_EQ(GatewayRefusal(Gateway()), grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(TlsPortTest, APlainGatewayShowsTheToken) {
  GrpcServerOptions options = TlsOptions();
  options.gateway_token = model::Secret(kToken);
  StartServer(std::move(options));
  const auto gateway = Connect();
  EXPECT_EQ(DeleteAndWait(*gateway, "cn=a").code, ResultCode::kUnwillingToPerform);
}

TEST_F(TlsPortTest, NamesAnAddressThatIsTaken) {
  StartServer(TlsOptions());
  GrpcServerOptions options = TlsOptions();
  options.listen = server_->address();
  const auto second = GrpcServer::Start(directory_, options);
  ASSERT_EQ(second.code(), ResultCode::kOther);
  EXPECT_NE(second.error().message.find(server_->address()), std::string::npos);
  server_.reset();
  StartServer(std::move(options));
  ExpectBothAreServed();
}

}  // namespace
}  // namespace twintree::rpc
