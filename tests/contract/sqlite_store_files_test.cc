// What the SQLite store promises of its files: durability, locks, modes, layouts.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/contract/sqlite_store_fixture.h"

namespace twintree::storage {
namespace {

using model::ResultCode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Pair;

TEST_F(SqliteStoreFiles, MakesADirectoryForItsOwnerOnly) {
  Open();
  struct stat status {};
  ASSERT_EQ(stat(data_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
}

// Modes of the store's files, by name.
std::map<std::string, unsigned> Modes(const std::string& directory) {
  std::map<std::string, unsigned> modes;
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    modes[file.path().filename()] = static_cast<unsigned>(file.status().permissions());
  }
  return modes;
}

TEST_F(SqliteStoreFiles, AreForTheirOwnerOnlyInADirectoryOfEverybody) {
  std::filesystem::create_directory(data_);
  ASSERT_EQ(chmod(data_.c_str(), 0755), 0);
  const mode_t umask_as_found = umask(0);
  Fill(1);
  umask(umask_as_found);
  EXPECT_THAT(Modes(data_),
              ElementsAre(Pair("twintree.db", 0600U), Pair("twintree.db-shm", 0600U),
                          Pair("twintree.db-wal", 0600U), Pair("twintree.lock", 0600U)));
}

TEST_F(SqliteStoreFiles, AreTakenAwayFromOthersWhenTheyExist) {
  Fill(1);
  store_.reset();
  ASSERT_EQ(chmod((data_ + "/twintree.db").c_str(), 0644), 0);
  ASSERT_EQ(chmod((data_ + "/twintree.lock").c_str(), 0666), 0);
  Open();
  EXPECT_THAT(Modes(data_),
              IsSupersetOf({Pair("twintree.db", 0640U), Pair("twintree.lock", 0660U)}));
}

// Room that the old state leaves is not written again.
TEST_F(SqliteStoreFiles, WritesAChangedLargeEntryOnce) {
  Open();
  suffix_ = Insert(*store_, &Suffix);
  constexpr std::size_t kSize = 2 << 20;
  const EntryId id = Insert(*store_, [&] {
    return Person(suffix_, "large", {{"description", {std::string(kSize, 'a')}}});
  });
  const auto replace = [&](std::size_t size) {
    const Values values = {{"description", {std::string(size, 'b')}}};
    ASSERT_TRUE(
        Write(*store_, [&](WriteTransaction& t) { return t.Replace(id, MakeEntry(values)); }).ok());
  };
  replace(kSize + 1000);
  const std::uint64_t before = store_->Statistics().wal_bytes;
  replace(kSize + 2000);
  const std::uint64_t written = store_->Statistics().wal_bytes - before;
  EXPECT_GT(written, kSize);
  EXPECT_LT(written, kSize / 2 * 3);
}

TEST_F(SqliteStoreFiles, MakesADirectoryThatIsNamedWithoutASlash) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(directory_.path());
  options_.directory = "data";
  Open();
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::exists(data_ + "/twintree.db"));
}

TEST_F(SqliteStoreFiles, KeepsEverythingAcrossOpening) {
  Fill(10);
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) -> Status {
                TT_RETURN_IF_ERROR(t.PutSetting("name", "value"));
                return t.AppendChange({});
              }).ok());
  const ChangeNumber version = Read()->version();
  Open();
  EXPECT_EQ(Read()->version(), version);
  EXPECT_EQ(Read()->EstimateEntries().value(), 11U);
  EXPECT_EQ(Read()->GetSetting("name").value(), "value");
  EXPECT_EQ(LookUp(*Read(), EqualQuery(*store_, "sn", "sn3")).size(), 1U);
  std::vector<Change> changes;
  ASSERT_TRUE(Read()->ReadChanges(version - 1, 10, &changes).ok());
  EXPECT_EQ(changes.size(), 1U);
}

