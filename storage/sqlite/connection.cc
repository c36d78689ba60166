#include "storage/sqlite/connection.h"

#include <sqlite3.h>

#include <limits>
#include <mutex>
#include <string_view>

#include "storage/sqlite/log_writes.h"
#include "storage/sqlite/sqlite_error.h"

namespace twintree::storage::sqlite {

using model::OkStatus;
using model::Result;
using model::Status;

namespace {

constexpr int kBusyTimeoutMilliseconds = 5000;
// A WAL file that grew under a long reader is cut to this when it starts again.
constexpr std::int64_t kKeptWalBytes = 32 << 20;

// Memory statistics cost one lock for the whole process at each allocation.
void InitialiseLibrary() {
  static std::once_flag once;
  std::call_once(once, [] { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); });
}

int FlagsFor(Connection::Access access) {
  constexpr int kCommon = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
  switch (access) {
    case Connection::Access::kCreate:
    case Connection::Access::kFill: return kCommon | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Connection::Access::kWrite:
    case Connection::Access::kMaintain:
    case Connection::Access::kQueryOnly: return kCommon | SQLITE_OPEN_READWRITE;
    case Connection::Access::kReadOnly: return kCommon | SQLITE_OPEN_READONLY;
    case Connection::Access::kImmutable: return kCommon | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  }
  return kCommon;
}

// A null pointer stands for the default.
const char* VfsFor(Connection::Access access, const Connection::Settings& settings) {
  const bool writes_log =
      access == Connection::Access::kCreate || access == Connection::Access::kWrite;
  return writes_log && settings.durable ? GatheringVfs() : nullptr;
}

// The path as SQLite's URI, with locks and log left out.
std::string ImmutableUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    switch (c) {
      case '%': uri += "%25"; break;
      case '?': uri += "%3f"; break;
      case '#': uri += "%23"; break;
      default: uri.push_back(c);
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::Open(const std::string& path, Access access,
                                                     const Settings& settings) {
  InitialiseLibrary();
  sqlite3* handle = nullptr;
  const std::string name = access == Access::kImmutable ? ImmutableUri(path) : path;
  const int code =
      sqlite3_open_v2(name.c_str(), &handle, FlagsFor(access), VfsFor(access, settings));
  // Clients may be told, and where the store is does not concern them.
  constexpr std::string_view kDoing = "cannot open the store's database";
  if (handle == nullptr) return ErrorOf(SQLITE_NOMEM, kDoing, "out of memory");
  std::unique_ptr<Connection> connection(new Connection(handle));
  if (code != SQLITE_OK) return LastError(handle, kDoing);
  TT_RETURN_IF_ERROR(connection->Configure(access, settings));
  return connection;
}

Status Connection::Configure(Access access, const Settings& settings) {
  SetBusyTimeout();
  std::string sql = "PRAGMA cache_size=-" + std::to_string(settings.cache_bytes / 1024) +
                    ";PRAGMA mmap_size=" + std::to_string(settings.mmap_bytes) +
                    ";PRAGMA temp_store=MEMORY;PRAGMA trusted_schema=OFF;";
  if (access == Access::kQueryOnly) sql += "PRAGMA query_only=ON;";
  if (access == Access::kFill) {
    // Pages that are new need no journal to be rolled back, so this one stays empty.
    sql += "PRAGMA page_size=" + std::to_string(settings.page_size) +
           ";PRAGMA locking_mode=EXCLUSIVE;PRAGMA journal_mode=MEMORY;PRAGMA synchronous=OFF;"
           "PRAGMA secure_delete=OFF;";
  }
  if (access == Access::kCreate || access == Access::kWrite) {
    sql += "PRAGMA page_size=" + std::to_string(settings.page_size) +
           ";PRAGMA journal_mode=WAL;PRAGMA wal_autocheckpoint=0;PRAGMA journal_size_limit=" +
           std::to_string(kKeptWalBytes) +
           ";PRAGMA synchronous=" + (settings.durable ? "FULL" : "NORMAL") +
           // Debian's SQLite overwrites pages that become free, so that a large entry would be
           // written twice for each change. What goes is overwritten where that costs no page.
           ";PRAGMA secure_delete=FAST;";
  }
  return Execute(sql);
}

Connection::~Connection() { sqlite3_close_v2(handle_); }

Status Connection::Execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return OkStatus();
  return LastError(handle_, "the store's database");
}

Result<std::int64_t> Connection::QueryInt(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr);
  std::int64_t value = 0;
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  if (code == SQLITE_ROW) value = sqlite3_column_int64(statement, 0);
  const bool failed = code != SQLITE_ROW && code != SQLITE_DONE;
  const Status status = failed ? Status(LastError(handle_, "the store's database")) : OkStatus();
  sqlite3_finalize(statement);
  TT_RETURN_IF_ERROR(status);
  return value;
}

