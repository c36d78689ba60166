// The public API from a client's side.

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/log/log.h"
#include "services/rpc/directory_client.h"
#include "tests/unit/services/rpc/server_fixture.h"
#include "twintree/directory/v1/directory_service.grpc.pb.h"

namespace twintree::rpc {
namespace {

namespace pb = ::twintree::directory::v1;
using directory::RequestContext;
using model::ResultCode;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

class DirectoryServiceTest : public ServerFixture {
 protected:
  // Searches give `count` entries with `attributes` and keep the request.
  void GenerateEntries(std::size_t count, std::string attributes) {
    directory_->on_search = [this, count, attributes = std::move(attributes)](
                                const auto&, const directory::SearchRequest& request,
                                const auto& sink) {
      asked_.Set(request);
      auto search = std::make_shared<GeneratedSearch>(sink, count, attributes);
      search_.Set(search);
      search->Start();
      return search;
    };
  }
  void EndSearches(directory::SearchOutcome outcome) {
    directory_->on_search = [outcome](const auto&, const auto&, const auto& sink) {
      sink->OnDone(outcome);
      return std::make_shared<GeneratedSearch>(sink, 0, "");
    };
  }
  std::unique_ptr<pb::DirectoryService::Stub> Stub() const {
    return pb::DirectoryService::NewStub(
        grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials()));
  }

  Later<directory::SearchRequest> asked_;
  Later<std::shared_ptr<GeneratedSearch>> search_;
};

TEST_F(DirectoryServiceTest, GetsAnEntryWithItsEtag) {
  std::string attributes = OneAttribute("cn", "a") + OneAttribute("entryCSN", "csn");
  GenerateEntries(1, attributes);
  StartServer();
  const auto entry = Client()->Get("cn=0", {"cn"});
  ASSERT_TRUE(entry.ok()) << entry.error().message;
  EXPECT_EQ(entry->dn, "cn=0");
  EXPECT_EQ(entry->etag, "csn");
  ASSERT_EQ(entry->attributes.size(), 1u);
  EXPECT_EQ(entry->attributes[0].values, std::vector<std::string>{"a"});
  EXPECT_EQ(asked_.Get()->scope, directory::Scope::kBase);
  EXPECT_EQ(asked_.Get()->attributes, (std::vector<std::string>{"cn", "entryCSN"}));
}

TEST_F(DirectoryServiceTest, AMissingEntryIsNotFoundWithItsNearestAncestor) {
  directory::SearchOutcome outcome;
  outcome.code = ResultCode::kNoSuchObject;
  outcome.matched_dn = "dc=example";
  EndSearches(outcome);
  StartServer();
  const auto entry = Client()->Get("cn=a,dc=example", {});
  ASSERT_EQ(entry.code(), ResultCode::kNoSuchObject);
  EXPECT_EQ(entry.error().matched_dn, "dc=example");
}

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
  grpc::StatusCode ReadAll() {
    pb::SearchEntriesResponse response;
    while (reader->Read(&response)) {
    }
    return reader->Finish().error_code();
  }
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReader<pb::SearchEntriesResponse>> reader;
};

