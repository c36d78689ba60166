// Bulk loads of the SQLite store, of which the first makes a new file.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/contract/sqlite_store_fixture.h"

namespace twintree::storage {
namespace {

using model::ResultCode;
using testing::IsEmpty;

TEST_F(SqliteStoreFiles, ForgetsALoadThatIsKilled) {
  Fill(1);
  store_.reset();
  const pid_t child = fork();
  if (child == 0) {
    auto store = TryOpen();
    if (!store.ok()) _exit(1);
    auto load = (*store)->StartBulkLoad();
    if (!load.ok()) _exit(1);
    for (int i = 0; i < 5000; ++i) {
      if (!(*load)->Insert(Person(1, "k" + std::to_string(i))).ok()) _exit(1);
    }
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  Open();
  EXPECT_EQ(Read()->EstimateEntries().value(), 2U);
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_F(SqliteStoreFiles, ForgetsAFirstLoadThatIsKilled) {
  const pid_t child = fork();
  if (child == 0) {
    auto store = TryOpen();
    if (!store.ok()) _exit(1);
    auto load = (*store)->StartBulkLoad();
    if (!load.ok()) _exit(1);
    for (int i = 0; i < 5000; ++i) {
      if (!(*load)->Insert(Numbered(i)).ok()) _exit(1);
    }
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(std::filesystem::exists(data_ + "/twintree.db.new"));
  Open();
  EXPECT_FALSE(std::filesystem::exists(data_ + "/twintree.db.new"));
  EXPECT_EQ(Read()->EstimateEntries().value(), 0U);
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
  Load(10);
  ExpectLoaded(10);
}

TEST_F(SqliteStoreFiles, AFirstLoadKeepsSettingsAndVersions) {
  Open();
  ASSERT_TRUE(
      Write(*store_, [](WriteTransaction& t) { return t.PutSetting("name", "value"); }).ok());
  const ChangeNumber version = Read()->version();
  Load(3000);
  EXPECT_GT(Read()->version(), version);
  EXPECT_EQ(Read()->GetSetting("name").value(), "value");
  ExpectLoaded(3000);
  EXPECT_TRUE(store_->Probe().ok());
  const EntryId later = Insert(*store_, [] { return Person(1, "later"); });
  Open();
  EXPECT_EQ(Read()->FindChild(1, "cn=later").value(), later);
  ExpectLoaded(3001);
}

TEST_F(SqliteStoreFiles, AFirstLoadThatIsGivenUpLeavesTheStoreAsItWas) {
  Open();
  {
    auto load = store_->StartBulkLoad().value();
    ASSERT_TRUE(load->Insert(Numbered(0)).ok());
  }
  EXPECT_FALSE(std::filesystem::exists(data_ + "/twintree.db.new"));
  EXPECT_EQ(Read()->EstimateEntries().value(), 0U);
  Load(10);
  ExpectLoaded(10);
}

TEST_F(SqliteStoreFiles, AFirstLoadKeepsTheModeOfTheFile) {
  Open();
  const std::string path = data_ + "/twintree.db";
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  Load(10);
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
  ExpectLoaded(10);
}

TEST_F(SqliteStoreFiles, AFirstLoadFollowsALinkToTheFile) {
  Open();
  store_.reset();
  const std::string path = data_ + "/twintree.db";
  std::filesystem::rename(path, directory_.path() + "/elsewhere.db");
  std::filesystem::create_symlink(directory_.path() + "/elsewhere.db", path);
  Open();
  Load(10);
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  ExpectLoaded(10);
}

TEST_F(SqliteStoreFiles, SnapshotsOutliveAFirstLoad) {
  Open();
  auto snapshot = Read();
  Load(100);
  EXPECT_EQ(snapshot->EstimateEntries().value(), 0U);
  EXPECT_EQ(snapshot->FindChild(kNoEntry, "dc=example,dc=com").value(), kNoEntry);
  ExpectLoaded(100);
  EXPECT_TRUE(store_->Probe().ok());
}

TEST_F(SqliteStoreFiles, OtherProcessesSeeAFirstLoad) {
  Open();
  const auto other = OpenReader();
  EXPECT_EQ(other->Read().value()->EstimateEntries().value(), 0U);
  Load(100);
  EXPECT_EQ(other->Read().value()->EstimateEntries().value(), 100U);
  EXPECT_TRUE(other->Probe().ok());
}

// It has no file open when the load puts its own in the place of the store's.
TEST_F(SqliteStoreFiles, OtherProcessesThatHaveNotReadYetSeeAFirstLoad) {
  Open();
  const auto other = OpenReader();
  Load(100);
  EXPECT_EQ(other->Probe().code(), ResultCode::kSuccess);
  EXPECT_EQ(other->Read().value()->EstimateEntries().value(), 100U);
  EXPECT_EQ(other->Probe().code(), ResultCode::kSuccess);
}

TEST_F(SqliteStoreFiles, AFirstLoadGoesOnAfterANameThatIsTaken) {
  Open();
  auto load = store_->StartBulkLoad().value();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(load->Insert(Numbered(i)).ok());
  EXPECT_EQ(load->Insert(Numbered(7)).code(), ResultCode::kEntryAlreadyExists);
  for (int i = 100; i < 200; ++i) ASSERT_TRUE(load->Insert(Numbered(i)).ok());
  ASSERT_TRUE(load->Finish(nullptr).ok());
  load.reset();
  ExpectLoaded(200);
}

// Readers that come and go while the file is replaced see either all of it or nothing.
TEST_F(SqliteStoreFiles, ReadersPassAFirstLoad) {
  Open();
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop.load()) {
        auto transaction = store_->Read();
        ASSERT_TRUE(transaction.ok()) << transaction.error().message;
        const std::uint64_t entries = (*transaction)->EstimateEntries().value();
        EXPECT_TRUE(entries == 0 || entries == 500) << entries;
      }
    });
  }
  Load(500);
  stop = true;
  for (std::thread& reader : readers) reader.join();
  ExpectLoaded(500);
}

TEST_F(SqliteStoreFiles, KeepsOthersOutUntilALoadEnds) {
  Fill(1);
  auto load = store_->StartBulkLoad().value();
  store_.reset();
  EXPECT_EQ(TryOpen().code(), ResultCode::kBusy);
  ASSERT_TRUE(load->Insert(Person(suffix_, "late")).ok());
  ASSERT_TRUE(load->Finish(nullptr).ok());
  load.reset();
  Open();
  EXPECT_NE(Read()->FindChild(suffix_, "cn=late").value(), kNoEntry);
}

}  // namespace
}  // namespace twintree::storage
