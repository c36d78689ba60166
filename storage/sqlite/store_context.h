// What all parts of an open store share.
#ifndef TWINTREE_STORAGE_SQLITE_STORE_CONTEXT_H_
#define TWINTREE_STORAGE_SQLITE_STORE_CONTEXT_H_

#include <sys/stat.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "storage/sqlite/connection.h"
#include "storage/sqlite/entry_packing.h"
#include "storage/sqlite/sqlite_entry_store.h"
#include "storage/sqlite/store_caches.h"
#include "storage/sqlite/substring_table.h"
#include "storage/sqlite/tables.h"

namespace twintree::storage::sqlite {

// Thread-safety: safe.
class StoreContext {
 public:
  StoreContext(SqliteOptions the_options, std::shared_ptr<const model::Schema> the_schema,
               IndexSet the_indexes, bool are_indexed, Connection::Access how_read)
      : options(std::move(the_options)),
        schema(std::move(the_schema)),
        indexes(std::move(the_indexes)),
        indexed(are_indexed),
        read_access(how_read),
        alphabet(indexes),
        path(DatabasePath(options.directory)),
        fill_path(FillPath(options.directory)),
        caches(options.cache_bytes),
        file_(IdentityOf(path)) {}

  static std::string DatabasePath(const std::string& directory) {
    return directory + "/twintree.db";
  }
  // Where a new database is filled that will take the place of the other.
  static std::string FillPath(const std::string& directory) {
    return directory + "/twintree.db.new";
  }

  // Opens another connection. `cache_bytes`: SQLite's own cache.
  Result<std::unique_ptr<Tables>> OpenTables(Connection::Access access, std::int64_t cache_bytes) {
    return OpenTables(access, cache_bytes, kMmapBytes);
  }
  // The same for one of many: without a map of the file of its own, which costs page tables and
  // counts as memory of the process.
  Result<std::unique_ptr<Tables>> OpenSmallTables(Connection::Access access,
                                                  std::int64_t cache_bytes) {
    return OpenTables(access, cache_bytes, 0);
  }

  // Which file the store's is; another one at its path is somebody else's.
  bool IsOwnFile() const {
    std::lock_guard lock(file_mutex_);
    return IdentityOf(path) == file_;
  }
  void AdoptFile() {
    std::lock_guard lock(file_mutex_);
    file_ = IdentityOf(path);
  }

  // The newest version that readers may rely on.
  ChangeNumber published() const { return published_.load(std::memory_order_acquire); }
  // Every snapshot that begins after this sees `version` or a later one.
  void Publish(ChangeNumber version) { published_.store(version, std::memory_order_release); }
  // For a reader of somebody else's store, which found `version` in its new snapshot.
  // Errors: kUnavailable when there is another file now that does not go on where the one before
  // ended, as that of a first load does.
  Status Discover(ChangeNumber version, const Connection& connection) {
    std::lock_guard lock(discover_mutex_);
    std::lock_guard file_lock(file_mutex_);
    // In this order, so that the file at the path is that of the snapshot. A snapshot of the file
    // before is good too, and the next one will be of this file.
    const FileIdentity now = IdentityOf(path);
    if (now != file_ && !connection.HasMoved()) {
      if (version <= published()) return NotTheFile();
      file_ = now;
    }
    if (version <= published()) return model::OkStatus();
    caches.InvalidateAll(version);
    Publish(version);
    return model::OkStatus();
  }
  model::Error NotTheFile() const {
    return {model::ResultCode::kUnavailable, path + " is not the file it was", ""};
  }

  const SqliteOptions options;
  const std::shared_ptr<const model::Schema> schema;
  const IndexSet indexes;
  const bool indexed;                    // the database's indexes are those of `indexes`
  const Connection::Access read_access;  // of connections that only read
  const SubstringAlphabet alphabet;
  const std::string path;
  const std::string fill_path;

  StoreCaches caches;

 private:
  Result<std::unique_ptr<Tables>> OpenTables(Connection::Access access, std::int64_t cache_bytes,
                                             std::int64_t mmap_bytes) {
    Connection::Settings settings;
    settings.cache_bytes = cache_bytes;
    settings.mmap_bytes = access == Connection::Access::kFill ? 0 : mmap_bytes;
    settings.durable = options.durable;
    const std::string& file = access == Connection::Access::kFill ? fill_path : path;
    TT_ASSIGN_OR_RETURN(auto connection, Connection::Open(file, access, settings));
    return std::make_unique<Tables>(std::move(connection), dictionaries_, *schema);
  }

  static constexpr std::int64_t kMmapBytes = std::int64_t{1} << 40;  // SQLite cuts it to 2 GiB

  // {0, 0} when there is none.
  struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
  };
  static FileIdentity IdentityOf(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return {};
    return {status.st_dev, status.st_ino};
  }

  DictionaryPool dictionaries_;
  mutable std::mutex file_mutex_;
  FileIdentity file_;
  alignas(64) std::atomic<ChangeNumber> published_{0};
  std::mutex discover_mutex_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_STORE_CONTEXT_H_
