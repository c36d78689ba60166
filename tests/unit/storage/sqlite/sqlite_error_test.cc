#include "storage/sqlite/sqlite_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cerrno>

#include "storage/sqlite/connection.h"

namespace twintree::storage::sqlite {
namespace {

using model::ResultCode;

struct Case {
  int code;
  ResultCode expected;
};

class SqliteErrorTest : public testing::TestWithParam<Case> {};

TEST_P(SqliteErrorTest, HasItsResultCode) {
  EXPECT_EQ(CodeForSqlite(GetParam().code), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    EveryCode, SqliteErrorTest,
    testing::Values(
        Case{SQLITE_ERROR, ResultCode::kOther}, Case{SQLITE_INTERNAL, ResultCode::kOther},
        Case{SQLITE_PERM, ResultCode::kUnavailable}, Case{SQLITE_ABORT, ResultCode::kOther},
        Case{SQLITE_BUSY, ResultCode::kBusy}, Case{SQLITE_BUSY_SNAPSHOT, ResultCode::kBusy},
        Case{SQLITE_LOCKED, ResultCode::kBusy}, Case{SQLITE_NOMEM, ResultCode::kUnavailable},
        Case{SQLITE_READONLY, ResultCode::kUnavailable},
        Case{SQLITE_INTERRUPT, ResultCode::kCanceled}, Case{SQLITE_IOERR, ResultCode::kUnavailable},
        Case{SQLITE_IOERR_FSYNC, ResultCode::kUnavailable},
        Case{SQLITE_CORRUPT, ResultCode::kOther}, Case{SQLITE_CORRUPT_VTAB, ResultCode::kOther},
        Case{SQLITE_NOTFOUND, ResultCode::kOther}, Case{SQLITE_FULL, ResultCode::kUnavailable},
        Case{SQLITE_CANTOPEN, ResultCode::kUnavailable},
        Case{SQLITE_PROTOCOL, ResultCode::kUnavailable}, Case{SQLITE_EMPTY, ResultCode::kOther},
        Case{SQLITE_SCHEMA, ResultCode::kOther},
        Case{SQLITE_TOOBIG, ResultCode::kAdminLimitExceeded},
        Case{SQLITE_CONSTRAINT, ResultCode::kOther},
        Case{SQLITE_CONSTRAINT_UNIQUE, ResultCode::kEntryAlreadyExists},
        Case{SQLITE_CONSTRAINT_PRIMARYKEY, ResultCode::kEntryAlreadyExists},
        Case{SQLITE_CONSTRAINT_ROWID, ResultCode::kEntryAlreadyExists},
        Case{SQLITE_CONSTRAINT_NOTNULL, ResultCode::kOther},
        Case{SQLITE_MISMATCH, ResultCode::kOther}, Case{SQLITE_MISUSE, ResultCode::kOther},
        Case{SQLITE_NOLFS, ResultCode::kUnavailable}, Case{SQLITE_AUTH, ResultCode::kUnavailable},
        Case{SQLITE_FORMAT, ResultCode::kOther}, Case{SQLITE_RANGE, ResultCode::kOther},
        Case{SQLITE_NOTADB, ResultCode::kOther}, Case{12345, ResultCode::kOther}));

TEST(SqliteErrorTextTest, SaysWhatWasDoneAndWhatFailed) {
  const model::Error error = ErrorOf(SQLITE_FULL, "writing", "database or disk is full");
  EXPECT_EQ(error.code, ResultCode::kUnavailable);
  EXPECT_EQ(error.message, "writing: database or disk is full");
}

TEST(SqliteErrorTextTest, GivesTheSystemsWords) {
  const model::Error error = SystemError(ENOSPC, "a file");
  EXPECT_EQ(error.code, ResultCode::kUnavailable);
  EXPECT_EQ(error.message, "a file: No space left on device");
}

// Clients are told such errors.
TEST(SqliteErrorTextTest, ADatabaseThatCannotBeOpenedIsNotNamedButTheReasonIs) {
  const auto connection = Connection::Open("/no/such/folder/x.db", Connection::Access::kWrite, {});
  EXPECT_EQ(connection.code(), ResultCode::kUnavailable);
  EXPECT_EQ(connection.error().message,
            "cannot open the store's database: unable to open database file (No such file or "
            "directory)");
}

}  // namespace
}  // namespace twintree::storage::sqlite
