// Searches of clients that do not read, and more of them than the store has snapshots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "services/directory/engine/local_directory.h"
#include "storage/sqlite/sqlite_entry_store.h"
#include "tests/contract/directory_client.h"
#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

constexpr std::string_view kBase = "dc=example,dc=com";
constexpr std::size_t kSnapshots = 16;

class SearchLimitsTest : public testing::Test {
 protected:
  SearchLimitsTest() {
    std::string path = testing::TempDir() + "twintree-limits-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    folder_ = path;
    storage::SqliteOptions options;
    options.directory = folder_.string();
    options.durable = false;
    options.max_snapshots = kSnapshots;
    store_ = storage::SqliteEntryStore::Open(options, model::Schema::Standard()).value();
    executor_ = MakeThreadPool(2, 10000);
    directory_ = LocalDirectory::Make(MakeParts(store_, executor_), MakeOptions()).value();
    Root().Load("dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n");
    for (int i = 0; i < 60; ++i) {
      Root().Load("dn: cn=" + std::to_string(i) +
                  ",dc=example,dc=com\nobjectClass: person\nsn: same\n");
    }
  }
  ~SearchLimitsTest() override {
    for (const auto& operation : operations_) operation->Cancel();
    directory_.reset();
    executor_->Stop();
    store_->Close();
    std::filesystem::remove_all(folder_);
  }

  DirectoryClient Root() { return DirectoryClient(*directory_, RootSubject()); }
  std::shared_ptr<SearchOperation> Start(const std::shared_ptr<CollectingSink>& sink,
                                         std::string_view filter = "(objectClass=*)") {
    operations_.push_back(
        directory_->Search({RootSubject()}, MakeSearch(kBase, Scope::kSubtree, filter), sink));
    return operations_.back();
  }

  std::filesystem::path folder_;
  std::shared_ptr<storage::EntryStore> store_;
  std::shared_ptr<Executor> executor_;
  std::unique_ptr<LocalDirectory> directory_;
  std::vector<std::shared_ptr<SearchOperation>> operations_;
};

TEST_F(SearchLimitsTest, PausedSearchesLeaveSnapshotsToOthers) {
  std::vector<std::shared_ptr<CollectingSink>> stalled;
  for (std::size_t i = 0; i < 3 * kSnapshots; ++i) {
    stalled.push_back(std::make_shared<CollectingSink>(1));
    Start(stalled.back());
    stalled.back()->WaitUntilFull();
  }
  EXPECT_EQ(Root().Search(kBase, Scope::kSubtree, "(cn=7)").entries.size(), 1u);
  EXPECT_EQ(Root().Bind("cn=none,dc=example,dc=com", "x").code, ResultCode::kInvalidCredentials);
  EXPECT_LE(store_->Statistics().open_snapshots, kSnapshots / 2);
  const Found first = stalled.front()->Wait();
  EXPECT_EQ(first.code(), ResultCode::kBusy);
  EXPECT_THAT(first.outcome.diagnostic, testing::HasSubstr("paused"));
  operations_.back()->Cancel();
  EXPECT_EQ(stalled.back()->Wait().code(), ResultCode::kCanceled);
}

TEST_F(SearchLimitsTest, AClientThatReadsOutlivesThoseThatDoNot) {
  auto slow = std::make_shared<CollectingSink>(1);
  const auto operation = Start(slow);
  std::vector<std::shared_ptr<CollectingSink>> stalled;
  while (slow->WaitUntilFull()) {
    stalled.push_back(std::make_shared<CollectingSink>(1));
    Start(stalled.back());
    stalled.back()->WaitUntilFull();
    operation->Resume();
  }
  EXPECT_EQ(slow->Wait().code(), ResultCode::kSuccess);
  EXPECT_EQ(slow->entries(), 61u);
  EXPECT_EQ(stalled.front()->Wait().code(), ResultCode::kBusy);
}

TEST_F(SearchLimitsTest, MoreLongSearchesThanSnapshotsWaitForTheirTurn) {
  std::vector<std::shared_ptr<CollectingSink>> sinks;
  for (std::size_t i = 0; i < 20 * kSnapshots; ++i) {
    sinks.push_back(std::make_shared<CollectingSink>());
    Start(sinks.back(), "(sn=*am*)");
    EXPECT_EQ(Root().Search(kBase, Scope::kSubtree, "(cn=7)").code(), ResultCode::kSuccess);
  }
  for (const auto& sink : sinks) {
    const Found found = sink->Wait();
    EXPECT_EQ(found.code(), ResultCode::kSuccess) << found.outcome.diagnostic;
    EXPECT_EQ(found.entries.size(), 60u);
  }
}

// One that is evaluated for long, or pauses: its client does not read.
TEST_F(SearchLimitsTest, LargeFiltersShareABudget) {
  EngineOptions options = MakeOptions();
  options.max_long_search_bytes = 1;
  const auto directory = LocalDirectory::Make(MakeParts(store_, executor_), options).value();
  std::string large = "(|(cn=*)";
  for (int i = 0; i < 200; ++i) large += "(c=*)";
  large += ")";
  const auto start = [&](std::string_view filter) {
    const auto sink = std::make_shared<CollectingSink>(1);
    operations_.push_back(
        directory->Search({RootSubject()}, MakeSearch(kBase, Scope::kSubtree, filter), sink));
    return sink;
  };
  const auto first = start(large);
  ASSERT_TRUE(first->WaitUntilFull());
  const Found second = start(large)->Wait();
  EXPECT_EQ(second.code(), ResultCode::kBusy);
  EXPECT_THAT(second.outcome.diagnostic, testing::HasSubstr("large filters"));
  EXPECT_TRUE(start("(cn=*)")->WaitUntilFull());
  operations_[0]->Cancel();
  EXPECT_EQ(first->Wait().code(), ResultCode::kCanceled);
  EXPECT_TRUE(start(large)->WaitUntilFull());
  for (const auto& operation : operations_) operation->Cancel();
}

// Normalising the value once for each item takes about a minute.
TEST_F(SearchLimitsTest, TimeIsLookedAtWithinOneEntry) {
  const std::string value = "\xc3\xa9" + std::string(1 << 20, 'v');
  EXPECT_EQ(Root().Modify("cn=7,dc=example,dc=com", {AddValues("description", {value})}).code,
            ResultCode::kSuccess);
  std::string filter = "(|";
  for (int i = 0; i < 5000; ++i) filter += "(description=*" + std::to_string(i) + "*)";
  DirectoryClient root = Root();
  const auto begin = std::chrono::steady_clock::now();
  root.context().deadline = begin + std::chrono::milliseconds(50);
  const Found found = root.Search("cn=7,dc=example,dc=com", Scope::kBase, filter + ")");
  EXPECT_EQ(found.code(), ResultCode::kTimeLimitExceeded);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

}  // namespace
}  // namespace twintree::directory