TEST_F(DirectoryServiceTest, RefusesASearchBeyondThoseThatAreOpen) {
  GenerateEntries(10000, OneAttribute("cn", std::string(5000, 'x')));  // not read, it waits
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
  EXPECT_EQ(OpenSearch(stub.get()).ReadAll(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(first.ReadAll(), grpc::StatusCode::OK);
  EXPECT_EQ(second.ReadAll(), grpc::StatusCode::OK);
}

TEST_F(DirectoryServiceTest, CutsAnUnreadSearchOffForAnother) {
  GenerateEntries(10000, OneAttribute("cn", std::string(5000, 'x')));  // not read, it waits
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
  GenerateEntries(10000, OneAttribute("cn", std::string(5000, 'x')));  // not read, it waits
  StartServer();
  const auto stub = Stub();
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
  GenerateEntries(10000, OneAttribute("cn", std::string(5000, 'x')));  // not read, it waits
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

TEST_F(DirectoryServiceTest, ABadFilterIsAnInvalidArgument) {
  StartServer();
  ClientQuery query;
  query.filter = "(cn=";
  EXPECT_EQ(Client()->Search(query, [](const auto&) {}).code(), ResultCode::kProtocolError);
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

TEST_F(DirectoryServiceTest, CallersAreAnonymousWithoutMetadata) {
  Later<directory::Subject> subject;
  directory_->on_delete = [subject](const RequestContext& context, const auto&,
                                    const auto& done) mutable {
    subject.Set(context.subject);
    done({});
  };
  StartServer();
  EXPECT_TRUE(Client()->Delete("cn=a").ok());
  EXPECT_TRUE(subject.Get()->anonymous());
}

TEST_F(DirectoryServiceTest, BasicCredentialsMakeTheSubject) {
  directory_->on_bind = [](const auto&, const directory::BindRequest& request, const auto& done) {
    if (request.password.Reveal() == "right") {
      return done({ResultCode::kSuccess, "", User(request.dn)});
    }
    done({ResultCode::kInvalidCredentials, "", {}});
  };
  Later<directory::Subject> subject;
  directory_->on_delete = [subject](const RequestContext& context, const auto&,
                                    const auto& done) mutable {
    subject.Set(context.subject);
    done({});
  };
  StartServer();
  EXPECT_EQ(Client("cn=me", "wrong")->Delete("cn=a").code(), ResultCode::kInvalidCredentials);
  EXPECT_TRUE(Client("cn=me", "right")->Delete("cn=a").ok());
  EXPECT_EQ(subject.Get()->dn, "cn=me");
  EXPECT_EQ(*Client("cn=me", "right")->Authenticate(), "cn=me");
  EXPECT_EQ(Client("cn=me", "wrong")->Authenticate().code(), ResultCode::kInvalidCredentials);
}

TEST_F(DirectoryServiceTest, ATokenMakesTheSubject) {
  directory_->on_bind = [](const auto&, const directory::BindRequest& request, const auto& done) {
    done({ResultCode::kSuccess, "", User(request.dn)});
  };
  Later<directory::Subject> subject;
  directory_->on_delete = [subject](const RequestContext& context, const auto&,
                                    const auto& done) mutable {
    subject.Set(context.subject);
    done({});
  };
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
  EXPECT_EQ(subject.Get()->dn, "cn=me");
  EXPECT_GT(session.expire_time().seconds(), time(nullptr));
}

TEST_F(DirectoryServiceTest, TheDeadlineReachesTheDirectory) {
  Later<steady_clock::time_point> deadline;
  directory_->on_delete = [deadline](const RequestContext& context, const auto&,
                                     const auto& done) mutable {
    deadline.Set(context.deadline);
    done({});
  };
  StartServer();
  EXPECT_TRUE(Client()->Delete("cn=a").ok());
  EXPECT_LT(*deadline.Get(), steady_clock::now() + kPatience + milliseconds(1000));
  EXPECT_GT(*deadline.Get(), steady_clock::now());
}

TEST_F(DirectoryServiceTest, ComparesAsAnAnswer) {
  directory_->on_compare = [](const auto&, const directory::CompareRequest& request,
                              const auto& done) {
    directory::Outcome outcome;
    outcome.code = request.value == "yes"  ? ResultCode::kCompareTrue
                   : request.value == "no" ? ResultCode::kCompareFalse
                                           : ResultCode::kNoSuchAttribute;
    done(outcome);
  };
  StartServer();
  EXPECT_EQ(*Client()->Compare("cn=a", "x", "yes"), true);
  EXPECT_EQ(*Client()->Compare("cn=a", "x", "no"), false);
  EXPECT_EQ(Client()->Compare("cn=a", "x", "?").code(), ResultCode::kNoSuchAttribute);
}

TEST_F(DirectoryServiceTest, CreateReturnsTheEntryAfterwards) {
  directory_->on_add = [](const auto&, const directory::AddRequest& request, const auto& done) {
    EXPECT_EQ(request.attributes.at(0).values, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(request.controls.post_read->attributes, (std::vector<std::string>{"cn", "entryCSN"}));
    directory::Outcome outcome;
    outcome.change_number = 5;
    outcome.post_read = {request.dn, OneAttribute("cn", "a") + OneAttribute("entryCSN", "csn")};
    done(outcome);
  };
  StartServer();
  pb::CreateEntryRequest request;
  request.mutable_entry()->set_dn("cn=a");
  auto* attribute = request.mutable_entry()->add_attributes();
  attribute->set_name("cn");
  attribute->add_values("a");
  attribute->add_values("b");
  request.add_return_attributes("cn");
  grpc::ClientContext context;
  pb::CreateEntryResponse response;
  ASSERT_TRUE(Stub()->CreateEntry(&context, request, &response).ok());
  EXPECT_EQ(response.change_number(), 5u);
  EXPECT_EQ(response.entry().dn(), "cn=a");
  EXPECT_EQ(response.entry().etag(), "csn");
  EXPECT_EQ(response.entry().attributes_size(), 1);
}

TEST_F(DirectoryServiceTest, AStaleEtagAborts) {
  directory_->on_modify = [](const auto&, const directory::ModifyRequest& request,
                             const auto& done) {
    directory::Outcome outcome;
    if (request.controls.assertion->value != "now") outcome.code = ResultCode::kAssertionFailed;
    done(outcome);
  };
  StartServer();
  const auto stub = Stub();
  pb::ModifyEntryRequest request;
  pb::ModifyEntryResponse response;
  for (const std::string etag : {"before", "now"}) {
    grpc::ClientContext context;
    request.set_etag(etag);
    EXPECT_EQ(stub->ModifyEntry(&context, request, &response).error_code(),
              etag == "now" ? grpc::StatusCode::OK : grpc::StatusCode::ABORTED);
  }
}

TEST_F(DirectoryServiceTest, AStaleEtagIsNamed) {
  directory_->on_delete = [](const auto&, const auto&, const auto& done) {
    done(directory::OutcomeOf({ResultCode::kAssertionFailed, "the assertion is not true", ""}));
  };
  StartServer();
  pb::DeleteEntryRequest request;
  request.set_etag("before");
  pb::DeleteEntryResponse response;
  grpc::ClientContext context;
  EXPECT_EQ(Stub()->DeleteEntry(&context, request, &response).error_message(),
            "the entry's etag is not \"before\" (any more)");
}

// The fields that a BadRequest blames, with their descriptions.
std::string Blamed(const grpc::Status& status) {
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  google::rpc::Status details;
  EXPECT_TRUE(details.ParseFromString(status.error_details()));
  google::rpc::BadRequest bad;
  for (const auto& detail : details.details()) detail.UnpackTo(&bad);
  return bad.field_violations_size() == 1 ? bad.field_violations(0).field() : "";
}

TEST_F(DirectoryServiceTest, AuthenticateNeedsBothFields) {
  StartServer();
  const auto stub = Stub();
  pb::AuthenticateResponse response;
  pb::AuthenticateRequest request;
  grpc::ClientContext first;
  EXPECT_EQ(Blamed(stub->Authenticate(&first, request, &response)), "dn");
  request.set_dn("cn=a");
  grpc::ClientContext second;
  EXPECT_EQ(Blamed(stub->Authenticate(&second, request, &response)), "password");
}

TEST_F(DirectoryServiceTest, NegativeLimitsAreInvalid) {
  GenerateEntries(1, OneAttribute("cn", "a"));
  StartServer();
  const auto stub = Stub();
  const auto blamed = [&](const pb::SearchEntriesRequest& request) {
    grpc::ClientContext context;
    const auto reader = stub->SearchEntries(&context, request);
    pb::SearchEntriesResponse response;
    while (reader->Read(&response)) {
    }
    return Blamed(reader->Finish());
  };
  pb::SearchEntriesRequest seconds;
  seconds.mutable_time_limit()->set_seconds(-1);
  EXPECT_EQ(blamed(seconds), "time_limit");
  pb::SearchEntriesRequest nanos;
  nanos.mutable_time_limit()->set_nanos(-1);
  EXPECT_EQ(blamed(nanos), "time_limit");
  pb::SearchEntriesRequest size;
  size.set_size_limit(static_cast<std::uint32_t>(-1));
  EXPECT_EQ(blamed(size), "size_limit");
}

TEST_F(DirectoryServiceTest, ABodyThatIsNoMessageIsAnsweredByGrpc) {
  StartServer();
  grpc::GenericStub stub(
      grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials()));
  grpc::Slice octets("\xff\xff\xff");
  grpc::ByteBuffer request(&octets, 1);
  grpc::ByteBuffer response;
  grpc::ClientContext context;
  Later<grpc::Status> status;
  stub.UnaryCall(&context, "/twintree.directory.v1.DirectoryService/DeleteEntry",
                 grpc::StubOptions(), &request, &response,
                 [status](grpc::Status s) mutable { status.Set(std::move(s)); });
  EXPECT_EQ(status.Get()->error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

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
  ExpectAll(log,
            {"info operation protocol=grpc peer=", "127.0.0.1", "subject=\"cn=me\"",
             "kind=search rpc=SearchEntries", "dn=\"dc=x\"", "scope=sub",
             "(&(cn=a)(userPassword=<hidden>))", "result=0 status=OK", "entries=3", "duration="});
  EXPECT_EQ(log.find("geheim"), std::string::npos) << log;
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

TEST_F(DirectoryServiceTest, EveryClientCallReachesItsOperation) {
  directory_->on_add = [](const auto&, const auto& request, const auto& done) {
    directory::Outcome outcome;
    outcome.change_number = request.attributes.size();
    done(outcome);
  };
  directory_->on_modify = [](const auto&, const auto& request, const auto& done) {
    directory::Outcome outcome;
    outcome.change_number = static_cast<std::uint64_t>(request.modifications.at(0).kind);
    done(outcome);
  };
  directory_->on_modify_dn = [](const auto&, const auto& request, const auto& done) {
    directory::Outcome outcome;
    outcome.change_number = request.new_superior == "dc=b" && !request.delete_old_rdn ? 8 : 0;
    done(outcome);
  };
  directory_->on_modify_password = [](const auto&, const auto& request, const auto& done) {
    directory::Outcome outcome;
    if (!request.new_password) outcome.generated_password = model::Secret("made up");
    done(outcome);
  };
  StartServer();
  const auto client = Client();
  EXPECT_EQ(*client->Add("cn=a", {{"cn", {"a"}}, {"sn", {"b"}}}), 2u);
  EXPECT_EQ(*client->Modify("cn=a", {{model::ModificationKind::kIncrement, {"x", {"1"}}}}), 3u);
  EXPECT_EQ(*client->Rename({"cn=a", "cn=b", false, "dc=b", {}}), 8u);
  EXPECT_EQ(client->ChangePassword({"cn=a", {}, {}})->Reveal(), "made up");
  EXPECT_TRUE(client->ChangePassword({"cn=a", {}, model::Secret("x")})->empty());
}

TEST_F(DirectoryServiceTest, AnUnreachableServerIsUnavailable) {
  DirectoryClientOptions options;
  options.target = "127.0.0.1:1";
  const auto client = std::move(DirectoryClient::Make(std::move(options))).value();
  EXPECT_EQ(client->Delete("cn=a").code(), ResultCode::kUnavailable);
}

TEST_F(DirectoryServiceTest, ErrorsCarryDetailsInTheTrailer) {
  StartServer();
  grpc::ClientContext context;
  pb::DeleteEntryRequest request;
  request.set_dn("cn=a");
  pb::DeleteEntryResponse response;
  const grpc::Status status = Stub()->DeleteEntry(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  google::rpc::Status details;
  ASSERT_TRUE(details.ParseFromString(status.error_details()));
  ASSERT_EQ(details.details_size(), 2);
  google::rpc::ErrorInfo info;
  ASSERT_TRUE(details.details(0).UnpackTo(&info));
  EXPECT_EQ(info.reason(), "UNWILLING");
  EXPECT_EQ(info.metadata().at("ldap_result_code"), "53");
  EXPECT_EQ(info.metadata().at("ldap_result_name"), "unwillingToPerform");
}

}  // namespace
}  // namespace twintree::rpc
