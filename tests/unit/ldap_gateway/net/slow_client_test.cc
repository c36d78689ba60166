// Clients that stall, trickle or do not read: cases DOS-03 and DOS-05, with short timeouts.
#include "tests/unit/ldap_gateway/net/server_fixture.h"

namespace twintree::ldap::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class SlowClientTest : public ServerTest {
 protected:
  static std::string RootSearch(std::int64_t id) { return Search(id, {}); }
  // A result that fits into no socket buffer.
  void MakeResultsLarge() {
    directory_->entries = 2000;
    directory_->attributes = EncodeAttributes({{"description", {std::string(20000, 'd')}}});
  }
};

TEST_F(SlowClientTest, HalfAMessageEndsInANotice) {
  options_.timeouts.read = milliseconds(200);
  Start();
  Client stalled(Address());
  Client silent(Address());
  stalled.Send(Octets("30 25 02 01 02"));
  EXPECT_TRUE(stalled.WaitClosed());
  EXPECT_EQ(Responses(stalled.rest()).at(0).code, 2);
  // Silence is no half message.
  EXPECT_THAT(silent.Exchange(RootSearch(1), 2), SizeIs(2));
}

TEST_F(SlowClientTest, TricklingOctetsDoesNotHelp) {
  options_.timeouts.read = milliseconds(200);
  Start();
  Client client(Address());
  client.Send(Octets("30 82 10 00"));
  std::atomic<bool> closed = false;
  std::thread trickle([&] {
    while (!closed) {
      std::this_thread::sleep_for(milliseconds(10));
      client.Send("x");
    }
  });
  EXPECT_TRUE(client.WaitClosed());
  closed = true;
  trickle.join();
  EXPECT_THAT(Responses(client.rest()).at(0).diagnostic, HasSubstr("not complete in time"));
}

// Clients with pools of connections take that for what it is, and connect again.
TEST_F(SlowClientTest, IdleSessionsEndWithoutAWord) {
  options_.timeouts.idle = milliseconds(500);
  Start();
  Client client(Address());
  client.Exchange(RootSearch(1), 2);
  EXPECT_TRUE(client.WaitClosed());
  EXPECT_EQ(client.rest(), "");
  EXPECT_TRUE(client.ended_well());
}

TEST_F(SlowClientTest, ASessionThatWaitsForItsAnswerIsNotIdle) {
  options_.timeouts.idle = milliseconds(500);
  directory_->defer_calls = true;
  Start();
  Client waiting(Address());
  waiting.Send(Delete(1, "cn=x"));
  Client idle(Address());
  EXPECT_TRUE(idle.WaitClosed());
  directory_->Flush();
  EXPECT_EQ(waiting.Receive(1).at(0).id, 1);
}

TEST_F(SlowClientTest, ClientsThatDoNotReadHoldUpNobody) {
  MakeResultsLarge();
  Start();
  std::vector<std::unique_ptr<Client>> deaf;
  for (int i = 0; i < 40; ++i) {
    deaf.push_back(std::make_unique<Client>(Address(), 4096));
    deaf.back()->Send(RootSearch(1));
  }
  EXPECT_TRUE(Eventually([&] { return observer_->received > 0; }));
  Client client(Address());
  EXPECT_EQ(client.Exchange(Compare(1, "cn=x", "sn", "v")).at(0).code, 0);
  // One of them starts to read: it gets everything.
  EXPECT_THAT(deaf[0]->Receive(2001), SizeIs(2001));
}

TEST_F(SlowClientTest, AClientThatLeavesIsNoticedWhileNothingIsRead) {
  options_.limits.max_pending_operations = 2;
  directory_->defer_searches = true;
  Start();
  {
    Client leaving(Address());
    leaving.Send(RootSearch(1) + RootSearch(2) + RootSearch(3));
    EXPECT_TRUE(Eventually([&] { return directory_->search_count() == 2; }));
  }
  EXPECT_TRUE(Eventually([&] { return server_->connections() == 0; }));
  server_.reset();
  EXPECT_TRUE(directory_->searches.at(0)->canceled);
}

// Deadlines of the first client were looked at when those of a later one have passed.
TEST_F(SlowClientTest, UpdatesOfAClientThatLeavesAreFinished) {
  options_.limits.max_pending_operations = 1;
  options_.timeouts.read = milliseconds(100);
  directory_->defer_calls = true;
  Start();
  {
    Client leaving(Address());
    leaving.Send(Delete(1, "cn=a") + Delete(2, "cn=b"));
    EXPECT_TRUE(Eventually([&] { return directory_->deferred_count() == 1; }));
  }
  Client stalled(Address());
  stalled.Send(Octets("30 25 02 01 02"));
  EXPECT_TRUE(stalled.WaitClosed());
  directory_->Flush();
  EXPECT_TRUE(Eventually([&] { return directory_->deferred_count() == 1; }));
  directory_->Flush();
}

TEST_F(SlowClientTest, ClientsThatDoNotReadAreCutOff) {
  MakeResultsLarge();
  options_.timeouts.write = milliseconds(200);
  Start();
  Client deaf(Address(), 4096);
  deaf.Send(RootSearch(1));
  EXPECT_TRUE(Eventually([&] { return server_->connections() == 0 && observer_->closed == 1; }));
  server_.reset();
  EXPECT_TRUE(directory_->searches.at(0)->canceled);
  EXPECT_LT(directory_->searches.at(0)->sent, 2000u);
}

TEST_F(SlowClientTest, AClientThatReadsSlowlyIsNotCutOff) {
  MakeResultsLarge();
  options_.timeouts.write = milliseconds(1000);
  Start();
  Client slow(Address(), 4096);
  slow.Send(RootSearch(1));
  // More than twice the timeout in all, and never nearly that long without a read.
  const auto end = std::chrono::steady_clock::now() + milliseconds(2500);
  while (std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(milliseconds(100));
    slow.Receive(2);
  }
  EXPECT_EQ(server_->connections(), 1u);
}

}  // namespace
}  // namespace twintree::ldap::testing
