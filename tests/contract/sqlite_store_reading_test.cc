// Stores that are opened for reading only.
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/contract/sqlite_store_fixture.h"

namespace twintree::storage {
namespace {

using model::OkStatus;
using model::ResultCode;
using testing::ElementsAre;
using testing::IsEmpty;

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

}  // namespace
}  // namespace twintree::storage
