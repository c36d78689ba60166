// A session without sockets: the test is the client, the host and the directory.
#ifndef TWINTREE_TESTS_UNIT_LDAP_GATEWAY_SESSION_SESSION_FIXTURE_H_
#define TWINTREE_TESTS_UNIT_LDAP_GATEWAY_SESSION_SESSION_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ldap_gateway/session/session.h"
#include "tests/unit/ldap_gateway/testing/fake_directory.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap::testing {

class FakeObserver final : public ConnectionObserver {
 public:
  void OnOpened(Transport) override {}
  void OnClosed(Transport) override {}
  void OnRefused(Transport) override {}
  void OnReceived(std::size_t bytes) override { received += bytes; }
  void OnSent(std::size_t) override {}
  void OnTlsHandshake(bool) override {}
  void OnOperation(OperationKind kind, model::ResultCode code, std::chrono::nanoseconds,
                   std::uint64_t entries) override {
    operations.emplace_back(kind, code, entries);
  }
  void OnBind(BindMechanism mechanism, model::ResultCode code) override {
    binds.emplace_back(mechanism, code);
  }
  void OnControls(const ControlCounts& counts) override { controls.push_back(counts); }

  std::size_t received = 0;
  std::vector<std::tuple<OperationKind, model::ResultCode, std::uint64_t>> operations;
  std::vector<std::pair<BindMechanism, model::ResultCode>> binds;
  std::vector<ControlCounts> controls;
};

class FakeHost final : public SessionHost {
 public:
  void RequestWake() override { ++wakes; }
  std::atomic<int> wakes = 0;
};

// However slow the machine is, a turn does not end.
inline SessionLimits PatientLimits() {
  SessionLimits limits;
  limits.max_turn_time = std::chrono::hours(1);
  return limits;
}

class SessionTest : public ::testing::Test {
 protected:
  ~SessionTest() override {
    if (session_) session_->Close();
  }

  // Opens the session; what Open() uses can be set before.
  void Open() {
    door_ = std::make_shared<const Door>(directory_, observer_, limits_, start_tls_);
    session_ = std::make_shared<Session>(door_, peer_);
    session_->set_host(host_);
  }

  // One more at the same door; to be closed.
  std::shared_ptr<Session> OpenAnother(std::uint64_t connection) {
    auto session =
        std::make_shared<Session>(door_, SessionPeer{connection, Transport::kLdap, false});
    session->set_host(host_);
    return session;
  }

  // Takes what is to be sent until there is nothing more.
  std::string Drain() {
    std::string octets;
    while (!session_->output().empty()) {
      const std::string_view output = session_->output();
      const std::size_t size = output.size();
      octets.append(output);
      session_->Consume(size);
    }
    return octets;
  }
  std::vector<Response> Take() { return Responses(Drain()); }
  std::vector<Response> Exchange(std::string_view octets) {
    if (!session_) Open();
    session_->Receive(octets);
    return Take();
  }
  void BindAsAdmin() {
    const auto responses = Exchange(Bind(1000, directory_->user_dn, directory_->user_password));
    ASSERT_EQ(responses.at(0).code, 0);
  }
  std::string WhoAmI() {
    return Exchange(Extended(1001, "1.3.6.1.4.1.4203.1.11.3")).at(0).value.value_or("none");
  }
  bool Closing() const { return session_->next() == Session::Next::kClose; }
  // The session ended with a Notice of Disconnection that carries this code.
  void ExpectNotice(const std::vector<Response>& responses, model::ResultCode code) {
    ASSERT_EQ(responses.size(), 1u);
    EXPECT_EQ(responses[0].id, 0);
    EXPECT_EQ(responses[0].name, "1.3.6.1.4.1.1466.20036");
    EXPECT_EQ(responses[0].code, static_cast<std::int64_t>(code));
    EXPECT_NE(responses[0].diagnostic, "");
    EXPECT_TRUE(Closing());
  }

  SessionLimits limits_ = PatientLimits();
  SessionPeer peer_{1, Transport::kLdap, false};
  bool start_tls_ = false;
  std::shared_ptr<FakeDirectory> directory_ = std::make_shared<FakeDirectory>();
  std::shared_ptr<FakeObserver> observer_ = std::make_shared<FakeObserver>();
  std::shared_ptr<FakeHost> host_ = std::make_shared<FakeHost>();
  std::shared_ptr<const Door> door_;
  std::shared_ptr<Session> session_;
};

// Search for "cn=x" and the like, nothing special.
inline std::string PlainSearch(std::int64_t id) {
  SearchFields fields;
  fields.base = "dc=example,dc=com";
  fields.scope = 2;
  return Search(id, fields);
}

inline std::vector<std::int64_t> IdsOf(const std::vector<Response>& responses) {
  std::vector<std::int64_t> ids;
  for (const Response& response : responses) ids.push_back(response.id);
  return ids;
}

}  // namespace twintree::ldap::testing

#endif  // TWINTREE_TESTS_UNIT_LDAP_GATEWAY_SESSION_SESSION_FIXTURE_H_
