// What the gateway stream carries, and what becomes of it when an end is lost.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "services/log/log.h"
#include "services/rpc/gateway_limits.h"
#include "services/rpc/remote_directory.h"
#include "tests/unit/services/rpc/gateway_stream_fixture.h"

namespace twintree::rpc {
namespace {

using directory::RequestContext;
using model::ResultCode;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

TEST_F(GatewayStreamTest, CarriesAnOperationAndItsOutcome) {
  directory_->on_delete = [](const RequestContext& context, const directory::DeleteRequest& request,
                             const auto& done) {
    directory::Outcome outcome;
    outcome.code = ResultCode::kNotAllowedOnNonLeaf;
    outcome.diagnostic = context.subject.dn + " deletes " + request.dn;
    outcome.change_number = 42;
    done(outcome);
  };
  StartServer();
  const auto remote = Connect();
  const auto outcome = DeleteAndWait(*remote, "cn=a", {User("cn=me"), {}});
  EXPECT_EQ(outcome.code, ResultCode::kNotAllowedOnNonLeaf);
  EXPECT_EQ(outcome.diagnostic, "cn=me deletes cn=a");
  EXPECT_EQ(outcome.change_number, 42u);
}

TEST_F(GatewayStreamTest, AnOperationUnderWayKeepsNoOtherWaiting) {
  directory_->on_delete = [](const auto&, const directory::DeleteRequest& request,
                             const auto& done) {
    if (request.dn != "cn=slow") done({});
  };
  StartServer();
  const auto remote = Connect();
  for (int i = 0; i < 3; ++i) {
    remote->Delete({}, {"cn=slow", {}}, [](const auto&) {});
    EXPECT_EQ(DeleteAndWait(*remote, "cn=a").code, ResultCode::kSuccess);
  }
}

TEST_F(GatewayStreamTest, TheDirectoryLearnsThatNobodyWaitsForABind) {
  Later<RequestContext> context;
  directory_->on_bind = [context](const RequestContext& its, const auto&, const auto&) mutable {
    context.Set(its);
  };
  AnswerDeletes();
  StartServer();
  const auto remote = Connect();
  const auto interest = std::make_shared<directory::SingleInterest>();
  RequestContext asked;
  asked.interest = interest;
  remote->Bind(asked, {"cn=a", model::Secret("x")}, [](const auto&) {});
  ASSERT_TRUE(context.Get().has_value());
  EXPECT_FALSE(context.Get()->IsUnwanted());
  interest->Lose();
  // What comes behind it on the stream has overtaken nothing; its own message is handled first.
  DeleteAndWait(*remote, "cn=a");
  DeleteAndWait(*remote, "cn=b");
  EXPECT_TRUE(context.Get()->IsUnwanted());
}

TEST_F(GatewayStreamTest, CarriesABind) {
  directory_->on_bind = [](const auto&, const directory::BindRequest& request, const auto& done) {
    const bool right = request.password.Reveal() == "right";
    done({right ? ResultCode::kSuccess : ResultCode::kInvalidCredentials, "", User(request.dn)});
  };
  StartServer();
  const auto remote = Connect();
  for (const std::string password : {"right", "wrong"}) {
    Later<directory::BindOutcome> outcome;
    remote->Bind({}, {"cn=a", model::Secret(password)},
                 [outcome](auto o) mutable { outcome.Set(std::move(o)); });
    EXPECT_EQ(outcome.Get()->code,
              password == "right" ? ResultCode::kSuccess : ResultCode::kInvalidCredentials);
    EXPECT_EQ(outcome.Get()->subject.dn, password == "right" ? "cn=a" : "");
  }
}

TEST_F(GatewayStreamTest, CarriesTheDeadline) {
  Later<milliseconds> left;
  directory_->on_delete = [left](const RequestContext& context, const auto&,
                                 const auto& done) mutable {
    left.Set(std::chrono::duration_cast<milliseconds>(context.deadline - steady_clock::now()));
    done({});
  };
  StartServer();
  const auto remote = Connect();
  DeleteAndWait(*remote, "cn=a", {{}, steady_clock::now() + seconds(100)});
  EXPECT_GT(left.Get()->count(), 30000);
  EXPECT_LE(left.Get()->count(), 100000);
}

TEST_F(GatewayStreamTest, StreamsAHundredThousandEntries) {
  GenerateEntries(100000, OneAttribute("cn", std::string(100, 'x')));
  StartServer();
  const auto remote = Connect();
  const auto sink = std::make_shared<KeepingSink>();
  remote->Search({}, SearchFor("dc=a"), sink);
  const auto outcome = sink->Outcome();
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->code, ResultCode::kSuccess);
  EXPECT_EQ(outcome->entries, 100000u);
  EXPECT_EQ(sink->entries(), 100000u);
  EXPECT_EQ(sink->last_dn(), "cn=99999");
}

TEST_F(GatewayStreamTest, ASlowSinkBoundsWhatTheDirectorySends) {
  const std::string attributes = OneAttribute("cn", std::string(1000, 'x'));
  GenerateEntries(1000000, attributes);
  StartServer();
  const auto remote = Connect();
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = remote->Search({}, SearchFor("dc=a"), sink);
  ASSERT_TRUE(sink->WaitForEntries(1));
  // Another search on the same stream runs to its end meanwhile.
  const auto quick = std::make_shared<KeepingSink>();
  directory_->on_search = nullptr;
  GenerateEntries(1000, attributes);
  remote->Search({}, SearchFor("dc=b"), quick);
  ASSERT_EQ(quick->Outcome()->code, ResultCode::kSuccess);
  EXPECT_EQ(quick->entries(), 1000u);

  EXPECT_EQ(sink->entries(), 1u);
  const std::size_t window = RemoteOptions().search_window_bytes;
  EXPECT_LE(FirstSearch()->sent(), window / attributes.size() + 2);
  search->Cancel();
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kCanceled);
}

