#include <gmock/gmock.h>

#include <thread>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

constexpr int kMany = 300;

class Many {
 public:
  // `filler_bytes`: how much longer each is made.
  explicit Many(DirectoryClient& admin, std::size_t filler_bytes = 0) {
    const std::string filler(filler_bytes, 'x');
    for (int i = 0; i < kMany; ++i) {
      const Outcome outcome =
          admin.Add("cn=" + std::to_string(i) + ",dc=example,dc=com",
                    {{"objectClass", {"inetOrgPerson"}},
                     {"sn", {"same"}},
                     {"description", {(i % 2 == 0 ? "even" : "odd") + filler}}});
      EXPECT_EQ(outcome.code, ResultCode::kSuccess) << outcome.diagnostic;
    }
  }
};

TEST_P(DirectoryContract, StreamToASlowSinkLosesNothing) {
  Many many(admin());
  auto sink = std::make_shared<CollectingSink>(7);
  RequestContext context{RootSubject()};
  const auto operation = directory().Search(context, MakeSearch(kSuffix, Scope::kOneLevel), sink);
  std::thread reader([&] {
    while (sink->WaitUntilFull()) operation->Resume();
  });
  const Found found = sink->Wait();
  reader.join();
  EXPECT_EQ(found.code(), ResultCode::kSuccess);
  EXPECT_EQ(found.entries.size(), static_cast<std::size_t>(kMany));
}

TEST_P(DirectoryContract, StreamSeesOneSnapshot) {
  Many many(admin());
  auto sink = std::make_shared<CollectingSink>(kMany / 2 + 1);
  RequestContext context{RootSubject()};
  const auto operation =
      directory().Search(context, MakeSearch(kSuffix, Scope::kOneLevel, "(description=*)"), sink);
  ASSERT_TRUE(sink->WaitUntilFull());
  EXPECT_EQ(admin().Delete("cn=" + std::to_string(kMany - 1) + ",dc=example,dc=com").code,
            ResultCode::kSuccess);
  AddPerson("late");
  operation->Resume();
  EXPECT_EQ(sink->Wait().entries.size(), static_cast<std::size_t>(kMany));
}

TEST_P(DirectoryContract, StreamIsCanceledWhilePaused) {
  Many many(admin());
  auto sink = std::make_shared<CollectingSink>(1);
  RequestContext context{RootSubject()};
  const auto operation = directory().Search(context, MakeSearch(kSuffix, Scope::kOneLevel), sink);
  ASSERT_TRUE(sink->WaitUntilFull());
  operation->Cancel();
  EXPECT_EQ(sink->Wait().code(), ResultCode::kCanceled);
  operation->Resume();
  operation->Cancel();
  EXPECT_EQ(sink->entries(), 1u);
}

TEST_P(DirectoryContract, StreamIsCanceledWhileRunning) {
  Many many(admin());
  for (int round = 0; round < 20; ++round) {
    auto sink = std::make_shared<CollectingSink>(10);
    RequestContext context{RootSubject()};
    const auto operation = directory().Search(
        context, MakeSearch(kSuffix, Scope::kSubtree, "(description=odd)"), sink);
    std::thread resumer([&] { operation->Resume(); });
    operation->Cancel();
    resumer.join();
    const ResultCode code = sink->Wait().code();
    EXPECT_TRUE(code == ResultCode::kCanceled || code == ResultCode::kSuccess);
  }
}

TEST_P(DirectoryContract, StreamThatNobodyResumesEnds) {
  DirectorySettings settings;
  settings.engine.max_pause = std::chrono::seconds(1);
  Start(settings);
  Many many(admin());
  auto sink = std::make_shared<CollectingSink>(1);
  RequestContext context{RootSubject()};
  const auto operation = directory().Search(context, MakeSearch(kSuffix, Scope::kOneLevel), sink);
  EXPECT_EQ(sink->Wait().code(), ResultCode::kTimeLimitExceeded);
  operation->Resume();
  EXPECT_EQ(sink->entries(), 1u);
}

TEST_P(DirectoryContract, StreamEndsAtItsDeadlineWhilePaused) {
  Many many(admin());
  auto sink = std::make_shared<CollectingSink>(1);
  RequestContext context{RootSubject()};
  context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  const auto operation = directory().Search(context, MakeSearch(kSuffix, Scope::kOneLevel), sink);
  EXPECT_EQ(sink->Wait().code(), ResultCode::kTimeLimitExceeded);
}

// Octets that no directory sends ahead of a sink that does not take them: a search that is over has
// no limit any more.
constexpr std::size_t kMoreThanAnyWindow = std::size_t{4} << 20;
constexpr std::chrono::seconds kLimit{1};

