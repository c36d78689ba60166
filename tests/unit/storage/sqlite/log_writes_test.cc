#include "storage/sqlite/log_writes.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "storage/sqlite/connection.h"

namespace twintree::storage::sqlite {
namespace {

class LogWritesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = testing::TempDir() + "twintree-log-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    writer_ = Open(Connection::Access::kCreate);
    ASSERT_TRUE(writer_->Execute("CREATE TABLE t(id INTEGER PRIMARY KEY, data BLOB)").ok());
    reader_ = Open(Connection::Access::kQueryOnly);
  }
  void TearDown() override {
    reader_.reset();
    writer_.reset();
    std::filesystem::remove_all(folder_);
  }

  std::unique_ptr<Connection> Open(Connection::Access access) {
    Connection::Settings settings;
    settings.cache_bytes = 64 << 10;  // so that a large transaction is written before it ends
    return Connection::Open(folder_ + "/db", access, settings).value();
  }
  // Rows of a page each.
  void Insert(int first, int count) {
    ASSERT_TRUE(writer_
                    ->Execute("WITH RECURSIVE n(i) AS (VALUES(" + std::to_string(first) +
                              ") UNION ALL SELECT i+1 FROM n "
                              "WHERE i<" +
                              std::to_string(first + count - 1) +
                              ") INSERT INTO t SELECT i, zeroblob(3900) FROM n")
                    .ok());
  }
  static std::int64_t Count(Connection& connection) {
    return connection.QueryInt("SELECT count(*) FROM t WHERE length(data)=3900").value();
  }
  static std::int64_t SystemWrites() {
    std::ifstream io("/proc/self/io");
    std::string name;
    std::int64_t value = 0;
    while (io >> name >> value) {
      if (name == "syscw:") return value;
    }
    return -1;
  }

  std::string folder_;
  std::unique_ptr<Connection> writer_;
  std::unique_ptr<Connection> reader_;
};

TEST_F(LogWritesTest, ACommitOfManyPagesIsFewWrites) {
  Insert(1, 5);
  const std::int64_t before = SystemWrites();
  ASSERT_GE(before, 0);
  Insert(6, 10);
  EXPECT_LE(SystemWrites() - before, 3);
  EXPECT_EQ(Count(*reader_), 15);
}

// Longer than what is gathered, and than the writer's cache: its own pages are read back.
TEST_F(LogWritesTest, ReadersSeeALargeCommitAtOnceAndNothingOfItBefore) {
  ASSERT_TRUE(writer_->Execute("BEGIN IMMEDIATE").ok());
  Insert(1, 500);
  EXPECT_EQ(Count(*writer_), 500);
  EXPECT_EQ(Count(*reader_), 0);
  ASSERT_TRUE(writer_->Execute("COMMIT").ok());
  EXPECT_EQ(Count(*reader_), 500);
  EXPECT_EQ(Count(*Open(Connection::Access::kReadOnly)), 500);
  EXPECT_EQ(reader_
                ->QueryInt("SELECT count(*) FROM pragma_integrity_check WHERE "
                           "integrity_check='ok'")
                .value(),
            1);
}

TEST_F(LogWritesTest, WhatIsRolledBackIsOverwritten) {
  Insert(1, 3);
  ASSERT_TRUE(writer_->Execute("BEGIN IMMEDIATE").ok());
  Insert(4, 200);
  ASSERT_TRUE(writer_->Execute("SAVEPOINT work").ok());
  Insert(1000, 200);
  ASSERT_TRUE(writer_->Execute("ROLLBACK TO work;ROLLBACK").ok());
  Insert(4, 2);
  EXPECT_EQ(Count(*reader_), 5);
  EXPECT_EQ(Count(*Open(Connection::Access::kReadOnly)), 5);
}

TEST_F(LogWritesTest, TheLogBeginsAnewAfterACheckpoint) {
  for (int i = 0; i < 5; ++i) {
    Insert(1 + i * 40, 40);
    ASSERT_TRUE(writer_->QueryInt("PRAGMA wal_checkpoint(TRUNCATE)").ok());
    EXPECT_EQ(std::filesystem::file_size(folder_ + "/db-wal"), 0U);
  }
  Insert(1000, 1);
  EXPECT_EQ(Count(*reader_), 201);
}

// What a process that died has left: the files as they are, without a close.
TEST_F(LogWritesTest, WhatWasCommittedIsInTheFiles) {
  Insert(1, 20);
  std::filesystem::create_directory(folder_ + "/copy");
  for (const char* file : {"db", "db-wal"}) {
    std::filesystem::copy_file(folder_ + "/" + file, folder_ + "/copy/" + file);
  }
  const auto copy = Connection::Open(folder_ + "/copy/db", Connection::Access::kWrite, {}).value();
  EXPECT_EQ(Count(*copy), 20);
}

TEST_F(LogWritesTest, AFullDiskFailsTheCommitAndNoLaterOne) {
  Insert(1, 20);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  auto* const old_handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit full{std::filesystem::file_size(folder_ + "/db-wal") + 10'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  EXPECT_FALSE(writer_->Execute("INSERT INTO t SELECT id+100, data FROM t").ok());
  EXPECT_FALSE(writer_->in_transaction());
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old_handler);
  EXPECT_EQ(Count(*reader_), 20);
  Insert(1000, 20);
  EXPECT_EQ(Count(*reader_), 40);
  EXPECT_EQ(Count(*Open(Connection::Access::kReadOnly)), 40);
}

}  // namespace
}  // namespace twintree::storage::sqlite
