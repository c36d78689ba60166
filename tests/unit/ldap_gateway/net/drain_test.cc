// How a server goes down.
#include <netinet/in.h>
#include <sys/socket.h>

#include <latch>

#include "tests/unit/ldap_gateway/net/server_fixture.h"

namespace twintree::ldap::testing {
namespace {

using std::chrono::milliseconds;

class DrainTest : public ServerTest {
 protected:
  static std::string RootSearch(std::int64_t id) { return Search(id, {}); }
  bool RefusesConnections() const {
    const OwnedFd fd(socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(Address().port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0;
  }
};

TEST_F(DrainTest, IdleSessionsEndWithoutAWord) {
  options_.threads = 2;
  Start();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<Client>(Address()));
    clients.back()->Exchange(RootSearch(1), 2);
  }
  std::thread drain([&] { server_->Drain(kPatience); });
  for (auto& client : clients) {
    EXPECT_TRUE(client->WaitClosed());
    EXPECT_EQ(client->rest(), "");
    EXPECT_TRUE(client->ended_well());
  }
  clients.clear();
  drain.join();
}

TEST_F(DrainTest, ALargeResultIsFinished) {
  directory_->entries = 2000;
  directory_->attributes = EncodeAttributes({{"description", {std::string(20000, 'd')}}});
  Start();
  Client client(Address());
  client.Send(RootSearch(1));
  auto responses = client.Receive(1);
  std::thread drain([&] { server_->Drain(kPatience); });
  for (auto& response : client.Receive(2001 - responses.size())) {
    responses.push_back(std::move(response));
  }
  EXPECT_EQ(responses.at(2000).tag, kSearchDone);
  EXPECT_EQ(responses.at(2000).code, 0);
  EXPECT_TRUE(client.WaitClosed());
  EXPECT_EQ(client.rest(), "");
  drain.join();
}

TEST_F(DrainTest, NobodyNewIsLetIn) {
  directory_->defer_calls = true;
  Start();
  Client waiting(Address());
  waiting.Send(Delete(1, "cn=x"));
  ASSERT_TRUE(Eventually([&] { return directory_->deferred_count() == 1; }));
  std::thread drain([&] { server_->Drain(kPatience); });
  EXPECT_TRUE(Eventually([&] { return RefusesConnections(); }));
  directory_->Flush();
  EXPECT_EQ(waiting.Receive(1).at(0).id, 1);
  EXPECT_TRUE(waiting.WaitClosed());
  EXPECT_EQ(waiting.rest(), "");
  drain.join();
}

// What is not read any more must not make the kernel reset the connection.
TEST_F(DrainTest, RequestsThatAreNotReadTakeNoAnswerAway) {
  directory_->defer_calls = true;
  options_.limits.max_pending_operations = 1;
  Start();
  Client client(Address());
  client.Send(Delete(1, "cn=x"));
  ASSERT_TRUE(Eventually([&] { return directory_->deferred_count() == 1; }));
  for (int i = 2; i < 500; ++i) client.Send(Delete(i, std::string(1000, 'x')));
  std::thread drain([&] { server_->Drain(kPatience); });
  EXPECT_TRUE(Eventually([&] { return RefusesConnections(); }));
  directory_->Flush();
  EXPECT_TRUE(client.WaitClosed());
  EXPECT_EQ(Responses(client.rest()).at(0).id, 1);
  EXPECT_TRUE(client.ended_well());
  drain.join();
}

TEST_F(DrainTest, TlsEndsWithACloseNotify) {
  UseTls();
  Start();
  Client client(Address());
  client.Exchange(Extended(1, "1.3.6.1.4.1.1466.20037"));
  ASSERT_TRUE(client.StartTls());
  client.Exchange(RootSearch(2), 2);
  std::thread drain([&] { server_->Drain(kPatience); });
  EXPECT_TRUE(client.WaitClosed());
  EXPECT_EQ(client.rest(), "");
  EXPECT_TRUE(client.ended_well());
  drain.join();
}

TEST_F(DrainTest, WhoIsNotReadyInTimeIsCutOff) {
  directory_->defer_calls = true;
  Start();
  Client waiting(Address());
  waiting.Send(Delete(1, "cn=x"));
  ASSERT_TRUE(Eventually([&] { return directory_->deferred_count() == 1; }));
  server_->Drain(milliseconds(50));
  EXPECT_TRUE(waiting.WaitClosed());
  EXPECT_EQ(Responses(waiting.rest()).at(0).code, 52);
  directory_->Flush();  // too late, and harmless
}

// Keeps the server's thread for longer than the time between two looks at the deadlines.
class BusyObserver final : public CountingObserver {
 public:
  void OnReceived(std::size_t) override {
    entered.count_down();
    std::this_thread::sleep_for(milliseconds(200));
  }
  std::latch entered{1};
};

TEST_F(DrainTest, GoesDownWhenALookAtTheDeadlinesIsDue) {
  const auto busy = std::make_shared<BusyObserver>();
  options_.observer = busy;
  options_.timeouts.read = milliseconds(40);
  Start();
  Client client(Address());
  client.Send(RootSearch(1));
  busy->entered.wait();
  server_.reset();
  EXPECT_TRUE(client.WaitClosed());
}

TEST_F(DrainTest, DestructionWithoutDrainClosesEverything) {
  Start();
  Client client(Address());
  client.Exchange(RootSearch(1), 2);
  server_.reset();
  EXPECT_TRUE(client.WaitClosed());
  EXPECT_EQ(observer_->closed, 1u);
}

}  // namespace
}  // namespace twintree::ldap::testing
