// SearchEntries from a client's side.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/rpc/directory_client.h"
#include "services/rpc/error_translation.h"
#include "tests/unit/services/rpc/directory_service_fixture.h"

namespace twintree::rpc {
namespace {

using directory::RequestContext;
using model::ResultCode;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

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

// A SearchEntries call whose client reads only when it is told to.
struct OpenSearch {
  explicit OpenSearch(pb::DirectoryService::Stub* stub)
      : reader(stub->SearchEntries(&context, pb::SearchEntriesRequest())) {}
  grpc::Status Finish() {
    pb::SearchEntriesResponse response;
    while (reader->Read(&response)) {
    }
    return reader->Finish();
  }
  grpc::StatusCode ReadAll() { return Finish().error_code(); }
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReader<pb::SearchEntriesResponse>> reader;
};

TEST_F(DirectoryServiceTest, RefusesASearchBeyondThoseThatAreOpen) {
  GenerateLongAnswers();
  GrpcServerOptions options = Options();
  options.max_searches = 2;
  options.search_patience = std::chrono::hours(1);
  StartServer(std::move(options));
  const auto stub = Stub();
  OpenSearch first(stub.get());
  OpenSearch second(stub.get());
  pb::SearchEntriesResponse response;
  ASSERT_TRUE(first.reader->Read(&response));
  ASSERT_TRUE(second.reader->Read(&response));
  const grpc::Status refused = OpenSearch(stub.get()).Finish();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  ASSERT_TRUE(details.ParseFromString(refused.error_details()));
  ASSERT_GE(details.details_size(), 1);
  ASSERT_TRUE(details.details(0).UnpackTo(&info));
  EXPECT_EQ(info.domain(), kErrorDomain);
  EXPECT_EQ(info.metadata().at("ldap_result_code"), "11");
  EXPECT_EQ(first.ReadAll(), grpc::StatusCode::OK);
  EXPECT_EQ(second.ReadAll(), grpc::StatusCode::OK);
}

TEST_F(DirectoryServiceTest, CutsAnUnreadSearchOffForAnother) {
  GenerateLongAnswers();
  GrpcServerOptions options = Options();
  options.max_searches = 1;
  options.search_patience = milliseconds(0);
  StartServer(std::move(options));
  const auto stub = Stub();
  OpenSearch unread(stub.get());
  pb::SearchEntriesResponse response;
  ASSERT_TRUE(unread.reader->Read(&response));
  // Until its answer waits for the reader there is nobody to cut off.
  auto code = grpc::StatusCode::RESOURCE_EXHAUSTED;
  const auto give_up = steady_clock::now() + kPatience;
  while (code == grpc::StatusCode::RESOURCE_EXHAUSTED && steady_clock::now() < give_up) {
    code = OpenSearch(stub.get()).ReadAll();
  }
  EXPECT_EQ(code, grpc::StatusCode::OK);
  EXPECT_EQ(unread.ReadAll(), grpc::StatusCode::CANCELLED);
}

TEST_F(DirectoryServiceTest, MessagesAreSmallerWhenManySearchesAreOpen) {
  GenerateLongAnswers();
  StartServer();
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);  // else the client takes megabytes of each unread
  const auto stub = Stub(arguments);
  std::vector<std::unique_ptr<OpenSearch>> open;
  for (int i = 0; i < 128; ++i) open.push_back(std::make_unique<OpenSearch>(stub.get()));
  pb::SearchEntriesResponse response;
  for (const auto& search : open) ASSERT_TRUE(search->reader->Read(&response));
  OpenSearch last(stub.get());
  std::size_t largest = 0;
  while (last.reader->Read(&response)) largest = std::max(largest, response.ByteSizeLong());
  EXPECT_GT(largest, 100u << 10);
  EXPECT_LT(largest, 160u << 10);
  for (const auto& search : open) search->context.TryCancel();
}

TEST_F(DirectoryServiceTest, AConnectionHasABoundedNumberOfCalls) {
  GenerateLongAnswers();
  GrpcServerOptions options = Options();
  options.max_calls_per_connection = 2;
  StartServer(std::move(options));
  const auto stub = Stub();
  pb::SearchEntriesResponse response;
  OpenSearch first(stub.get());
  ASSERT_TRUE(first.reader->Read(&response));
  OpenSearch second(stub.get());
  ASSERT_TRUE(second.reader->Read(&response));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + milliseconds(100));
  const auto third = stub->SearchEntries(&context, pb::SearchEntriesRequest());
  EXPECT_FALSE(third->Read(&response));
  EXPECT_EQ(third->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  first.context.TryCancel();
  EXPECT_EQ(OpenSearch(stub.get()).ReadAll(), grpc::StatusCode::OK);
  second.context.TryCancel();
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
