// TLS on the gRPC door, and gateways that are known by their certificates.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "services/rpc/credentials.h"
#include "tests/unit/services/rpc/server_fixture.h"
#include "tests/unit/services/rpc/test_certificates.h"

namespace twintree::rpc {
namespace {

using model::ResultCode;

class TlsTest : public ServerFixture {
 protected:
  void StartTlsServer(std::vector<std::string> gateway_names) {
    const PemPair pair = certificates_.Issue("directory.test");
    GrpcServerOptions options = Options();
    options.gateway_token = model::Secret();
    options.gateway_certificate_names = std::move(gateway_names);
    options.tls = ServerTls{pair.certificate_file, pair.key_file, certificates_.ca_file()};
    StartServer(std::move(options));
  }
  ResultCode DeleteAs(const std::string& ca_file, const std::string& server_name) {
    DirectoryClientOptions options;
    options.target = server_->address();
    options.tls = ClientTls{ca_file, "", "", server_name};
    options.timeout = kPatience;
    return std::move(DirectoryClient::Make(std::move(options))).value()->Delete("cn=a").code();
  }
  // A gateway with a certificate for `name`; none if empty.
  std::unique_ptr<RemoteDirectory> ConnectAs(const std::string& name) {
    RemoteDirectoryOptions options = RemoteOptions();
    options.token = model::Secret();
    options.tls = ClientTls{certificates_.ca_file(), "", "", "directory.test"};
    if (!name.empty()) {
      const PemPair pair = certificates_.Issue(name);
      options.tls->certificate_file = pair.certificate_file;
      options.tls->key_file = pair.key_file;
    }
    return Connect(std::move(options));
  }

  TestCertificates certificates_;
};

TEST_F(TlsTest, AClientChecksAuthorityAndName) {
  StartTlsServer({"gateway.test"});
  const TestCertificates others;
  EXPECT_EQ(DeleteAs(certificates_.ca_file(), "directory.test"), ResultCode::kUnwillingToPerform);
  EXPECT_EQ(DeleteAs(certificates_.ca_file(), "elsewhere.test"), ResultCode::kUnavailable);
  EXPECT_EQ(DeleteAs(others.ca_file(), "directory.test"), ResultCode::kUnavailable);
}

TEST_F(TlsTest, AGatewayIsKnownByTheNameInItsCertificate) {
  StartTlsServer({"gateway.test"});
  const auto remote = ConnectAs("gateway.test");
  ASSERT_TRUE(remote->WaitUntilConnected(kPatience));
  EXPECT_EQ(DeleteAndWait(*remote, "cn=a").code, ResultCode::kUnwillingToPerform);
}

TEST_F(TlsTest, AnotherNameIsNoGateway) {
  StartTlsServer({"gateway.test"});
  for (const auto& [name, why] :
       {std::pair("", "neither a gateway token nor a client certificate"),
        std::pair("service.test", "its client certificate has no name of a gateway")}) {
    const auto remote = ConnectAs(name);
    const std::string reason = WaitForReason(*remote, why);
    EXPECT_NE(reason.find(why), std::string::npos) << reason;
    EXPECT_EQ(DeleteAndWait(*remote, "cn=a").code, ResultCode::kUnavailable);
    EXPECT_FALSE(remote->connected());
  }
}

TEST_F(TlsTest, AStarTrustsEveryCertificateOfTheAuthorityButNotItsAbsence) {
  StartTlsServer({"*"});
  EXPECT_TRUE(ConnectAs("service.test")->WaitUntilConnected(kPatience));
  const auto nobody = ConnectAs("");
  const std::string reason = WaitForReason(*nobody, "client certificate");
  EXPECT_NE(reason.find("neither a gateway token nor a client certificate"), std::string::npos)
      << reason;
  EXPECT_FALSE(nobody->connected());
}

TEST_F(TlsTest, AnEncryptedKeyIsRefusedWithoutAskingForItsPassphrase) {
  const PemPair pair = certificates_.Issue("directory.test");
  EncryptKey(pair.key_file);
  const auto checked = CheckTlsFiles({"", pair.certificate_file, pair.key_file, ""});
  ASSERT_EQ(checked.code(), ResultCode::kOther);
  EXPECT_NE(checked.error().message.find(pair.key_file + ": it is encrypted; 'openssl pkey "),
            std::string::npos)
      << checked.error().message;
}

TEST_F(TlsTest, KeyAndCertificateMustBelongTogether) {
  GrpcServerOptions options = Options();
  const std::string other_key = certificates_.Issue("other.test").key_file;
  options.tls = ServerTls{certificates_.Issue("directory.test").certificate_file, other_key, ""};
  const auto server = GrpcServer::Start(directory_, std::move(options));
  ASSERT_EQ(server.code(), ResultCode::kOther);
  EXPECT_NE(server.error().message.find(other_key), std::string::npos) << server.error().message;
}

}  // namespace
}  // namespace twintree::rpc
