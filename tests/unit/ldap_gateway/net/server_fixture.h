// A server on loopback with a fake directory behind it.
#ifndef TWINTREE_TESTS_UNIT_LDAP_GATEWAY_NET_SERVER_FIXTURE_H_
#define TWINTREE_TESTS_UNIT_LDAP_GATEWAY_NET_SERVER_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "ldap_gateway/net/ldap_server.h"
#include "services/log/log.h"
#include "tests/unit/ldap_gateway/net/certificates.h"
#include "tests/unit/ldap_gateway/net/client.h"
#include "tests/unit/ldap_gateway/testing/fake_directory.h"

namespace twintree::ldap::testing {

class CountingObserver : public ConnectionObserver {
 public:
  void OnOpened(Transport) override { ++opened; }
  void OnClosed(Transport) override { ++closed; }
  void OnRefused(Transport) override { ++refused; }
  void OnReceived(std::size_t bytes) override { received += bytes; }
  void OnSent(std::size_t bytes) override { sent += bytes; }
  void OnTlsHandshake(bool succeeded) override { ++(succeeded ? handshakes : failed_handshakes); }
  void OnOperation(OperationKind, model::ResultCode, std::chrono::nanoseconds,
                   std::uint64_t) override {
    ++operations;
  }
  void OnBind(BindMechanism, model::ResultCode) override {}
  void OnControls(const ControlCounts&) override {}

  std::atomic<std::size_t> opened = 0, closed = 0, refused = 0, received = 0, sent = 0,
                           handshakes = 0, failed_handshakes = 0, operations = 0;
};

class ServerTest : public ::testing::Test {
 protected:
  ServerTest() {
    log::Configure({log::Level::kError, log::Format::kText, false});
    options_.ldap_listen = {"127.0.0.1:0"};
    options_.observer = observer_;
  }
  ~ServerTest() override { log::Configure({}); }

  void Start() {
    auto server = LdapServer::Start(options_, directory_);
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
  }
  void UseTls() {
    WriteCertificate(certificate_, key_, "localhost", 1);
    options_.tls.certificate_file = certificate_;
    options_.tls.key_file = key_;
  }
  const BoundAddress& Address(Transport transport = Transport::kLdap) const {
    for (const BoundAddress& address : server_->addresses()) {
      if (address.transport == transport) return address;
    }
    ADD_FAILURE() << "nobody listens for " << TransportName(transport);
    return server_->addresses().at(0);
  }
  // True once `condition` is; false after kPatience.
  template <typename Condition>
  static bool Eventually(Condition condition) {
    const auto limit = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      std::this_thread::yield();
    }
    return true;
  }

  TempDir dir_;
  const std::string certificate_ = dir_.File("cert.pem");
  const std::string key_ = dir_.File("key.pem");
  LdapServerOptions options_;
  std::shared_ptr<FakeDirectory> directory_ = std::make_shared<FakeDirectory>();
  std::shared_ptr<CountingObserver> observer_ = std::make_shared<CountingObserver>();
  std::unique_ptr<LdapServer> server_;
};

}  // namespace twintree::ldap::testing

#endif  // TWINTREE_TESTS_UNIT_LDAP_GATEWAY_NET_SERVER_FIXTURE_H_