// A child process writes and tells of each write that was answered, then dies without a warning.
TEST_F(SqliteStoreFiles, KeepsAnsweredWritesWhenTheProcessIsKilled) {
  Fill(1);
  store_.reset();
  int fds[2];
  ASSERT_EQ(pipe(fds), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto store = TryOpen();
    for (int i = 0; store.ok() && i < 1000; ++i) {
      Insert(**store, [&] { return Person(1, "k" + std::to_string(i)); });
      if (write(fds[1], &i, sizeof i) != sizeof i) break;
    }
    _exit(0);
  }
  int answered = 0;
  while (answered < 50 && read(fds[0], &answered, sizeof answered) == sizeof answered) {
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(fds[1]);
  while (read(fds[0], &answered, sizeof answered) == sizeof answered) {
  }
  close(fds[0]);
  Open();
  for (int i = 0; i <= answered; ++i) {
    const std::string name = "k" + std::to_string(i);
    const EntryId id = Read()->FindChild(1, "cn=" + name).value();
    ASSERT_NE(id, kNoEntry) << name;
    EXPECT_THAT(LookUp(*Read(), EqualQuery(*store_, "cn", name)), ElementsAre(id));
  }
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_F(SqliteStoreFiles, RefusesASecondWriter) {
  Open();
  auto second = TryOpen();
  ASSERT_EQ(second.code(), ResultCode::kBusy);
  EXPECT_THAT(second.error().message, HasSubstr(std::to_string(getpid())));
  store_.reset();
  EXPECT_TRUE(TryOpen().ok());
}

TEST_F(SqliteStoreFiles, CanBeOpenedAgainAfterClose) {
  Fill(1);
  auto snapshot = Read();
  store_->Close();
  EXPECT_TRUE(TryOpen().ok());
}

TEST_F(SqliteStoreFiles, LeavesOneFileWhenItIsClosed) {
  Fill(10);
  store_.reset();
  EXPECT_FALSE(std::filesystem::exists(data_ + "/twintree.db-wal"));
}

TEST_F(SqliteStoreFiles, IgnoresAStaleLockFile) {
  std::filesystem::create_directory(data_);
  std::ofstream(data_ + "/twintree.lock") << "12345\n";
  Open();
  EXPECT_TRUE(store_->Probe().ok());
}

TEST_F(SqliteStoreFiles, RefusesANewerLayout) {
  Open();
  store_.reset();
  RunSql(data_, "PRAGMA user_version=99");
  auto store = TryOpen();
  ASSERT_EQ(store.code(), ResultCode::kUnwillingToPerform);
  EXPECT_THAT(store.error().message, HasSubstr("99"));
}

TEST_F(SqliteStoreFiles, RefusesAnotherProgramsDatabase) {
  std::filesystem::create_directory(data_);
  RunSql(data_, "CREATE TABLE something(x)");
  EXPECT_EQ(TryOpen().code(), ResultCode::kUnwillingToPerform);
}

TEST_F(SqliteStoreFiles, RefusesAFileThatIsNoDatabase) {
  std::filesystem::create_directory(data_);
  std::ofstream(data_ + "/twintree.db") << std::string(5000, 'x');
  EXPECT_EQ(TryOpen().code(), ResultCode::kOther);
}

TEST_F(SqliteStoreFiles, AnEmptyFileIsNoNewStore) {
  std::filesystem::create_directory(data_);
  std::ofstream(data_ + "/twintree.db").flush();
  for (const bool read_only : {false, true}) {
    options_.read_only = read_only;
    const auto store = TryOpen();
    ASSERT_EQ(store.code(), ResultCode::kUnwillingToPerform);
    EXPECT_THAT(store.error().message, HasSubstr("twintree.db is empty"));
  }
  EXPECT_EQ(std::filesystem::file_size(data_ + "/twintree.db"), 0U);
}

TEST_F(SqliteStoreFiles, BeginsAnewWhatWasNeverCompleted) {
  std::filesystem::create_directory(data_);
  std::ofstream(data_ + "/twintree.db.new") << "half";
  std::ofstream(data_ + "/twintree.db.new-wal") << "done";
  Open();
  EXPECT_TRUE(store_->Probe().ok());
  EXPECT_FALSE(std::filesystem::exists(data_ + "/twintree.db.new"));
}

TEST_F(SqliteStoreFiles, NeedsADirectory) {
  options_.directory.clear();
  EXPECT_EQ(TryOpen().code(), ResultCode::kUnwillingToPerform);
  std::ofstream(directory_.path() + "/file") << "x";
  options_.directory = directory_.path() + "/file/data";
  EXPECT_EQ(TryOpen().code(), ResultCode::kUnavailable);
}

TEST_F(SqliteStoreFiles, KeepsItsLogShort) {
  Fill(0);
  for (int i = 0; i < 100; ++i) {
    Insert(*store_, [&] {
      return Person(suffix_, "n" + std::to_string(i), {{"jpegPhoto", {std::string(400'000, 'x')}}});
    });
    Read();  // leaves an idle snapshot
  }
  EXPECT_LT(store_->Statistics().wal_bytes, 24U << 20);
}

// A full disk, as far as this process is concerned.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    old_handler_ = signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit before_{};
  void (*old_handler_)(int) = nullptr;
};

TEST_F(SqliteStoreFiles, GoesOnAfterAFullDisk) {
  Fill(100);
  const ChangeNumber version = Read()->version();
  auto add = [&](const char* name) {
    return Write(*store_, [&](WriteTransaction& t) {
      return t.Insert(Person(suffix_, name, {{"jpegPhoto", {std::string(900'000, 'x')}}})).status();
    });
  };
  {
    FileSizeLimit full(store_->Statistics().wal_bytes + 100'000);
    EXPECT_EQ(add("lost").code(), ResultCode::kUnavailable);
    EXPECT_EQ(add("lost").code(), ResultCode::kUnavailable);
    EXPECT_EQ(Read()->version(), version);
    EXPECT_EQ(Read()->FindChild(suffix_, "cn=lost").value(), kNoEntry);
    EXPECT_EQ(LookUp(*Read(), EqualQuery(*store_, "sn", "sn7")).size(), 1U);
  }
  EXPECT_TRUE(add("kept").ok());
  EXPECT_GT(Read()->version(), version);
  EXPECT_EQ(Read()->FindChild(suffix_, "cn=lost").value(), kNoEntry);
  EXPECT_NE(Read()->FindChild(suffix_, "cn=kept").value(), kNoEntry);
  EXPECT_EQ(store_->Statistics().failed_commits, 2U);
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_F(SqliteStoreFiles, IsNotReadyWhileTheDiskIsFull) {
  Fill(1);
  {
    FileSizeLimit full(store_->Statistics().wal_bytes);
    EXPECT_EQ(Write(*store_,
                    [&](WriteTransaction& t) { return t.Insert(Person(suffix_, "lost")).status(); })
                  .code(),
              ResultCode::kUnavailable);
    EXPECT_EQ(store_->Probe().code(), ResultCode::kUnavailable);
  }
  EXPECT_TRUE(store_->Probe().ok());
}

TEST_F(SqliteStoreFiles, LimitsOpenSnapshots) {
  options_.max_snapshots = 3;
  options_.readers = 2;
  Open();
  std::vector<std::unique_ptr<ReadTransaction>> open;
  for (int i = 0; i < 3; ++i) open.push_back(Read());
  EXPECT_EQ(store_->Read().code(), ResultCode::kBusy);
  open.pop_back();
  EXPECT_TRUE(store_->Read().ok());
}

}  // namespace
}  // namespace twintree::storage
