#include "storage/sqlite/log_writes.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>

namespace twintree::storage::sqlite {

namespace {

constexpr const char* kName = "twintree-gathering";
// SQLite's VFS for Unix takes the length of a write modulo 128 KiB.
constexpr std::size_t kMaxGathered = (std::size_t{128} << 10) - 1;

// A write-ahead log. SQLite allocates szOsFile octets for a file: this, and behind it the file of
// the VFS below.
struct Log {
  sqlite3_file base;  // first: SQLite sees a Log as one
  sqlite3_file* file = nullptr;
  std::string* gathered = nullptr;
  sqlite3_int64 start = 0;  // where in the file they belong
};

constexpr std::size_t kLogBytes = (sizeof(Log) + alignof(std::max_align_t) - 1) /
                                  alignof(std::max_align_t) * alignof(std::max_align_t);

Log* LogOf(sqlite3_file* file) { return reinterpret_cast<Log*>(file); }
const sqlite3_io_methods* MethodsOf(sqlite3_file* file) { return LogOf(file)->file->pMethods; }

// What could not be written is forgotten: SQLite gives the commit up, and begins again where it
// began.
int WriteGathered(Log* log) {
  if (log->gathered->empty()) return SQLITE_OK;
  const int code = log->file->pMethods->xWrite(log->file, log->gathered->data(),
                                               static_cast<int>(log->gathered->size()), log->start);
  log->gathered->clear();
  return code;
}

int Close(sqlite3_file* file) {
  Log* const log = LogOf(file);
  const int written = WriteGathered(log);
  const int closed = log->file->pMethods->xClose(log->file);
  delete log->gathered;
  return written != SQLITE_OK ? written : closed;
}

int Read(sqlite3_file* file, void* octets, int count, sqlite3_int64 offset) {
  const int code = WriteGathered(LogOf(file));
  return code != SQLITE_OK ? code
                           : MethodsOf(file)->xRead(LogOf(file)->file, octets, count, offset);
}

int Write(sqlite3_file* file, const void* octets, int count, sqlite3_int64 offset) {
  Log* const log = LogOf(file);
  const auto size = static_cast<std::size_t>(count);
  const bool follows = offset == log->start + static_cast<sqlite3_int64>(log->gathered->size());
  if (!log->gathered->empty() && (!follows || log->gathered->size() + size > kMaxGathered)) {
    const int code = WriteGathered(log);
    if (code != SQLITE_OK) return code;
  }
  if (log->gathered->empty()) log->start = offset;
  try {
    log->gathered->append(static_cast<const char*>(octets), size);
  } catch (const std::bad_alloc&) {
    return SQLITE_IOERR_NOMEM;
  }
  return SQLITE_OK;
}

int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  const int code = WriteGathered(LogOf(file));
  return code != SQLITE_OK ? code : MethodsOf(file)->xTruncate(LogOf(file)->file, size);
}

int Sync(sqlite3_file* file, int flags) {
  const int code = WriteGathered(LogOf(file));
  return code != SQLITE_OK ? code : MethodsOf(file)->xSync(LogOf(file)->file, flags);
}

int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  const int code = WriteGathered(LogOf(file));
  return code != SQLITE_OK ? code : MethodsOf(file)->xFileSize(LogOf(file)->file, size);
}

int Lock(sqlite3_file* file, int level) { return MethodsOf(file)->xLock(LogOf(file)->file, level); }

int Unlock(sqlite3_file* file, int level) {
  return MethodsOf(file)->xUnlock(LogOf(file)->file, level);
}

int CheckReservedLock(sqlite3_file* file, int* result) {
  return MethodsOf(file)->xCheckReservedLock(LogOf(file)->file, result);
}

int FileControl(sqlite3_file* file, int operation, void* argument) {
  const int code = WriteGathered(LogOf(file));
  return code != SQLITE_OK ? code
                           : MethodsOf(file)->xFileControl(LogOf(file)->file, operation, argument);
}

int SectorSize(sqlite3_file* file) { return MethodsOf(file)->xSectorSize(LogOf(file)->file); }

int DeviceCharacteristics(sqlite3_file* file) {
  return MethodsOf(file)->xDeviceCharacteristics(LogOf(file)->file);
}

constexpr sqlite3_io_methods kLogMethods = {
    1,  // iVersion
    Close,       Read,       Write,
    Truncate,    Sync,       FileSize,
    Lock,        Unlock,     CheckReservedLock,
    FileControl, SectorSize, DeviceCharacteristics,
    nullptr,     nullptr,  // of version 2 and later, which a log has no use for
    nullptr,     nullptr,    nullptr,
    nullptr,
};

sqlite3_vfs* DefaultVfs() {
  static sqlite3_vfs* const kVfs = sqlite3_vfs_find(nullptr);
  return kVfs;
}

// Where a power failure may spoil octets beside those that are written, SQLite fills the log up
// behind the sync.
bool EndsWithSync(const char* log_name) {
  sqlite3_file* const database = sqlite3_database_file_object(log_name);
  return (database->pMethods->xDeviceCharacteristics(database) &
          SQLITE_IOCAP_POWERSAFE_OVERWRITE) != 0;
}

int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  sqlite3_vfs* const base = DefaultVfs();
  if ((flags & SQLITE_OPEN_WAL) == 0 || !EndsWithSync(name)) {
    return base->xOpen(base, name, file, flags, out_flags);
  }
  auto* const below = reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + kLogBytes);
  file->pMethods = nullptr;  // not to be closed unless it was opened
  auto gathered = std::unique_ptr<std::string>(new (std::nothrow) std::string);
  if (gathered == nullptr) return SQLITE_NOMEM;
  const int code = base->xOpen(base, name, below, flags, out_flags);
  if (code != SQLITE_OK) {
    if (below->pMethods != nullptr) below->pMethods->xClose(below);
    return code;
  }
  new (file) Log{{&kLogMethods}, below, gathered.release(), 0};
  return SQLITE_OK;
}

bool Register() {
  sqlite3_vfs* const base = DefaultVfs();
  if (base == nullptr) return false;
  static sqlite3_vfs vfs = *base;
  vfs.zName = kName;
  vfs.szOsFile = static_cast<int>(kLogBytes) + base->szOsFile;
  vfs.xOpen = Open;
  return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK;
}

}  // namespace

const char* GatheringVfs() {
  static const bool kRegistered = Register();
  return kRegistered ? kName : nullptr;
}

}  // namespace twintree::storage::sqlite
