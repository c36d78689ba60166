// Who calls the public API.
#include <cstdint>
#include <memory>
#include <thread>

#include "services/rpc/directory_client.h"
#include "tests/unit/services/rpc/directory_service_fixture.h"

namespace twintree::rpc {
namespace {

using directory::RequestContext;
using model::ResultCode;

class LossWatcher final : public directory::Interest::Watcher {
 public:
  void OnInterestLost(std::uint64_t id) override { lost.Set(id); }
  Later<std::uint64_t> lost;
};

TEST_F(DirectoryServiceTest, CallersAreAnonymousWithoutMetadata) {
  KeepSubject();
  StartServer();
  EXPECT_TRUE(Client()->Delete("cn=a").ok());
  EXPECT_TRUE(subject_.Get()->anonymous());
}

TEST_F(DirectoryServiceTest, BasicCredentialsMakeTheSubject) {
  directory_->on_bind = [](const auto&, const directory::BindRequest& request, const auto& done) {
    if (request.password.Reveal() == "right") {
      return done({ResultCode::kSuccess, "", User(request.dn)});
    }
    done({ResultCode::kInvalidCredentials, "", {}});
  };
  KeepSubject();
  StartServer();
  EXPECT_EQ(Client("cn=me", "wrong")->Delete("cn=a").code(), ResultCode::kInvalidCredentials);
  EXPECT_TRUE(Client("cn=me", "right")->Delete("cn=a").ok());
  EXPECT_EQ(subject_.Get()->dn, "cn=me");
  EXPECT_EQ(*Client("cn=me", "right")->Authenticate(), "cn=me");
  EXPECT_EQ(Client("cn=me", "wrong")->Authenticate().code(), ResultCode::kInvalidCredentials);
}

TEST_F(DirectoryServiceTest, ATokenMakesTheSubject) {
  directory_->on_bind = [](const auto&, const directory::BindRequest& request, const auto& done) {
    done({ResultCode::kSuccess, "", User(request.dn)});
  };
  KeepSubject();
  StartServer();
  const auto stub = Stub();
  pb::AuthenticateRequest login;
  login.set_dn("cn=me");
  login.set_password("right");
  pb::AuthenticateResponse session;
  {
    grpc::ClientContext context;
    ASSERT_TRUE(stub->Authenticate(&context, login, &session).ok());
  }
  grpc::ClientContext context;
  context.AddMetadata("authorization", "Bearer " + session.token());
  pb::DeleteEntryResponse response;
  ASSERT_TRUE(stub->DeleteEntry(&context, pb::DeleteEntryRequest(), &response).ok());
  EXPECT_EQ(subject_.Get()->dn, "cn=me");
  EXPECT_GT(session.expire_time().seconds(), time(nullptr));
}

TEST_F(DirectoryServiceTest, TwoAuthorizationsAreNone) {
  GenerateEntries(1, OneAttribute("cn", "a"));
  StartServer();
  const auto stub = Stub();
  for (const bool search : {false, true}) {
    grpc::ClientContext context;
    context.AddMetadata("authorization", "Basic Y249YTpi");  // cn=a:b
    context.AddMetadata("authorization", "Bearer x");
    pb::DeleteEntryResponse response;
    const grpc::Status status =
        search ? stub->SearchEntries(&context, pb::SearchEntriesRequest())->Finish()
               : stub->DeleteEntry(&context, pb::DeleteEntryRequest(), &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED);
    EXPECT_EQ(status.error_message(), "authorization is given more than once");
  }
}

TEST_F(DirectoryServiceTest, ACancelledCallIsNoLongerWaitedFor) {
  for (const bool search : {false, true}) {
    Later<RequestContext> bind;
    directory_->on_bind = [bind](const RequestContext& context, const auto&, const auto&) mutable {
      bind.Set(context);
    };
    StartServer();
    const auto stub = Stub();
    grpc::ClientContext context;
    context.AddMetadata("authorization", "Basic Y249YTpi");  // cn=a:b
    std::thread call([&] {
      pb::DeleteEntryResponse response;
      const grpc::Status status =
          search ? stub->SearchEntries(&context, pb::SearchEntriesRequest())->Finish()
                 : stub->DeleteEntry(&context, pb::DeleteEntryRequest(), &response);
      EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
    });
    auto watcher = std::make_shared<LossWatcher>();
    const auto asked = bind.Get();
    context.TryCancel();
    call.join();
    ASSERT_TRUE(asked && asked->interest != nullptr);
    asked->interest->Watch(watcher, 7);
    EXPECT_EQ(watcher->lost.Get(), 7u);
  }
}

}  // namespace
}  // namespace twintree::rpc