TEST_F(GatewayStreamTest, ASlowSinkGetsEverythingInTheEnd) {
  GenerateEntries(3000, OneAttribute("cn", std::string(1000, 'x')));
  StartServer();
  const auto remote = Connect();
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = remote->Search({}, SearchFor("dc=a"), sink);
  for (std::size_t taken = 1; taken < 3000; taken += 100) {
    ASSERT_TRUE(sink->WaitForEntries(taken));
    sink->MakeRoom(100);
    search->Resume();
  }
  EXPECT_EQ(sink->Outcome()->entries, 3000u);
  EXPECT_EQ(sink->entries(), 3000u);
}

TEST_F(GatewayStreamTest, CancelReachesTheDirectory) {
  GenerateEntries(1000000, OneAttribute("cn", std::string(1000, 'x')));
  StartServer();
  const auto remote = Connect();
  const auto sink = std::make_shared<KeepingSink>(1);
  const auto search = remote->Search({}, SearchFor("dc=a"), sink);
  ASSERT_TRUE(sink->WaitForEntries(1));
  search->Cancel();
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kCanceled);
  // The cancellation goes before the delete on the same stream.
  AnswerDeletes();
  DeleteAndWait(*remote, "cn=a");
  EXPECT_TRUE(FirstSearch()->cancelled());
  EXPECT_EQ(sink->endings(), 1);
}

TEST_F(GatewayStreamTest, CarriesFiltersOfDepthAHundredAndMore) {
  std::string text = "(cn=a)";
  for (int depth = 0; depth < 200; ++depth) text = "(!" + text + ")";
  Later<std::string> seen;
  directory_->on_search = [seen](const auto&, const directory::SearchRequest& request,
                                 const auto& sink) mutable {
    seen.Set(request.filter->ToString());
    sink->OnDone({});
    return std::make_shared<GeneratedSearch>(sink, 0, "");
  };
  StartServer();
  const auto remote = Connect();
  auto request = SearchFor("dc=a");
  request.filter = std::make_shared<model::Filter>(*model::Filter::Parse(text));
  const auto sink = std::make_shared<KeepingSink>();
  remote->Search({}, request, sink);
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kSuccess);
  EXPECT_EQ(seen.Get(), text);
}

TEST_F(GatewayStreamTest, CarriesValuesOfFiveMebibytesBothWays) {
  std::string value(5u << 20, '\0');
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<char>(i * 31 >> 3);
  Later<std::string> seen;
  directory_->on_add = [seen](const auto&, const directory::AddRequest& request,
                              const auto& done) mutable {
    seen.Set(request.attributes.at(0).values.at(0));
    done({});
  };
  GenerateEntries(2, OneAttribute("jpegPhoto", value));
  StartServer();
  const auto remote = Connect();
  Later<ResultCode> added;
  remote->Add({}, {"cn=a", {{"jpegPhoto", {value}}}, {}},
              [added](const auto& outcome) mutable { added.Set(outcome.code); });
  EXPECT_EQ(added.Get(), ResultCode::kSuccess);
  EXPECT_TRUE(seen.Get() == value);
  const auto sink = std::make_shared<KeepingSink>();
  remote->Search({}, SearchFor("dc=a"), sink);
  EXPECT_EQ(sink->Outcome()->entries, 2u);
  EXPECT_TRUE(sink->last_attributes() == OneAttribute("jpegPhoto", value));
}

