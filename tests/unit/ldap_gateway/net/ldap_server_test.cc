#include "ldap_gateway/net/ldap_server.h"

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/ldap_gateway/net/server_fixture.h"

namespace twintree::ldap::testing {
namespace {

using model::ResultCode;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string RootSearch(std::int64_t id) { return Search(id, {}); }

TEST_F(ServerTest, ServesABindAndASearch) {
  Start();
  Client client(Address());
  EXPECT_EQ(client.Exchange(Bind(1, directory_->user_dn, directory_->user_password)).at(0).code, 0);
  const auto responses = client.Exchange(RootSearch(2), 2);
  EXPECT_EQ(responses.at(0).tag, kSearchEntry);
  EXPECT_EQ(responses.at(1).code, 0);
}

TEST_F(ServerTest, ServesAUnixSocketAndRemovesItInTheEnd) {
  options_.ldapi_listen = {dir_.File("ldapi")};
  options_.threads = 2;
  Start();
  EXPECT_THAT(Client(Address(Transport::kLdapi)).Exchange(RootSearch(1), 2), SizeIs(2));
  server_.reset();
  EXPECT_NE(access(options_.ldapi_listen[0].c_str(), F_OK), 0);
}

TEST_F(ServerTest, ServesSeveralThreadsOnOnePort) {
  options_.threads = 4;
  Start();
  ASSERT_THAT(server_->addresses(), SizeIs(1));
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 50; ++i) clients.push_back(std::make_unique<Client>(Address()));
  for (auto& client : clients) client->Send(RootSearch(1));
  for (auto& client : clients) EXPECT_EQ(client->Receive(2).at(1).code, 0);
  EXPECT_EQ(server_->connections(), 50u);
  clients.clear();
  EXPECT_TRUE(Eventually([&] { return server_->connections() == 0; }));
  EXPECT_EQ(observer_->opened, 50u);
  EXPECT_EQ(observer_->closed, 50u);
}

TEST_F(ServerTest, TakesAMessageInPieces) {
  Start();
  Client client(Address());
  // The stalled connection of case DOS-03.
  client.Send(Octets("30 25 02 01 02"));
  EXPECT_THAT(Client(Address()).Exchange(RootSearch(1), 2), SizeIs(2));
  const auto responses =
      client.Exchange(Octets("63 20 04 00 0a 01 00 0a 01 00 02 01 00 02 01 00 01 01 00 87 0b 6f 62"
                             "6a 65 63 74 43 6c 61 73 73 30 00"),
                      2);
  EXPECT_EQ(responses.at(1).id, 2);
  EXPECT_EQ(responses.at(1).code, 0);
}

TEST_F(ServerTest, AnswersManyPipelinedRequests) {
  Start();
  Client client(Address());
  std::string octets;
  for (int id = 1; id <= 5000; ++id) octets += Compare(id, "cn=x", "sn", "v");
  const auto responses = client.Exchange(octets, 5000);
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(responses.at(i).id, i + 1);
}

TEST_F(ServerTest, TakesALargeAddFromAnAuthenticatedClient) {
  Start();
  Client client(Address());
  client.Exchange(Bind(1, directory_->user_dn, directory_->user_password));
  const std::string photo(5 << 20, 'j');
  EXPECT_EQ(client.Exchange(Add(2, "cn=x", {{"jpegPhoto", {photo}}})).at(0).code, 0);
  EXPECT_EQ(directory_->adds.at(0).attributes.at(0).values.at(0), photo);
}

TEST_F(ServerTest, StreamsALargeResult) {
  directory_->entries = 2000;
  directory_->attributes = EncodeAttributes({{"description", {std::string(8192, 'd')}}});
  Start();
  EXPECT_THAT(Client(Address()).Exchange(RootSearch(1), 2001), SizeIs(2001));
}

TEST_F(ServerTest, ForeignProtocolsEndTheirConnectionOnly) {
  Start();
  Client http(Address());
  http.Send("GET / HTTP/1.1\r\nHost: ldap.example.com\r\n\r\n");
  EXPECT_TRUE(http.WaitClosed());
  EXPECT_EQ(Responses(http.rest()).at(0).name, "1.3.6.1.4.1.1466.20036");
  EXPECT_THAT(Client(Address()).Exchange(RootSearch(1), 2), SizeIs(2));
}

TEST_F(ServerTest, OversizedMessageEndsTheConnectionWithANotice) {
  Start();
  Client client(Address());
  client.Send(Octets("30847fffffff 020101"));
  client.Send(std::string(100000, 'x'));
  EXPECT_TRUE(client.WaitClosed());
  EXPECT_EQ(Responses(client.rest()).at(0).code, 2);
}

TEST_F(ServerTest, UnbindClosesTheConnection) {
  Start();
  Client client(Address());
  client.Send(Unbind(1));
  EXPECT_TRUE(client.WaitClosed());
  EXPECT_EQ(client.rest(), "");
}

TEST_F(ServerTest, AClientThatLeavesCancelsItsSearch) {
  directory_->defer_searches = true;
  Start();
  {
    Client client(Address());
    client.Send(RootSearch(1));
    ASSERT_TRUE(Eventually([&] { return observer_->received > 0; }));
  }
  EXPECT_TRUE(Eventually([&] { return server_->connections() == 0; }));
  server_.reset();
  EXPECT_TRUE(directory_->searches.at(0)->canceled);
}

TEST_F(ServerTest, AnswersFromOtherThreadsAreSent) {
  directory_->defer_calls = true;
  Start();
  Client client(Address());
  client.Send(Delete(1, "cn=x"));
  ASSERT_TRUE(Eventually([&] { return directory_->deferred_count() == 1; }));
  directory_->Flush();
  EXPECT_EQ(client.Receive(1).at(0).id, 1);
}

TEST_F(ServerTest, TurnsClientsAwayWhenThereAreTooMany) {
  options_.max_connections = 2;
  Start();
  Client first(Address());
  Client second(Address());
  first.Exchange(RootSearch(1), 2);
  second.Exchange(RootSearch(1), 2);
  Client third(Address());
  EXPECT_TRUE(third.WaitClosed());
  EXPECT_EQ(Responses(third.rest()).at(0).code, static_cast<int>(ResultCode::kUnavailable));
  EXPECT_EQ(observer_->refused, 1u);
  EXPECT_THAT(first.Exchange(RootSearch(2), 2), SizeIs(2));
}

TEST_F(ServerTest, GoesOnAcceptingWhenDescriptorsWereOut) {
  Start();
  Client client(Address());
  client.Exchange(RootSearch(1), 2);
  OwnedFd waiting(socket(AF_INET, SOCK_STREAM, 0));
  rlimit old{};
  getrlimit(RLIMIT_NOFILE, &old);
  const rlimit none{static_cast<rlim_t>(waiting.get() + 1), old.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(Address().port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(waiting.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  // Those who are in go on; the new one has to wait until there is a descriptor.
  EXPECT_THAT(client.Exchange(RootSearch(2), 2), SizeIs(2));
  EXPECT_EQ(server_->connections(), 1u);
  setrlimit(RLIMIT_NOFILE, &old);
  EXPECT_TRUE(Eventually([&] { return server_->connections() == 2; }));
}

TEST_F(ServerTest, LogsWhereItListens) {
  log::Configure({log::Level::kInfo, log::Format::kText, false});
  ::testing::internal::CaptureStderr();
  Start();
  log::Flush();
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("listening"));
  EXPECT_THAT(log, HasSubstr("protocol=ldap"));
  EXPECT_THAT(log, HasSubstr("address=" + Address().address));
}

class BadOptionsTest : public ServerTest {
 protected:
  std::string Problem() {
    auto server = LdapServer::Start(options_, directory_);
    return server.ok() ? "none" : server.error().message;
  }
};

TEST_F(BadOptionsTest, AddressInUse) {
  Start();
  options_.ldap_listen = {Address().address};
  EXPECT_THAT(Problem(), HasSubstr(Address().address));
}

TEST_F(BadOptionsTest, LdapsWithoutCertificate) {
  options_.ldaps_listen = {"127.0.0.1:0"};
  EXPECT_THAT(Problem(), HasSubstr("certificate"));
}

TEST_F(BadOptionsTest, CertificateThatIsNotThere) {
  UseTls();
  options_.tls.certificate_file = dir_.File("missing.pem");
  EXPECT_THAT(Problem(), HasSubstr("missing.pem"));
}

TEST_F(BadOptionsTest, KeyOfAnotherCertificate) {
  UseTls();
  WriteCertificate(dir_.File("other.pem"), dir_.File("other.key"), "other", 2);
  options_.tls.key_file = dir_.File("other.key");
  EXPECT_THAT(Problem(), HasSubstr("other.key"));
}

TEST_F(BadOptionsTest, NumbersThatMakeNoSense) {
  options_.threads = 0;
  EXPECT_THAT(Problem(), HasSubstr("thread"));
  options_.threads = 1;
  options_.timeouts.read = std::chrono::milliseconds(0);
  EXPECT_THAT(Problem(), HasSubstr("timeouts"));
}

}  // namespace
}  // namespace twintree::ldap::testing