// Takes nothing more before the limit is over, then all that is still there.
Found TakeLate(CollectingSink& sink, SearchOperation& operation) {
  EXPECT_TRUE(sink.WaitUntilFull());
  std::this_thread::sleep_for(kLimit + std::chrono::milliseconds(100));
  do {
    operation.Resume();
  } while (sink.WaitUntilFull());
  return sink.Wait();
}

TEST_P(DirectoryContract, StreamEndsAtTheTimeLimitOfItsRequest) {
  Many many(admin(), kMoreThanAnyWindow / kMany);
  auto sink = std::make_shared<CollectingSink>(1);
  SearchRequest request = MakeSearch(kSuffix, Scope::kOneLevel);
  request.time_limit = kLimit;
  const auto operation = directory().Search({RootSubject()}, request, sink);
  EXPECT_EQ(TakeLate(*sink, *operation).code(), ResultCode::kTimeLimitExceeded);
}

TEST_P(DirectoryContract, StreamMayAskForAnyTime) {
  AddPerson("p");
  SearchRequest request = MakeSearch(kSuffix, Scope::kOneLevel);
  for (const std::int64_t seconds : {1 << 29, 1 << 30, 0x7fffffff}) {
    request.time_limit = std::chrono::seconds(seconds);
    EXPECT_EQ(admin().Search(request).code(), ResultCode::kSuccess) << seconds;
  }
}

TEST_P(DirectoryContract, StreamOfAUserEndsAtTheServersTimeLimit) {
  DirectorySettings settings;
  settings.engine.max_time_limit = kLimit;
  Start(settings);
  Many many(admin(), kMoreThanAnyWindow / kMany);
  SearchRequest request = MakeSearch(kSuffix, Scope::kOneLevel);
  auto roots = std::make_shared<CollectingSink>(1);
  const auto root_operation = directory().Search({RootSubject()}, request, roots);
  ASSERT_TRUE(roots->WaitUntilFull());
  for (const int asked : {0, 3600}) {
    request.time_limit = std::chrono::seconds(asked);
    auto sink = std::make_shared<CollectingSink>(1);
    const auto operation = directory().Search({SubjectOf("")}, request, sink);
    EXPECT_EQ(TakeLate(*sink, *operation).code(), ResultCode::kTimeLimitExceeded) << asked;
  }
  root_operation->Resume();
  EXPECT_TRUE(roots->WaitUntilFull());
  root_operation->Cancel();
  EXPECT_EQ(roots->Wait().code(), ResultCode::kCanceled);
}

TEST_P(DirectoryContract, StreamsOfManySearchesShareTheThreads) {
  Many many(admin());
  RequestContext context{RootSubject()};
  std::vector<std::shared_ptr<CollectingSink>> paused;
  std::vector<std::shared_ptr<SearchOperation>> operations;
  for (int i = 0; i < 20; ++i) {
    paused.push_back(std::make_shared<CollectingSink>(2));
    operations.push_back(
        directory().Search(context, MakeSearch(kSuffix, Scope::kOneLevel), paused.back()));
  }
  for (const auto& sink : paused) ASSERT_TRUE(sink->WaitUntilFull());
  EXPECT_EQ(admin().Search(kSuffix, Scope::kSubtree, "(description=even)").entries.size(),
            static_cast<std::size_t>(kMany / 2));
  for (const auto& operation : operations) operation->Cancel();
  for (const auto& sink : paused) EXPECT_EQ(sink->Wait().code(), ResultCode::kCanceled);
}

TEST_P(DirectoryContract, StreamCountsItsSizeLimitThroughPauses) {
  Many many(admin());
  SearchRequest request = MakeSearch(kSuffix, Scope::kOneLevel);
  request.size_limit = 100;
  auto sink = std::make_shared<CollectingSink>(9);
  RequestContext context{RootSubject()};
  const auto operation = directory().Search(context, request, sink);
  while (sink->WaitUntilFull()) operation->Resume();
  EXPECT_EQ(sink->Wait().code(), ResultCode::kSizeLimitExceeded);
  EXPECT_EQ(sink->entries(), 100u);
}

TEST_P(DirectoryContract, DirectoryCanEndWithSearchesPaused) {
  Many many(admin());
  auto sink = std::make_shared<CollectingSink>(1);
  RequestContext context{RootSubject()};
  const auto operation = directory().Search(context, MakeSearch(kSuffix, Scope::kOneLevel), sink);
  ASSERT_TRUE(sink->WaitUntilFull());
  Start(DirectorySettings());
  EXPECT_NE(sink->Wait().code(), ResultCode::kSuccess);
  operation->Resume();
}

}  // namespace
}  // namespace twintree::directory
