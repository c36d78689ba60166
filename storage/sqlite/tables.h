// All tables of the store on one connection.
#ifndef TWINTREE_STORAGE_SQLITE_TABLES_H_
#define TWINTREE_STORAGE_SQLITE_TABLES_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "storage/sqlite/change_log.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/entry_packing.h"
#include "storage/sqlite/entry_table.h"
#include "storage/sqlite/substring_table.h"
#include "storage/sqlite/term_index.h"

namespace twintree::storage::sqlite {

// The one row of the table `state`: what every snapshot begins with.
struct StoreState {
  ChangeNumber version = 0;
  ChangeNumber hierarchy_version = 0;
  ChangeNumber log_floor = 0;  // changes up to here are no longer in the log
  EntryId last_id = 0;         // the highest id ever given
  std::uint64_t entries = 0;
  std::uint64_t log_records = 0;
};

// Errors: kNoSuchObject when the log no longer holds all changes above `after`.
Status CheckLogReaches(const StoreState& state, ChangeNumber after);

// Thread-safety: that of its connection.
class StateTable {
 public:
  explicit StateTable(Connection& connection)
      : read_(connection,
              "SELECT version, hierarchy_version, log_floor, last_id, entries, log_records "
              "FROM state"),
        write_(connection,
               "UPDATE state SET version=?, hierarchy_version=?, log_floor=?, last_id=?, "
               "entries=?, log_records=? WHERE one=1") {}
  Result<StoreState> Read();
  Status Write(const StoreState& state);

 private:
  Statement read_;
  Statement write_;
};

// Thread-safety: that of its connection.
class SettingTable {
 public:
  explicit SettingTable(Connection& connection)
      : get_(connection, "SELECT value FROM setting WHERE name=?"),
        put_(connection,
             "INSERT INTO setting(name, value) VALUES(?, ?) "
             "ON CONFLICT(name) DO UPDATE SET value=excluded.value") {}
  Result<std::optional<std::string>> Get(std::string_view name);
  Status Put(std::string_view name, std::string_view value);

 private:
  Statement get_;
  Statement put_;
};

// Thread-safety: that of its connection.
struct Tables {
  Tables(std::unique_ptr<Connection> the_connection, DictionaryPool& dictionaries,
         const model::Schema& schema)
      : connection(std::move(the_connection)),
        packing(*connection, dictionaries),
        entries(*connection, packing, schema),
        terms(*connection),
        substrings(*connection),
        changes(*connection, packing),
        state(*connection),
        settings(*connection),
        begin(*connection, "BEGIN"),
        begin_write(*connection, "BEGIN IMMEDIATE"),
        commit(*connection, "COMMIT"),
        rollback(*connection, "ROLLBACK"),
        savepoint(*connection, "SAVEPOINT work"),
        release(*connection, "RELEASE work"),
        rollback_to(*connection, "ROLLBACK TO work") {}

  const std::unique_ptr<Connection> connection;  // first: the statements go before it
  EntryPacking packing;
  EntryTable entries;
  TermIndex terms;
  SubstringTable substrings;
  ChangeLog changes;
  StateTable state;
  SettingTable settings;

  Statement begin;
  Statement begin_write;
  Statement commit;
  Statement rollback;
  Statement savepoint;
  Statement release;
  Statement rollback_to;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_TABLES_H_
