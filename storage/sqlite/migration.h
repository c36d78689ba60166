// The layout of the database, and the steps that lead to it from older ones.
//
// `PRAGMA user_version` holds the layout's version, `PRAGMA application_id` says that the file is
// a Twintree store. The table `meta` holds what the store knows about itself: the fingerprint and
// the specifications of its indexes.
#ifndef TWINTREE_STORAGE_SQLITE_MIGRATION_H_
#define TWINTREE_STORAGE_SQLITE_MIGRATION_H_

#include <optional>
#include <string>
#include <string_view>

#include "storage/entry_store.h"
#include "storage/sqlite/connection.h"

namespace twintree::storage::sqlite {

inline constexpr int kLayoutVersion = 4;
inline constexpr int kApplicationId = 0x54775472;  // "TwTr"

// Brings the database to kLayoutVersion, from nothing or from an older version, in one transaction.
// Errors: kUnwillingToPerform for a newer version or another program's file; nothing is changed.
Status Migrate(Connection& connection);
// The same for a connection that may not write: an older version is an error too.
Status CheckLayout(Connection& connection);

// Makes the tables of the indexes, empty; those that are there go.
Status RecreateIndexTables(Connection& connection);
// Are the tables of the indexes there?
Result<bool> HasIndexTables(Connection& connection);

Result<std::optional<std::string>> GetMeta(Connection& connection, std::string_view name);
Status PutMeta(Connection& connection, std::string_view name, std::string_view value);

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_MIGRATION_H_
