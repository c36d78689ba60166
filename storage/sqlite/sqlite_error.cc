#include "storage/sqlite/sqlite_error.h"

#include <sqlite3.h>

#include <string>
#include <system_error>

namespace twintree::storage::sqlite {

using model::Error;
using model::ResultCode;

namespace {

ResultCode CodeForConstraint(int extended_code) {
  switch (extended_code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID: return ResultCode::kEntryAlreadyExists;
    default: return ResultCode::kOther;
  }
}

}  // namespace

ResultCode CodeForSqlite(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return ResultCode::kBusy;
    case SQLITE_PERM:
    case SQLITE_NOMEM:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
    case SQLITE_NOLFS:
    case SQLITE_AUTH: return ResultCode::kUnavailable;
    case SQLITE_INTERRUPT: return ResultCode::kCanceled;
    case SQLITE_TOOBIG: return ResultCode::kAdminLimitExceeded;
    case SQLITE_CONSTRAINT: return CodeForConstraint(code);
    case SQLITE_ERROR:
    case SQLITE_INTERNAL:
    case SQLITE_ABORT:
    case SQLITE_CORRUPT:
    case SQLITE_NOTFOUND:
    case SQLITE_EMPTY:
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
    case SQLITE_MISUSE:
    case SQLITE_FORMAT:
    case SQLITE_RANGE:
    case SQLITE_NOTADB:
    default: return ResultCode::kOther;
  }
}

Error ErrorOf(int code, std::string_view doing, std::string_view detail) {
  std::string message(doing);
  message += ": ";
  message += detail;
  return Error{CodeForSqlite(code), std::move(message), ""};
}

Error LastError(sqlite3* connection, std::string_view doing) {
  const int code = sqlite3_extended_errcode(connection);
  std::string detail = sqlite3_errmsg(connection);
  // "disk I/O error" is also what a full disk comes to.
  const int reason = sqlite3_system_errno(connection);
  const bool of_system = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
  if (of_system && reason != 0) detail += " (" + std::generic_category().message(reason) + ")";
  return ErrorOf(code, doing, detail);
}

Error SystemError(int error_number, std::string_view doing) {
  return Error{ResultCode::kUnavailable,
               std::string(doing) + ": " + std::generic_category().message(error_number), ""};
}

}  // namespace twintree::storage::sqlite
