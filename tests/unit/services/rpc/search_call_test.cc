// SearchEntries from a client's side.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "services/rpc/directory_client.h"
#include "tests/unit/services/rpc/directory_service_fixture.h"

namespace twintree::rpc {
namespace {

using directory::RequestContext;
using model::ResultCode;

TEST_F(DirectoryServiceTest, StreamsEntriesAndTheResult) {
  GenerateEntries(20000, OneAttribute("cn", std::string(200, 'x')));
  StartServer();
  std::size_t count = 0;
  std::string last;
  const auto outcome = Client()->Search({}, [&](const ClientEntry& entry) {
    ++count;
    last = entry.dn;
  });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->code, ResultCode::kSuccess);
  EXPECT_EQ(outcome->entries, 20000u);
  EXPECT_EQ(count, 20000u);
  EXPECT_EQ(last, "cn=19999");
}

TEST_F(DirectoryServiceTest, MessagesAreBoundedAndOnlyTheLastHasTheResult) {
  GenerateEntries(5000, OneAttribute("cn", std::string(1000, 'x')));
  StartServer();
  const auto stub = Stub();
  grpc::ClientContext context;
  const auto reader = stub->SearchEntries(&context, pb::SearchEntriesRequest());
  pb::SearchEntriesResponse response;
  int results = 0;
  while (reader->Read(&response)) {
    EXPECT_EQ(results, 0);
    EXPECT_LT(response.ByteSizeLong(), 300u << 10);
    results += response.has_result() ? 1 : 0;
  }
  EXPECT_EQ(results, 1);
  EXPECT_TRUE(reader->Finish().ok());
}

TEST_F(DirectoryServiceTest, AFewEntriesAreOneMessage) {
  GenerateEntries(3, OneAttribute("cn", "a"));
  StartServer();
  const auto stub = Stub();
  grpc::ClientContext context;
  const auto reader = stub->SearchEntries(&context, pb::SearchEntriesRequest());
  pb::SearchEntriesResponse response;
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.entries_size(), 3);
  EXPECT_EQ(response.result().completion(), pb::SearchResult::COMPLETION_COMPLETE);
  EXPECT_FALSE(reader->Read(&response));
}

TEST_F(DirectoryServiceTest, ALimitIsAResult) {
  const std::vector<std::pair<ResultCode, pb::SearchResult::Completion>> limits = {
      {ResultCode::kSizeLimitExceeded, pb::SearchResult::COMPLETION_SIZE_LIMIT},
      {ResultCode::kTimeLimitExceeded, pb::SearchResult::COMPLETION_TIME_LIMIT},
      {ResultCode::kAdminLimitExceeded, pb::SearchResult::COMPLETION_ADMIN_LIMIT}};
  StartServer();
  const auto stub = Stub();
  for (const auto& [code, completion] : limits) {
    EndSearches({code, "", "that is all", 7, std::nullopt});
    grpc::ClientContext context;
    const auto reader = stub->SearchEntries(&context, pb::SearchEntriesRequest());
    pb::SearchEntriesResponse response;
    ASSERT_TRUE(reader->Read(&response));
    EXPECT_EQ(response.result().completion(), completion);
    EXPECT_EQ(response.result().ldap_result_code(), static_cast<int>(code));
    EXPECT_EQ(response.result().diagnostic(), "that is all");
    EXPECT_EQ(response.result().entry_count(), 7u);
    EXPECT_TRUE(reader->Finish().ok());
  }
}

TEST_F(DirectoryServiceTest, AnErrorIsAStatus) {
  EndSearches({ResultCode::kInsufficientAccessRights, "", "no", 0, std::nullopt});
  StartServer();
  const auto outcome = Client()->Search({}, [](const auto&) {});
  ASSERT_EQ(outcome.code(), ResultCode::kInsufficientAccessRights);
  EXPECT_EQ(outcome.error().message, "no");
}

TEST_F(DirectoryServiceTest, AClientThatLeavesEndsTheSearch) {
  GenerateEntries(1000000000, OneAttribute("cn", std::string(1000, 'x')));
  StartServer();
  const auto stub = Stub();
  {
    grpc::ClientContext context;
    const auto reader = stub->SearchEntries(&context, pb::SearchEntriesRequest());
    pb::SearchEntriesResponse response;
    ASSERT_TRUE(reader->Read(&response));
    context.TryCancel();
    while (reader->Read(&response)) {
    }
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  server_->Drain(kPatience);
  EXPECT_TRUE((*search_.Get())->cancelled());
}

// A search that takes no notice of being cancelled.
class StubbornSearch final : public directory::SearchOperation {
 public:
  void Resume() override {}
  void Cancel() override {}
};

// What the directory says after a call has ended must not touch what gRPC has taken back.
TEST_F(DirectoryServiceTest, AnOutcomeMayComeAfterTheCallHasEnded) {
  Later<std::shared_ptr<directory::SearchSink>> kept;
  directory_->on_search = [kept](const RequestContext&, const auto&, const auto& sink) mutable {
    kept.Set(sink);
    return std::make_shared<StubbornSearch>();
  };
  StartServer();
  const auto stub = Stub();
  {
    grpc::ClientContext context;
    pb::SearchEntriesRequest request;
    request.set_base_dn("dc=" + std::string(1000, 'x'));
    const auto reader = stub->SearchEntries(&context, request);
    ASSERT_TRUE(kept.Get());
    context.TryCancel();
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  server_->Drain(kPatience);
  directory::SearchOutcome outcome;
  outcome.code = ResultCode::kNoSuchObject;
  (*kept.Get())->OnDone(outcome);
}

TEST_F(DirectoryServiceTest, ACallerMayBecomeKnownAfterTheCallHasEnded) {
  Later<directory::Directory::BindCallback> kept;
  directory_->on_bind = [kept](const RequestContext&, const auto&, const auto& done) mutable {
    kept.Set(done);
  };
  directory_->on_search = [](const RequestContext&, const auto&, const auto&) {
    ADD_FAILURE() << "nobody waits for this search";
    return std::make_shared<StubbornSearch>();
  };
  StartServer();
  const auto stub = Stub();
  {
    grpc::ClientContext context;
    context.AddMetadata("authorization", "Basic Y249YTpi");  // cn=a:b
    const auto reader = stub->SearchEntries(&context, pb::SearchEntriesRequest());
    ASSERT_TRUE(kept.Get());
    context.TryCancel();
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  server_->Drain(kPatience);
  (*kept.Get())({ResultCode::kSuccess, "", {}});
}

TEST_F(DirectoryServiceTest, ASlowClientDoesNotFillTheServer) {
  GenerateEntries(1000000000, OneAttribute("cn", std::string(1000, 'x')));
  StartServer();
  const auto stub = Stub();
  grpc::ClientContext context;
  const auto reader = stub->SearchEntries(&context, pb::SearchEntriesRequest());
  pb::SearchEntriesResponse response;
  ASSERT_TRUE(reader->Read(&response));
  // A call that goes all the way shows that the server has had time to send.
  for (int i = 0; i < 20; ++i) Client()->Delete("cn=a").status().ok();
  EXPECT_LT((*search_.Get())->sent(), 50000u);
  context.TryCancel();
}

}  // namespace
}  // namespace twintree::rpc
