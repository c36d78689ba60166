#include "storage/sqlite/replacement.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "storage/sqlite/migration.h"
#include "storage/sqlite/private_file.h"
#include "storage/sqlite/sqlite_error.h"

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

Status CopySettings(Tables& from, Tables& to) {
  Statement meta(*from.connection, "SELECT name, value FROM meta");
  Query meta_row(meta);
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, meta_row.Step());
    if (!row) break;
    TT_RETURN_IF_ERROR(PutMeta(*to.connection, meta_row.Blob(0), meta_row.Blob(1)));
  }
  Statement setting(*from.connection, "SELECT name, value FROM setting");
  Query setting_row(setting);
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, setting_row.Step());
    if (!row) return OkStatus();
    TT_RETURN_IF_ERROR(to.settings.Put(setting_row.Blob(0), setting_row.Blob(1)));
  }
}

// Makes a file or directory durable.
Status Sync(const std::string& path, int flags) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  if (descriptor < 0) return SystemError(errno, "cannot open " + path);
  const int code = fsync(descriptor);
  const int error = errno;
  close(descriptor);
  return code == 0 ? OkStatus() : Status(SystemError(error, "cannot sync " + path));
}

// Empties the old database's log into it and removes the log, which would otherwise be taken for
// the new one's. False when somebody has the database open.
bool EndLog(StoreContext& context) {
  auto connection = Connection::Open(context.path, Connection::Access::kMaintain, {});
  if (!connection.ok()) return false;
  sqlite3_busy_timeout((*connection)->handle(), 0);
  Statement statement(**connection, "PRAGMA journal_mode=DELETE");
  Query query(statement);
  const Result<bool> row = query.Step();
  return row.ok() && *row && query.Blob(0) == "delete";
}

// Gives the new file owner and mode of the old one. False when that cannot be, or the old one is no
// file of its own.
bool CanReplace(const StoreContext& context) {
  struct stat from {};
  struct stat to {};
  if (lstat(context.path.c_str(), &from) != 0 || !S_ISREG(from.st_mode) || from.st_nlink != 1 ||
      stat(context.fill_path.c_str(), &to) != 0) {
    return false;
  }
  const bool same_owner = from.st_uid == to.st_uid && from.st_gid == to.st_gid;
  if (!same_owner && chown(context.fill_path.c_str(), from.st_uid, from.st_gid) != 0) return false;
  return chmod(context.fill_path.c_str(), from.st_mode & 07777) == 0;
}

Status Rename(const StoreContext& context) {
  if (std::rename(context.fill_path.c_str(), context.path.c_str()) != 0) {
    return SystemError(errno, "cannot rename " + context.fill_path);
  }
  return context.options.durable ? Sync(context.options.directory, O_DIRECTORY) : OkStatus();
}

Status CopyOver(StoreContext& context) {
  TT_ASSIGN_OR_RETURN(const auto from,
                      Connection::Open(context.fill_path, Connection::Access::kMaintain, {}));
  Connection::Settings settings;
  settings.durable = context.options.durable;
  TT_ASSIGN_OR_RETURN(const auto to,
                      Connection::Open(context.path, Connection::Access::kWrite, settings));
  sqlite3_backup* const backup = sqlite3_backup_init(to->handle(), "main", from->handle(), "main");
  if (backup == nullptr) return LastError(to->handle(), "the store's database");
  constexpr int kAllPages = -1;
  const int code = sqlite3_backup_step(backup, kAllPages);
  sqlite3_backup_finish(backup);
  if (code == SQLITE_DONE) return OkStatus();
  return ErrorOf(code, "the store's database", sqlite3_errstr(code));
}

}  // namespace

Result<std::unique_ptr<Tables>> MakeReplacement(StoreContext& context, Tables& old,
                                                std::int64_t cache_bytes) {
  DiscardReplacement(context);
  TT_RETURN_IF_ERROR(MakePrivateFile(context.fill_path));
  TT_ASSIGN_OR_RETURN(auto tables, context.OpenTables(Connection::Access::kFill, cache_bytes));
  TT_RETURN_IF_ERROR(Migrate(*tables->connection));
  TT_RETURN_IF_ERROR(Query(tables->begin_write).Run());
  TT_RETURN_IF_ERROR(RecreateIndexTables(*tables->connection));
  TT_RETURN_IF_ERROR(CopySettings(old, *tables));
  return tables;
}

Status InstallReplacement(StoreContext& context, Writer& writer) {
  if (!CanReplace(context) || !writer.readers().Seclude()) return CopyOver(context);
  writer.Disconnect();
  Status status;
  const bool alone = EndLog(context);
  if (alone) {
    if (context.options.durable) status = Sync(context.fill_path, 0);
    if (status.ok()) status = Rename(context);
    context.AdoptFile();
  }
  const Status connected = writer.Connect();
  writer.readers().Admit();
  TT_RETURN_IF_ERROR(connected);
  return alone ? status : CopyOver(context);
}

void DiscardReplacement(const StoreContext& context) { unlink(context.fill_path.c_str()); }

}  // namespace twintree::storage::sqlite