TEST_F(GatewayStreamTest, RefusesWhatIsTooLargeAndGoesOn) {
  AnswerDeletes();
  GenerateEntries(1, OneAttribute("jpegPhoto", std::string(kMaxGatewayItemBytes, 'x')));
  StartServer();
  const auto remote = Connect();
  Later<ResultCode> added;
  remote->Add({}, {"cn=a", {{"x", {std::string(kMaxGatewayItemBytes, 'x')}}}, {}},
              [added](const auto& outcome) mutable { added.Set(outcome.code); });
  EXPECT_EQ(added.Get(), ResultCode::kAdminLimitExceeded);
  const auto sink = std::make_shared<KeepingSink>();
  remote->Search({}, SearchFor("dc=a"), sink);
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kAdminLimitExceeded);
  EXPECT_EQ(sink->entries(), 0u);
  EXPECT_EQ(DeleteAndWait(*remote, "cn=a").code, ResultCode::kSuccess);
}

TEST_F(GatewayStreamTest, ManyThreadsGetTheirOwnAnswers) {
  AnswerDeletes();
  StartServer();
  RemoteDirectoryOptions options = RemoteOptions();
  options.streams = 3;
  const auto remote = Connect(std::move(options));
  ASSERT_TRUE(remote->WaitUntilConnected(kPatience));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 200; ++i) {
        const std::string dn = "cn=" + std::to_string(thread) + "-" + std::to_string(i);
        if (DeleteAndWait(*remote, dn).diagnostic != dn) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(GatewayStreamTest, AWrongTokenIsRefused) {
  StartServer();
  RemoteDirectoryOptions options = RemoteOptions();
  options.token = model::Secret("a secret that both know!");
  const auto remote = Connect(std::move(options));
  EXPECT_EQ(WaitForReason(*remote, "token"),
            "the directory refuses this gateway: its gateway token is wrong");
  const auto outcome = DeleteAndWait(*remote, "cn=a");
  EXPECT_EQ(outcome.code, ResultCode::kUnavailable);
  EXPECT_EQ(outcome.diagnostic, "the directory cannot be reached");
  EXPECT_FALSE(remote->connected());
}

TEST_F(GatewayStreamTest, RefusalsAreLoggedWithThePeerButNotOneByOne) {
  StartServer();
  testing::internal::CaptureStderr();
  for (const char* token : {"wrong", "wrong too"}) {
    RemoteDirectoryOptions options = RemoteOptions();
    options.token = model::Secret(token);
    EXPECT_EQ(WaitForReason(*Connect(std::move(options)), "token"),
              "the directory refuses this gateway: its gateway token is wrong");
  }
  log::Flush();
  const std::string logged = testing::internal::GetCapturedStderr();
  const std::size_t first = logged.find("gateway_refused peer=");
  ASSERT_NE(first, std::string::npos) << logged;
  EXPECT_NE(logged.find("127.0.0.1", first), std::string::npos) << logged;
  EXPECT_NE(logged.find("its gateway token is wrong", first), std::string::npos) << logged;
  EXPECT_EQ(logged.find("gateway_refused", first + 1), std::string::npos) << logged;
}

TEST_F(GatewayStreamTest, WithoutATokenNoGatewayIsServed) {
  GrpcServerOptions server_options = Options();
  server_options.gateway_token = model::Secret();
  StartServer(std::move(server_options));
  RemoteDirectoryOptions options = RemoteOptions();
  options.token = model::Secret();
  const auto remote = Connect(std::move(options));
  const std::string reason = WaitForReason(*remote, "serves none");
  EXPECT_NE(reason.find("refuses this gateway: it serves none"), std::string::npos) << reason;
  EXPECT_FALSE(remote->connected());
}

TEST_F(GatewayStreamTest, WithoutADirectoryAnswersUnavailableAtOnce) {
  RemoteDirectoryOptions options;
  options.target = "127.0.0.1:1";
  const auto remote = Connect(std::move(options));
  const auto begin = steady_clock::now();
  EXPECT_EQ(DeleteAndWait(*remote, "cn=a").code, ResultCode::kUnavailable);
  const auto sink = std::make_shared<KeepingSink>();
  const auto search = remote->Search({}, SearchFor("dc=a"), sink);
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kUnavailable);
  search->Resume();
  search->Cancel();
  EXPECT_EQ(sink->endings(), 1);
  EXPECT_LT(steady_clock::now() - begin, seconds(5));
}

TEST_F(GatewayStreamTest, ABrokenStreamAnswersWhatWasUnderWay) {
  auto arrived = SwallowDeletes();
  GenerateEntries(1000000, OneAttribute("cn", std::string(1000, 'x')));
  StartServer();
  const auto remote = Connect();
  const auto sink = std::make_shared<KeepingSink>(1);
  remote->Search({}, SearchFor("dc=a"), sink);
  Later<ResultCode> deleted;
  remote->Delete({}, {"cn=a", {}},
                 [deleted](const auto& outcome) mutable { deleted.Set(outcome.code); });
  ASSERT_TRUE(arrived.Get().has_value());
  ASSERT_TRUE(sink->WaitForEntries(1));
  server_->Drain(milliseconds(0));
  EXPECT_EQ(deleted.Get(), ResultCode::kUnavailable);
  EXPECT_EQ(sink->Outcome()->code, ResultCode::kUnavailable);
  EXPECT_TRUE(FirstSearch()->cancelled());
}

