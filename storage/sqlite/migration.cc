#include "storage/sqlite/migration.h"

#include <array>

namespace twintree::storage::sqlite {

using model::Error;
using model::OkStatus;
using model::ResultCode;

namespace {

// What leads from version i to version i + 1.
constexpr std::array<const char*, kLayoutVersion> kSteps = {
    R"sql(
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE state(
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL,
  hierarchy_version INTEGER NOT NULL,
  log_floor INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  log_records INTEGER NOT NULL);
INSERT INTO state VALUES(1, 0, 0, 0, 0, 0, 0);
CREATE TABLE entry(
  id INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL,
  rdn BLOB,
  rdn_key BLOB NOT NULL,
  data BLOB NOT NULL);
CREATE UNIQUE INDEX entry_name ON entry(parent, rdn_key);
CREATE INDEX entry_parent ON entry(parent);
CREATE TABLE change(
  number INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  entry_uuid BLOB NOT NULL,
  dn BLOB NOT NULL,
  new_dn BLOB NOT NULL,
  actor_dn BLOB NOT NULL,
  payload BLOB NOT NULL);
CREATE TABLE setting(name BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
)sql",
    R"sql(
CREATE TABLE substring_pending(
  id INTEGER PRIMARY KEY,
  before BLOB NOT NULL,
  after BLOB NOT NULL);
)sql",
    R"sql(
CREATE TABLE term_pending(number INTEGER PRIMARY KEY, changes BLOB NOT NULL);
)sql",
    R"sql(
CREATE TABLE dictionary(number INTEGER PRIMARY KEY, octets BLOB NOT NULL);
)sql",
};

constexpr const char* kDropIndexTables = R"sql(
DROP TABLE IF EXISTS substring_terms;
DROP TABLE IF EXISTS substring;
DROP TABLE IF EXISTS term;
DELETE FROM substring_pending;
DELETE FROM term_pending;
)sql";

constexpr const char* kCreateIndexTables = R"sql(
CREATE TABLE term(
  attribute INTEGER NOT NULL,
  key BLOB NOT NULL,
  first INTEGER NOT NULL,
  rest BLOB,
  PRIMARY KEY(attribute, key, first)) WITHOUT ROWID;
CREATE VIRTUAL TABLE substring USING fts5(
  text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1');
CREATE VIRTUAL TABLE substring_terms USING fts5vocab(substring, instance);
)sql";

Error Refused(std::string message) {
  return Error{ResultCode::kUnwillingToPerform, std::move(message), ""};
}

// The version of the layout; 0 for an empty file.
Result<int> ReadVersion(Connection& connection) {
  TT_ASSIGN_OR_RETURN(const std::int64_t application, connection.QueryInt("PRAGMA application_id"));
  TT_ASSIGN_OR_RETURN(const std::int64_t version, connection.QueryInt("PRAGMA user_version"));
  TT_ASSIGN_OR_RETURN(const std::int64_t tables,
                      connection.QueryInt("SELECT count(*) FROM sqlite_schema"));
  if (tables == 0 && version == 0) return 0;
  if (application != kApplicationId) {
    return Refused("the database is not a Twintree store");
  }
  if (version > kLayoutVersion) {
    return Refused("the store has layout version " + std::to_string(version) +
                   "; this program knows versions up to " + std::to_string(kLayoutVersion) +
                   ", use a newer one");
  }
  return static_cast<int>(version);
}

Status RunSteps(Connection& connection, int version) {
  for (; version < kLayoutVersion; ++version) {
    TT_RETURN_IF_ERROR(connection.Execute(kSteps[static_cast<std::size_t>(version)]));
  }
  return connection.Execute("PRAGMA application_id=" + std::to_string(kApplicationId) +
                            ";PRAGMA user_version=" + std::to_string(kLayoutVersion));
}

}  // namespace

Status Migrate(Connection& connection) {
  TT_ASSIGN_OR_RETURN(const int version, ReadVersion(connection));
  if (version == kLayoutVersion) return OkStatus();
  TT_RETURN_IF_ERROR(connection.Execute("BEGIN IMMEDIATE"));
  Status status = RunSteps(connection, version);
  if (status.ok()) status = connection.Execute("COMMIT");
  if (!status.ok() && connection.in_transaction()) {
    static_cast<void>(connection.Execute("ROLLBACK"));
  }
  return status;
}

Status CheckLayout(Connection& connection) {
  TT_ASSIGN_OR_RETURN(const int version, ReadVersion(connection));
  if (version == kLayoutVersion) return OkStatus();
  return Refused("the store has layout version " + std::to_string(version) +
                 "; open it for writing once to bring it to version " +
                 std::to_string(kLayoutVersion));
}

Status RecreateIndexTables(Connection& connection) {
  TT_RETURN_IF_ERROR(connection.Execute(kDropIndexTables));
  return connection.Execute(kCreateIndexTables);
}

Result<bool> HasIndexTables(Connection& connection) {
  TT_ASSIGN_OR_RETURN(
      const std::int64_t count,
      connection.QueryInt("SELECT count(*) FROM sqlite_schema "
                          "WHERE name IN ('term', 'substring', 'substring_terms', "
                          "'substring_data', 'substring_idx', 'substring_config')"));
  return count == 6;
}

Result<std::optional<std::string>> GetMeta(Connection& connection, std::string_view name) {
  Statement statement(connection, "SELECT value FROM meta WHERE name=?");
  Query query(statement);
  query.BindText(name);
  TT_ASSIGN_OR_RETURN(const bool row, query.Step());
  if (!row) return std::optional<std::string>();
  return std::optional<std::string>(query.Blob(0));
}

Status PutMeta(Connection& connection, std::string_view name, std::string_view value) {
  Statement statement(connection,
                      "INSERT INTO meta(name, value) VALUES(?, ?) "
                      "ON CONFLICT(name) DO UPDATE SET value=excluded.value");
  return Query(statement).BindText(name).BindText(value).Run();
}

}  // namespace twintree::storage::sqlite