void Connection::SetBusyTimeout() { sqlite3_busy_timeout(handle_, kBusyTimeoutMilliseconds); }

bool Connection::HasMoved() const {
  int moved = 0;
  const int code = sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code == SQLITE_OK && moved != 0;
}

bool Connection::in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }

Statement::~Statement() { sqlite3_finalize(prepared_); }

Query::Query(Statement& statement) : statement_(statement) {
  if (statement_.prepared_ == nullptr) {
    Check(sqlite3_prepare_v3(statement_.connection_.handle(), statement_.sql_, -1,
                             SQLITE_PREPARE_PERSISTENT, &statement_.prepared_, nullptr));
  }
}

Query::~Query() {
  if (statement_.prepared_ == nullptr) return;
  sqlite3_reset(statement_.prepared_);
  sqlite3_clear_bindings(statement_.prepared_);
}

void Query::Check(int code) {
  if (code != SQLITE_OK && failure_ == SQLITE_OK) failure_ = code;
}

Query& Query::Bind(std::uint64_t value) { return Bind(static_cast<std::int64_t>(value)); }

Query& Query::Bind(std::int64_t value) {
  Check(sqlite3_bind_int64(statement_.prepared_, ++parameter_, value));
  return *this;
}

Query& Query::BindBlob(std::string_view octets) {
  // A null pointer would bind NULL.
  const char* data = octets.empty() ? "" : octets.data();
  Check(
      sqlite3_bind_blob64(statement_.prepared_, ++parameter_, data, octets.size(), SQLITE_STATIC));
  return *this;
}

Query& Query::BindText(std::string_view text) {
  const char* data = text.empty() ? "" : text.data();
  Check(sqlite3_bind_text64(statement_.prepared_, ++parameter_, data, text.size(), SQLITE_STATIC,
                            SQLITE_UTF8));
  return *this;
}

Query& Query::BindNull() {
  Check(sqlite3_bind_null(statement_.prepared_, ++parameter_));
  return *this;
}

Result<bool> Query::Step() {
  if (failure_ != SQLITE_OK) {
    return ErrorOf(failure_, "the store's database", sqlite3_errstr(failure_));
  }
  const int code = sqlite3_step(statement_.prepared_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return LastError(statement_.connection_.handle(), "the store's database");
}

Status Query::Run() {
  TT_ASSIGN_OR_RETURN(const bool row, Step());
  static_cast<void>(row);
  return OkStatus();
}

void Query::Again() {
  sqlite3_reset(statement_.prepared_);
  parameter_ = 0;
}

std::uint64_t Query::Int(int column) const {
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement_.prepared_, column));
}

std::string_view Query::Blob(int column) const {
  const void* data = sqlite3_column_blob(statement_.prepared_, column);
  const int size = sqlite3_column_bytes(statement_.prepared_, column);
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

bool Query::IsNull(int column) const {
  return sqlite3_column_type(statement_.prepared_, column) == SQLITE_NULL;
}

}  // namespace twintree::storage::sqlite