TEST_F(GatewayStreamTest, ConnectsAgain) {
  AnswerDeletes();
  StartServer();
  std::atomic<int> found{0};
  std::atomic<int> lost{0};
  RemoteDirectoryOptions options = RemoteOptions();
  options.on_change = [&](bool reachable, const std::string&) { ++(reachable ? found : lost); };
  const auto remote = Connect(std::move(options));
  ASSERT_TRUE(remote->WaitUntilConnected(kPatience));
  RestartServer();
  const auto give_up = steady_clock::now() + kPatience;
  while (lost == 0 && steady_clock::now() < give_up) std::this_thread::yield();
  ASSERT_TRUE(remote->WaitUntilConnected(kPatience));
  EXPECT_EQ(DeleteAndWait(*remote, "cn=a").code, ResultCode::kSuccess);
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(found, 2);
}

TEST_F(GatewayStreamTest, LosesNothingWhenStreamsAreRenewed) {
  AnswerDeletes();
  GrpcServerOptions server_options = Options();
  server_options.max_connection_age = milliseconds(300);
  server_options.connection_age_grace = milliseconds(100);  // who stays on a connection is cut off
  StartServer(std::move(server_options));
  std::atomic<int> lost{0};
  RemoteDirectoryOptions options = RemoteOptions();
  options.on_change = [&](bool reachable, const std::string&) { lost += reachable ? 0 : 1; };
  const auto remote = Connect(std::move(options));
  ASSERT_TRUE(remote->WaitUntilConnected(kPatience));
  std::atomic<int> failed{0};
  const auto write = [&, end = steady_clock::now() + milliseconds(3000)] {
    while (steady_clock::now() < end) {
      failed += DeleteAndWait(*remote, "cn=a").code == ResultCode::kSuccess ? 0 : 1;
    }
  };
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) writers.emplace_back(write);
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(lost, 0);
}

TEST_F(GatewayStreamTest, DrainingAnswersWhatIsUnderWay) {
  Later<directory::Directory::Callback> waiting;
  directory_->on_delete = [waiting](const auto&, const auto&, const auto& done) mutable {
    waiting.Set(done);
  };
  StartServer();
  const auto remote = Connect();
  Later<ResultCode> deleted;
  remote->Delete({}, {"cn=a", {}},
                 [deleted](const auto& outcome) mutable { deleted.Set(outcome.code); });
  const auto done = waiting.Get();
  ASSERT_TRUE(done.has_value());
  std::thread drain([this] { server_->Drain(kPatience); });
  (*done)({});
  EXPECT_EQ(deleted.Get(), ResultCode::kSuccess);
  drain.join();
}

TEST_F(GatewayStreamTest, AnOperationWithoutAnswerEndsAfterItsDeadline) {
  auto arrived = SwallowDeletes();
  StartServer();
  const auto remote = Connect();
  const auto begin = steady_clock::now();
  EXPECT_EQ(DeleteAndWait(*remote, "cn=a", {{}, begin + milliseconds(1)}).code,
            ResultCode::kTimeLimitExceeded);
  EXPECT_LT(steady_clock::now() - begin, seconds(10));
}

TEST_F(GatewayStreamTest, EndsEverythingWhenItGoes) {
  auto arrived = SwallowDeletes();
  StartServer();
  auto remote = Connect();
  Later<ResultCode> deleted;
  remote->Delete({}, {"cn=a", {}},
                 [deleted](const auto& outcome) mutable { deleted.Set(outcome.code); });
  ASSERT_TRUE(arrived.Get().has_value());
  remote.reset();
  EXPECT_EQ(deleted.Get(), ResultCode::kUnavailable);
}

TEST_F(GatewayStreamTest, AnswersThatComeTooLateAreDropped) {
  Later<directory::Directory::Callback> waiting;
  directory_->on_delete = [waiting](const auto&, const auto&, const auto& done) mutable {
    waiting.Set(done);
  };
  StartServer();
  auto remote = Connect();
  remote->Delete({}, {"cn=a", {}}, [](const auto&) {});
  const auto done = waiting.Get();
  ASSERT_TRUE(done.has_value());
  remote.reset();
  server_.reset();
  (*done)({});  // nobody is there any more
}

}  // namespace
}  // namespace twintree::rpc
