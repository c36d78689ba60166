// SQLite's codes as errors of the model: the one place where they are translated.
#ifndef TWINTREE_STORAGE_SQLITE_SQLITE_ERROR_H_
#define TWINTREE_STORAGE_SQLITE_SQLITE_ERROR_H_

#include <string_view>

#include "services/model/result.h"

struct sqlite3;

namespace twintree::storage::sqlite {

// kUnavailable: the storage fails, later it may not (disk full, I/O, permissions, memory).
// kBusy: somebody else holds the database. kEntryAlreadyExists: a unique key is taken.
// kOther: the database is damaged, or this program is wrong.
//
// `code`: primary or extended. REQUIRES: it is no success.
model::ResultCode CodeForSqlite(int code);

// "DOING: SQLite's words", of the last failed call on `connection`.
model::Error LastError(sqlite3* connection, std::string_view doing);
model::Error ErrorOf(int code, std::string_view doing, std::string_view detail);

// A failed operation of the system, with errno's words: kUnavailable.
model::Error SystemError(int error_number, std::string_view doing);

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_SQLITE_ERROR_H_
