// What the SQLite store promises of its files: durability, locks, layouts, rebuilt indexes.
#include <sched.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include "storage/sqlite/sqlite_entry_store.h"
#include "tests/contract/entry_store_fixture.h"

namespace twintree::storage {
namespace {

using model::OkStatus;
using model::ResultCode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Pair;

// Runs statements on the database behind the store's back.
void RunSql(const std::string& directory, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((directory + "/twintree.db").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
}

class SqliteStoreFiles : public testing::Test {
 protected:
  Result<std::unique_ptr<EntryStore>> TryOpen() {
    return SqliteEntryStore::Open(options_, TestSchema());
  }
  // A store that only reads, as that of another process.
  std::unique_ptr<EntryStore> OpenReader() const {
    SqliteOptions options = options_;
    options.read_only = true;
    return SqliteEntryStore::Open(options, TestSchema()).value();
  }
  void Open() {
    store_.reset();
    auto store = TryOpen();
    ASSERT_TRUE(store.ok()) << store.error().message;
    store_ = std::move(store).value();
  }
  // A store with a suffix and so many people.
  void Fill(int people) {
    Open();
    suffix_ = Insert(*store_, &Suffix);
    ASSERT_TRUE(
        Write(*store_, [&](WriteTransaction& t) -> Status {
          for (int i = 0; i < people; ++i) {
            const std::string number = std::to_string(i);
            TT_RETURN_IF_ERROR(
                t.Insert(Person(suffix_, "n" + number, {{"sn", {"sn" + number}}})).status());
          }
          return OkStatus();
        }).ok());
  }
  std::unique_ptr<ReadTransaction> Read() { return store_->Read().value(); }
  // Number 0 is the suffix, which gets id 1; the others are below it.
  static NewEntry Numbered(int number) {
    const std::string text = std::to_string(number);
    return number == 0 ? Suffix() : Person(1, "n" + text, {{"sn", {"sn" + text}}});
  }
  void Load(int entries) {
    auto load = store_->StartBulkLoad().value();
    for (int i = 0; i < entries; ++i) ASSERT_TRUE(load->Insert(Numbered(i)).ok());
    const Status status = load->Finish(nullptr);
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  void ExpectLoaded(std::uint64_t entries) {
    EXPECT_EQ(Read()->EstimateEntries().value(), entries);
    EXPECT_EQ(LookUp(*Read(), EqualQuery(*store_, "sn", "sn9")),
              std::vector<EntryId>{Read()->FindChild(1, "cn=n9").value()});
    EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
  }

  TemporaryDirectory directory_;
  std::string data_ = directory_.path() + "/data";
  SqliteOptions options_ = SqliteTestOptions(data_);
  std::unique_ptr<EntryStore> store_;
  EntryId suffix_ = kNoEntry;
};

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

TEST_F(SqliteStoreFiles, AReaderFollowsToALaterStateInAnotherFile) {
  Fill(1);
  store_.reset();
  const auto reader = OpenReader();
  EXPECT_EQ(reader->Read().value()->EstimateEntries().value(), 2U);
  options_.directory = directory_.path() + "/later";
  std::filesystem::create_directory(options_.directory);
  std::filesystem::copy_file(data_ + "/twintree.db", options_.directory + "/twintree.db");
  Open();
  Insert(*store_, [&] { return Person(suffix_, "later"); });
  store_.reset();
  std::filesystem::rename(options_.directory + "/twintree.db", data_ + "/twintree.db");
  EXPECT_EQ(reader->Read().value()->EstimateEntries().value(), 3U);
  EXPECT_EQ(reader->Probe().code(), ResultCode::kSuccess);
}

TEST_F(SqliteStoreFiles, AReaderRefusesAnotherFileThatIsNoLaterState) {
  Fill(1);
  store_.reset();
  const std::string before = directory_.path() + "/before.db";
  std::filesystem::copy_file(data_ + "/twintree.db", before);
  Open();
  Insert(*store_, [&] { return Person(suffix_, "later"); });
  store_.reset();
  const auto reader = OpenReader();
  EXPECT_EQ(reader->Read().value()->EstimateEntries().value(), 3U);
  std::filesystem::rename(before, data_ + "/twintree.db");
  EXPECT_EQ(reader->Read().code(), ResultCode::kUnavailable);
  EXPECT_EQ(reader->Probe().code(), ResultCode::kUnavailable);
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

// Runs `body` in a process that sees `directory` read-only; its exit status, or -1 where that is
// not allowed.
template <typename Body>
int RunOnReadOnlyMount(const std::string& directory, Body body) {
  constexpr int kNotAllowed = 99;
  const pid_t child = fork();
  if (child == 0) {
    const char* const path = directory.c_str();
    const bool mounted =
        (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        mount(path, path, nullptr, MS_BIND, nullptr) == 0 &&
        mount(nullptr, path, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0;
    _exit(mounted ? body() : kNotAllowed);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return status;
  return WEXITSTATUS(status) == kNotAllowed ? -1 : WEXITSTATUS(status);
}

TEST_F(SqliteStoreFiles, ReadsACleanStoreOnAReadOnlyFileSystem) {
  Fill(10);
  store_.reset();
  options_.read_only = true;
  const int status = RunOnReadOnlyMount(data_, [&] {
    auto store = TryOpen();
    if (!store.ok()) return 1;
    auto reader = (*store)->Read();
    if (!reader.ok()) return 2;
    return *(*reader)->EstimateEntries() == 11 ? 0 : 3;
  });
  if (status == -1) GTEST_SKIP() << "mounting is not allowed here";
  EXPECT_EQ(status, 0);
}

TEST_F(SqliteStoreFiles, SaysWhatAnUncleanStoreOnAReadOnlyFileSystemNeeds) {
  Fill(10);  // still open: the log is not empty
  options_.read_only = true;
  const int status = RunOnReadOnlyMount(data_, [&] {
    const auto store = TryOpen();
    if (store.ok()) return 1;
    return store.error().message.find("not closed cleanly") != std::string::npos ? 0 : 2;
  });
  if (status == -1) GTEST_SKIP() << "mounting is not allowed here";
  EXPECT_EQ(status, 0);
}

TEST_F(SqliteStoreFiles, NeedsADirectory) {
  options_.directory.clear();
  EXPECT_EQ(TryOpen().code(), ResultCode::kUnwillingToPerform);
  std::ofstream(directory_.path() + "/file") << "x";
  options_.directory = directory_.path() + "/file/data";
  EXPECT_EQ(TryOpen().code(), ResultCode::kUnavailable);
}

TEST_F(SqliteStoreFiles, BuildsIndexesAnewWhenTheyChange) {
  Fill(500);
  options_.indexes = std::vector<IndexSpec>{{"sn", kEqualityIndex | kPresenceIndex}};
  std::vector<double> parts;
  options_.rebuild_progress = [&](double part) { parts.push_back(part); };
  Open();
  ASSERT_FALSE(parts.empty());
  EXPECT_EQ(parts.back(), 1.0);
  EXPECT_EQ(store_->indexes().attributes().size(), 1U);
  EXPECT_EQ(LookUp(*Read(), EqualQuery(*store_, "sn", "sn499")).size(), 1U);
  EXPECT_EQ(LookUp(*Read(), QueryOn(*store_, "sn", IndexQuery::Kind::kPresent)).size(), 500U);
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
  parts.clear();
  Open();
  EXPECT_THAT(parts, IsEmpty());
}

TEST_F(SqliteStoreFiles, KeepsItsIndexesWhenNoneAreNamed) {
  Fill(1);
  const std::string fingerprint = store_->indexes().Fingerprint();
  options_.indexes.reset();
  Open();
  EXPECT_EQ(store_->indexes().Fingerprint(), fingerprint);
}

TEST_F(SqliteStoreFiles, TellsThatItsIndexesChange) {
  options_.indexes = {{"cn", kEqualityIndex}};
  Open();
  std::vector<std::string> told;
  options_.index_change = [&](const std::string& kept, const std::string& wanted) {
    told = {kept, wanted};
  };
  Open();
  EXPECT_THAT(told, IsEmpty());
  options_.indexes = {{"sn", kEqualityIndex}, {"cn", kPresenceIndex}};
  Open();
  EXPECT_THAT(told, ElementsAre("cn=eq", "cn=pres sn=eq"));
}

TEST_F(SqliteStoreFiles, HasTheDefaultIndexesWhenItIsNew) {
  options_.indexes.reset();
  Open();
  EXPECT_EQ(store_->indexes().Fingerprint(),
            IndexSet::Make(DefaultIndexes(), *TestSchema()).value().Fingerprint());
}

TEST_F(SqliteStoreFiles, BuildsMissingIndexTables) {
  Fill(100);
  store_.reset();
  RunSql(data_, "DROP TABLE term");
  Open();
  EXPECT_EQ(LookUp(*Read(), EqualQuery(*store_, "sn", "sn42")).size(), 1U);
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_F(SqliteStoreFiles, RefusesAnIndexThatTheSchemaDoesNotAllow) {
  options_.indexes = std::vector<IndexSpec>{{"jpegPhoto", kSubstringIndex}};
  EXPECT_EQ(TryOpen().code(), ResultCode::kInappropriateMatching);
}

TEST_F(SqliteStoreFiles, ReadsBesideAWriter) {
  Fill(3);
  const auto reader = OpenReader();
  EXPECT_EQ(reader->Read().value()->EstimateEntries().value(), 4U);
  EXPECT_EQ(reader->Read().value()->FindChild(suffix_, "cn=later").value(), kNoEntry);
  EXPECT_THAT(LookUp(*reader->Read().value(), EqualQuery(*reader, "cn", "later")), IsEmpty());
  const EntryId later = Insert(*store_, [&] { return Person(suffix_, "later"); });
  EXPECT_EQ(reader->Read().value()->FindChild(suffix_, "cn=later").value(), later);
  EXPECT_THAT(LookUp(*reader->Read().value(), EqualQuery(*reader, "cn", "later")),
              ElementsAre(later));
  EXPECT_THAT(ProblemsOf(*reader), IsEmpty());
}

TEST_F(SqliteStoreFiles, WritesNothingWhenReadOnly) {
  Fill(1);
  store_.reset();
  options_.read_only = true;
  Open();
  EXPECT_EQ(Write(*store_, [](WriteTransaction&) { return OkStatus(); }).code(),
            ResultCode::kUnwillingToPerform);
  EXPECT_EQ(store_->StartBulkLoad().code(), ResultCode::kUnwillingToPerform);
  EXPECT_EQ(Read()->EstimateEntries().value(), 2U);
  EXPECT_TRUE(store_->Probe().ok());
}

TEST_F(SqliteStoreFiles, HasNoIndexesForReadingWhenTheyAreOthers) {
  Fill(1);
  options_.read_only = true;
  options_.indexes = std::vector<IndexSpec>{{"sn", kEqualityIndex}};
  auto reader = TryOpen().value();
  std::vector<EntryId> ids;
  EXPECT_EQ(reader->Read().value()->Lookup(EqualQuery(*reader, "sn", "sn0"), 10, &ids).value(),
            LookupState::kNotIndexed);
}

TEST_F(SqliteStoreFiles, ReadingNeedsAStore) {
  options_.read_only = true;
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

// Each is one way in which a database can be wrong, and what the check must say of it.
struct Damage {
  const char* sql;
  const char* expected;
};

class SqliteStoreDamage : public SqliteStoreFiles, public testing::WithParamInterface<Damage> {};

TEST_P(SqliteStoreDamage, IsFound) {
  Fill(20);
  store_.reset();
  RunSql(data_, GetParam().sql);
  Open();
  EXPECT_THAT(ProblemsOf(*store_), testing::Contains(HasSubstr(GetParam().expected)));
}

INSTANTIATE_TEST_SUITE_P(
    Each, SqliteStoreDamage,
    testing::Values(
        Damage{"UPDATE entry SET data=x'ff' WHERE id=5", "entry 5 is damaged"},
        Damage{"UPDATE entry SET parent=777 WHERE id=5", "entry 777, which does not exist"},
        Damage{"UPDATE entry SET parent=6 WHERE id=5; UPDATE entry SET parent=5 WHERE id=6",
               "is below itself"},
        Damage{"DELETE FROM entry WHERE id=5", "entry 5 is wrongly in the equality index of cn"},
        Damage{"DELETE FROM term WHERE key=CAST('n3' AS BLOB)",
               "entry 5 is missing in the equality index of cn"},
        Damage{"UPDATE term SET first=7 WHERE key=CAST('n3' AS BLOB)",
               "entry 7 is wrongly in the equality index of cn"},
        Damage{"UPDATE term SET rest=x'80' WHERE key=CAST('n3' AS BLOB)", "damaged"},
        Damage{"INSERT INTO substring(rowid, text) VALUES(5, 'abc')",
               "entry 5 is wrongly in the substring index"},
        Damage{"INSERT INTO substring(substring) VALUES('delete-all')",
               "entry 5 is missing in the substring index"},
        Damage{"DELETE FROM substring_data WHERE id>10", "malformed"},
        Damage{"UPDATE state SET entries=3", "were counted"},
        Damage{"UPDATE state SET log_records=3", "changes in the log"},
        Damage{"UPDATE state SET last_id=3", "id not given yet"}));

TEST_F(SqliteStoreFiles, RepairsIndexes) {
  Fill(200);
  store_.reset();
  RunSql(data_, "DELETE FROM term WHERE first%3=0");
  Open();
  std::vector<std::string> problems;
  auto report = [&](const StoreProblem& problem) { problems.push_back(problem.what); };
  EXPECT_THAT(LookUp(*Read(), EqualQuery(*store_, "cn", "n1")), IsEmpty());
  ASSERT_TRUE(store_->Check(true, 5, report).ok());
  EXPECT_EQ(problems.size(), 5U);
  EXPECT_THAT(LookUp(*Read(), EqualQuery(*store_, "cn", "n1")), ElementsAre(3U));
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

}  // namespace
}  // namespace twintree::storage
