// What the access log tells of calls.
#include "services/rpc/call_log.h"

#include <string>
#include <vector>

#include "services/log/log.h"
#include "services/rpc/directory_client.h"
#include "tests/unit/services/rpc/directory_service_fixture.h"

namespace twintree::rpc {
namespace {

using model::ResultCode;

class CallLogTest : public DirectoryServiceTest {
 protected:
  void SetUp() override {
    log::Configure({log::Level::kInfo, log::Format::kText, true});
    testing::internal::CaptureStderr();
  }
  void TearDown() override { log::Configure({}); }
  // Ends the server, so that all calls are over.
  std::string Log() {
    server_->Drain(kPatience);
    log::Flush();
    return testing::internal::GetCapturedStderr();
  }
  static void ExpectAll(const std::string& log, const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      EXPECT_NE(log.find(text), std::string::npos) << text << log;
  }
};

TEST_F(CallLogTest, TellsWhatASearchWasAboutAndHowItEnded) {
  GenerateEntries(3, OneAttribute("cn", "a"));
  directory_->on_bind = [](const auto&, const directory::BindRequest& request, const auto& done) {
    done({ResultCode::kSuccess, "", User(request.dn)});
  };
  StartServer();
  ClientQuery query;
  query.base = "dc=x";
  query.filter = "(&(cn=a)(userPassword=geheim))";
  EXPECT_TRUE(Client("cn=me", "geheim")->Search(query, [](const auto&) {}).ok());
  const std::string log = Log();
  ExpectAll(log, {"info operation protocol=grpc peer=127.0.0.1:", "subject=\"cn=me\"",
                  "kind=search rpc=SearchEntries", "dn=\"dc=x\"", "scope=sub",
                  "(&(cn=a)(userPassword=<hidden>))", "result=0 status=OK", "entries=3",
                  "duration_seconds="});
  EXPECT_EQ(log.find("geheim"), std::string::npos) << log;
}

TEST(LoggedPeerTest, WritesAddressesAsTheOtherDoorDoes) {
  EXPECT_EQ(LoggedPeer("ipv4:192.0.2.1:51000"), "192.0.2.1:51000");
  EXPECT_EQ(LoggedPeer("ipv6:%5B2001:db8::1%5D:51000"), "[2001:db8::1]:51000");
  EXPECT_EQ(LoggedPeer("ipv6:[2001:db8::1]:51000"), "[2001:db8::1]:51000");
  EXPECT_EQ(LoggedPeer("unix:/run/twintree"), "");
}

TEST_F(CallLogTest, TellsOfRefusedCallsAndNoSecrets) {
  directory_->on_bind = [](const auto&, const auto&, const auto& done) {
    done({ResultCode::kInvalidCredentials, "invalid name or password", {}});
  };
  StartServer();
  EXPECT_FALSE(Client("cn=me", "geheim")->Authenticate().ok());
  EXPECT_FALSE(Client()->Compare("userPassword=geheim", "userPassword: geheim", "geheim").ok());
  EXPECT_FALSE(Client()->ChangePassword({"cn=a", {}, model::Secret("geheim")}).ok());
  ClientQuery query;
  query.filter = "(userPassword=geheim";
  EXPECT_FALSE(Client()->Search(query, [](const auto&) {}).ok());
  const std::string log = Log();
  ExpectAll(log, {"kind=bind rpc=Authenticate", "result=49 status=Unauthenticated", "kind=compare",
                  "kind=extended", "result=53", "result=2 status=InvalidArgument"});
  EXPECT_EQ(log.find("geheim"), std::string::npos) << log;
}

TEST_F(CallLogTest, HidesSecretsInPlacesOfNames) {
  directory_->on_compare = [](const auto&, const auto&, const auto& done) {
    done(directory::OutcomeOf(
        {ResultCode::kUndefinedAttributeType, "attribute type \"geheim\" is not known", ""}));
  };
  GenerateEntries(1, OneAttribute("cn", "a"));
  StartServer();
  const auto compared = Client()->Compare("geheim", "geheim", "x");
  EXPECT_EQ(compared.error().message, "attribute type \"geheim\" is not known");
  ClientQuery query;
  query.base = "geheim=";
  query.filter = "(|(geheim=x)(cn;x-geheim:geheim:=x))";
  EXPECT_TRUE(Client()->Search(query, [](const auto&) {}).ok());
  EXPECT_FALSE(Client()->Rename({"cn=a", "geheim", false, {}, {}}).ok());
  const std::string log = Log();
  ExpectAll(log, {"attribute=<hidden>", "type \\\"<hidden>\\\" is not known",
                  "(|(<hidden>=<hidden>)(cn;<hidden>:<hidden>:=x))", "newrdn=<hidden>"});
  EXPECT_EQ(log.find("geheim"), std::string::npos) << log;
}

}  // namespace
}  // namespace twintree::rpc
