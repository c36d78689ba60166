// StartTLS and LDAPS over real sockets.
#include <sys/socket.h>

#include <filesystem>

#include "ldap_gateway/protocol/oids.h"
#include "services/log/log.h"
#include "tests/unit/ldap_gateway/net/server_fixture.h"

namespace twintree::ldap::testing {
namespace {

using ::testing::SizeIs;

class TlsTest : public ServerTest {
 protected:
  void SetUp() override {
    UseTls();
    options_.ldaps_listen = {"127.0.0.1:0"};
  }
  static std::string RootSearch(std::int64_t id) { return Search(id, {}); }
  static std::string StartTlsRequest(std::int64_t id) { return Extended(id, oid::kStartTls); }
};

// Case TLS-01.
TEST_F(TlsTest, StartTlsOnceAndTwice) {
  Start();
  Client client(Address());
  const auto response = client.Exchange(StartTlsRequest(1)).at(0);
  EXPECT_EQ(response.code, 0);
  EXPECT_EQ(response.name, oid::kStartTls);
  ASSERT_TRUE(client.StartTls());
  EXPECT_EQ(client.Exchange(RootSearch(2), 2).at(1).code, 0);
  EXPECT_EQ(client.Exchange(StartTlsRequest(3)).at(0).code, 1);
  EXPECT_EQ(client.Exchange(RootSearch(4), 2).at(1).code, 0);
  EXPECT_EQ(observer_->handshakes, 1u);
}

TEST_F(TlsTest, LdapsServesAndRefusesStartTls) {
  Start();
  Client client(Address(Transport::kLdaps));
  ASSERT_TRUE(client.StartTls());
  EXPECT_EQ(client.Exchange(StartTlsRequest(1)).at(0).code, 1);
  EXPECT_EQ(client.Exchange(RootSearch(2), 2).at(1).code, 0);
}

TEST_F(TlsTest, StreamsALargeResult) {
  directory_->entries = 1000;
  directory_->attributes = EncodeAttributes({{"description", {std::string(8192, 'd')}}});
  Start();
  Client client(Address(Transport::kLdaps));
  ASSERT_TRUE(client.StartTls());
  EXPECT_THAT(client.Exchange(RootSearch(1), 1001), SizeIs(1001));
}

TEST_F(TlsTest, TakesALargeRequestAndManySmallOnes) {
  Start();
  Client client(Address(Transport::kLdaps));
  ASSERT_TRUE(client.StartTls());
  client.Exchange(Bind(1, directory_->user_dn, directory_->user_password));
  std::string octets = Add(2, "cn=x", {{"jpegPhoto", {std::string(3 << 20, 'j')}}});
  for (int id = 3; id <= 2000; ++id) octets += Delete(id, "cn=x");
  EXPECT_THAT(client.Exchange(octets, 1999), SizeIs(1999));
}

TEST_F(TlsTest, ClearTextOnTheLdapsPortIsClosedWithoutAnAnswer) {
  Start();
  Client client(Address(Transport::kLdaps));
  client.Send(Bind(1, "", ""));
  EXPECT_TRUE(client.WaitClosed());
  // At most a TLS alert.
  EXPECT_TRUE(client.rest().empty() || client.rest()[0] == 0x15);
  EXPECT_TRUE(Eventually([&] { return observer_->failed_handshakes == 1; }));
  EXPECT_TRUE(directory_->binds.empty());
}

TEST_F(TlsTest, RequestsInjectedBehindStartTlsAreNotServed) {
  Start();
  Client client(Address());
  client.Send(StartTlsRequest(1) + Delete(2, "cn=x"));
  EXPECT_TRUE(client.WaitClosed());
  EXPECT_EQ(Responses(client.rest()).at(0).code, 2);
  EXPECT_TRUE(directory_->deletes.empty());
}

TEST_F(TlsTest, RequestsInClearAfterTheAnswerEndTheConnection) {
  Start();
  Client client(Address());
  EXPECT_EQ(client.Exchange(StartTlsRequest(1)).at(0).code, 0);
  client.Send(Delete(2, "cn=x"));
  EXPECT_TRUE(client.WaitClosed());
  EXPECT_TRUE(directory_->deletes.empty());
}

TEST_F(TlsTest, WithoutCertificateStartTlsIsAProtocolError) {
  options_.tls = {};
  options_.ldaps_listen.clear();
  Start();
  Client client(Address());
  EXPECT_EQ(client.Exchange(StartTlsRequest(1)).at(0).code, 2);
  EXPECT_EQ(client.Exchange(RootSearch(2), 2).at(1).code, 0);
  EXPECT_EQ(server_->certificate_not_after(), std::nullopt);
}

// Case TLS-03.
TEST_F(TlsTest, StalledHandshakesHoldUpNobodyAndEnd) {
  options_.timeouts.handshake = std::chrono::milliseconds(300);
  Start();
  std::vector<std::unique_ptr<Client>> stalled;
  for (int i = 0; i < 50; ++i) {
    stalled.push_back(std::make_unique<Client>(Address(Transport::kLdaps)));
  }
  stalled[0]->Send(Octets("16 03 01 02 00 01"));
  Client client(Address(Transport::kLdaps));
  ASSERT_TRUE(client.StartTls());
  EXPECT_EQ(client.Exchange(RootSearch(1), 2).at(1).code, 0);
  for (auto& one : stalled) EXPECT_TRUE(one->WaitClosed());
  EXPECT_EQ(client.Exchange(RootSearch(2), 2).at(1).code, 0);
  EXPECT_TRUE(Eventually([&] { return server_->connections() == 1; }));
}

TEST_F(TlsTest, ReportsWhenTheCertificateEnds) {
  Start();
  const auto left = server_->certificate_not_after().value() - std::chrono::system_clock::now();
  EXPECT_GT(left, std::chrono::hours(23));
  EXPECT_LE(left, std::chrono::hours(24));
}

TEST_F(TlsTest, ReadsWhenTheCertificateOfAFileEnds) {
  Start();
  EXPECT_EQ(NotAfterOf(certificate_), server_->certificate_not_after());
  WriteCertificate(certificate_, key_, "localhost", 2, {-7200, 2 * 24 * 3600});
  const auto left = NotAfterOf(certificate_).value() - std::chrono::system_clock::now();
  EXPECT_GT(left, std::chrono::hours(47));
  EXPECT_EQ(NotAfterOf(key_), std::nullopt);
  EXPECT_EQ(NotAfterOf(dir_.File("none.pem")), std::nullopt);
}

TEST_F(TlsTest, ClientCertificatesAreVerified) {
  const std::string client_certificate = dir_.File("client.pem");
  const std::string client_key = dir_.File("client.key");
  WriteCertificate(client_certificate, client_key, "client", 7);
  WriteCertificate(dir_.File("stranger.pem"), dir_.File("stranger.key"), "stranger", 8);
  options_.tls.client_ca_file = client_certificate;
  Start();
  const auto served = [&](const std::string& certificate, const std::string& key) {
    Client client(Address(Transport::kLdaps));
    if (!client.StartTls(certificate, key)) return false;
    // In TLS 1.3 the client hears of a refusal only when it reads.
    client.Send(RootSearch(1));
    client.WaitClosedOr(2);
    return TakeResponses(&client.rest()).size() == 2;
  };
  EXPECT_TRUE(served(client_certificate, client_key));
  EXPECT_FALSE(served(dir_.File("stranger.pem"), dir_.File("stranger.key")));
  EXPECT_TRUE(served("", ""));
}

TEST_F(TlsTest, CertificatesAreReadAgainWhenTheyChange) {
  auto tls = TlsContext::Load(options_.tls);
  ASSERT_TRUE(tls.ok());
  const auto serial = [&] {
    const SslPtr ssl = (*tls)->NewServerSide(-1);
    return ASN1_INTEGER_get(X509_get0_serialNumber(SSL_get_certificate(ssl.get())));
  };
  EXPECT_EQ(serial(), 1);
  WriteCertificate(certificate_, key_, "localhost", 2);
  EXPECT_EQ(serial(), 1);
  (*tls)->ReloadIfChanged();
  EXPECT_EQ(serial(), 2);
}

TEST_F(TlsTest, ABadNewCertificateLeavesTheOldOneInUse) {
  auto tls = TlsContext::Load(options_.tls);
  ASSERT_TRUE(tls.ok());
  WriteCertificate(certificate_, dir_.File("elsewhere.key"), "localhost", 2);
  (*tls)->ReloadIfChanged();
  const SslPtr ssl = (*tls)->NewServerSide(-1);
  EXPECT_EQ(ASN1_INTEGER_get(X509_get0_serialNumber(SSL_get_certificate(ssl.get()))), 1);
}

TEST_F(TlsTest, ACertificateThatIsGoneIsToldInTheSystemsWords) {
  auto tls = TlsContext::Load(options_.tls);
  ASSERT_TRUE(tls.ok());
  std::filesystem::remove(certificate_);
  ::testing::internal::CaptureStderr();
  log::Configure({});
  (*tls)->ReloadIfChanged();
  log::Flush();
  EXPECT_NE(
      ::testing::internal::GetCapturedStderr().find(certificate_ + ": No such file or directory"),
      std::string::npos);
}

TEST_F(TlsTest, AnEncryptedKeyIsRefusedWithoutAskingForItsPassphrase) {
  EncryptKey(key_);
  const auto tls = TlsContext::Load(options_.tls);
  ASSERT_FALSE(tls.ok());
  EXPECT_NE(tls.error().message.find(key_ + ": it is encrypted; 'openssl pkey -in "),
            std::string::npos)
      << tls.error().message;
}

TEST_F(TlsTest, ACertificateThatIsNotValidNowIsWarnedOf) {
  const auto logged = [&](Validity validity) {
    WriteCertificate(certificate_, key_, "localhost", 3, validity);
    log::Configure({});
    ::testing::internal::CaptureStderr();
    WarnUnlessValid(certificate_);
    log::Flush();
    return ::testing::internal::GetCapturedStderr();
  };
  const std::string expired = logged({-7200, -3600});
  EXPECT_NE(expired.find("certificate_not_valid"), std::string::npos) << expired;
  EXPECT_NE(expired.find("it has expired on 20"), std::string::npos) << expired;
  EXPECT_NE(logged({3600, 7200}).find("it is not valid before 20"), std::string::npos);
  EXPECT_EQ(logged({}), "");
}

TEST_F(TlsTest, ANewCertificateThatHasExpiredIsUsedWithAWarning) {
  auto tls = TlsContext::Load(options_.tls);
  ASSERT_TRUE(tls.ok());
  WriteCertificate(certificate_, key_, "localhost", 2, {-7200, -3600});
  ::testing::internal::CaptureStderr();
  log::Configure({});
  (*tls)->ReloadIfChanged();
  log::Flush();
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("it has expired on "), std::string::npos);
}

TEST_F(TlsTest, OldVersionsOfTlsAreRefused) {
  Start();
  Client client(Address(Transport::kLdaps));
  EXPECT_FALSE(client.StartTlsAtMost(TLS1_1_VERSION));
  Client newer(Address(Transport::kLdaps));
  EXPECT_TRUE(newer.StartTlsAtMost(TLS1_2_VERSION));
}

}  // namespace
}  // namespace twintree::ldap::testing
