// The store on SQLite: one database file in a directory of its own.
//
// Reads are snapshots of the write-ahead log and wait for nobody. Writes go to one thread, which
// commits whatever waits at once (group commit). Caches of entries, names and index terms stand in
// front of the database; with them warm a read makes no call to SQLite.
//
// Files: twintree.db, twintree.db-wal, twintree.db-shm, twintree.lock; twintree.db.new while a new
// store is being made. They are readable for their owner only.
#ifndef TWINTREE_STORAGE_SQLITE_SQLITE_ENTRY_STORE_H_
#define TWINTREE_STORAGE_SQLITE_SQLITE_ENTRY_STORE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "services/model/schema.h"
#include "storage/entry_store.h"
#include "storage/index.h"

namespace twintree::storage {

struct SqliteOptions {
  // Where the files are; made, for its owner only, when it is missing.
  std::string directory;

  // Memory for cached entries, names and index terms, in bytes; 0 caches nothing. SQLite's own
  // page caches come on top: about 32 MiB for the writer and up to 1 MiB a reader.
  std::size_t cache_bytes = std::size_t{64} << 20;

  // The indexes to keep. Nothing: those the store was made with, or DefaultIndexes() for a new
  // one. Another set than the store has makes Open() build all indexes anew, about as quickly as a
  // bulk load.
  std::optional<std::vector<IndexSpec>> indexes;

  // A commit reaches the disk before it is reported. Without, a crash of the machine (not of the
  // process) may lose the last commits, and commits are many times quicker.
  bool durable = true;

  // Records that the change log keeps at least.
  std::size_t change_log_limit = 100'000;

  // Pieces of work that may wait for the writer; more are refused with kBusy.
  std::size_t max_queued_work = 10'000;

  // Database connections that are kept for readers, and how many snapshots may be open at a time
  // (more are refused with kBusy). A connection takes two file descriptors and, beyond those that
  // are kept, up to about 512 KiB.
  std::size_t readers = 16;
  std::size_t max_snapshots = 512;

  // How much a bulk load or a rebuild of indexes may keep in memory, in bytes, about.
  std::size_t bulk_memory_bytes = std::size_t{256} << 20;

  // Of how many entries a dictionary is made, with which entries are packed; at least one. A store
  // that has never had so many is not packed.
  std::size_t dictionary_samples = 1000;

  // Entries are read here and there, by many: the system is told not to read ahead, which for a
  // file that does not fit into memory makes all the difference. Not for reading a whole store.
  bool random_reads = false;

  // A file of at most so many bytes is read into the system's page cache, in the background, once
  // the store is open.
  std::size_t prefetch_at_most = 0;

  // Reads a store that this or another process may be writing: takes no lock and changes nothing.
  // Every Read() sees what is committed by then, in another file too that the writer has put in the
  // store's place (a first bulk load); a file that is no later state of the store is kUnavailable.
  // With another set of indexes than the store has, lookups answer kNotIndexed. A snapshot that
  // stays open keeps the writer's log from being emptied. On a read-only file system the store must
  // have been closed cleanly.
  bool read_only = false;

  // Called by Open() when the indexes are to be another set than the store has, with both as
  // Describe() (index.h) tells them; may be empty.
  std::function<void(const std::string& kept, const std::string& wanted)> index_change;

  // Called now and then with a fraction between 0 and 1 while Open() builds indexes; may be empty.
  std::function<void(double)> rebuild_progress;
};

class SqliteEntryStore {
 public:
  // Opens the store, making it when it is missing and bringing older layouts up to date.
  //
  // Errors: kBusy when another process has it open for writing; kUnwillingToPerform for a store of
  // a newer version, an empty file or one that is no store; kUnavailable when the storage fails;
  // those of IndexSet::Make; kOther when the database is damaged.
  static Result<std::unique_ptr<EntryStore>> Open(const SqliteOptions& options,
                                                  std::shared_ptr<const model::Schema> schema);

  // That of SQLite, "3.40.1".
  static std::string LibraryVersion();
};

}  // namespace twintree::storage

#endif  // TWINTREE_STORAGE_SQLITE_SQLITE_ENTRY_STORE_H_
