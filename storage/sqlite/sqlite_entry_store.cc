#include "storage/sqlite/sqlite_entry_store.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "storage/sqlite/bulk_load.h"
#include "storage/sqlite/dictionary_samples.h"
#include "storage/sqlite/file_reads.h"
#include "storage/sqlite/index_builder.h"
#include "storage/sqlite/migration.h"
#include "storage/sqlite/prepared_terms.h"
#include "storage/sqlite/private_file.h"
#include "storage/sqlite/reader_pool.h"
#include "storage/sqlite/sqlite_error.h"
#include "storage/sqlite/store_check.h"
#include "storage/sqlite/store_context.h"
#include "storage/sqlite/store_lock.h"
#include "storage/sqlite/writer.h"

namespace twintree::storage {

using model::Error;
using model::OkStatus;
using model::ResultCode;

namespace sqlite {

namespace {

std::uint64_t FileBytes(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

StoreStatistics::Cache CacheStatistics(std::string name, const CacheCounts& counts) {
  return {std::move(name), counts.hits,  counts.misses,
          counts.bytes,    counts.items, counts.evictions};
}

class Store final : public EntryStore {
 public:
  explicit Store(std::shared_ptr<StoreContext> context)
      : context_(std::move(context)),
        pool_(std::make_shared<ReaderPool>(context_)),
        prefetch_(context_->path, context_->options.prefetch_at_most) {}
  ~Store() override { Close(); }

  // REQUIRES: the store is not read only; once.
  void StartWriter(std::unique_ptr<StoreLock> lock, std::unique_ptr<Tables> tables,
                   const StoreState& state) {
    writer_ = std::make_shared<Writer>(context_, pool_, std::move(lock), std::move(tables), state);
  }

  Result<std::unique_ptr<ReadTransaction>> Read() override { return pool_->Read(); }
  void Submit(Work work, Done done) override {
    if (writer_ == nullptr) return done(ReadOnly());
    writer_->Submit(std::move(work), std::move(done));
  }
  Result<std::unique_ptr<BulkLoad>> StartBulkLoad() override {
    if (writer_ == nullptr) return ReadOnly();
    return sqlite::StartBulkLoad(context_, writer_);
  }
  std::size_t max_snapshots() const override { return context_->options.max_snapshots; }
  std::string PrepareTerms(const model::Entry& entry) const override {
    return sqlite::PrepareTerms(entry, context_->indexes, context_->alphabet);
  }
  const IndexSet& indexes() const override { return context_->indexes; }
  StoreStatistics Statistics() override;
  Status Check(bool rebuild, std::size_t max_problems,
               const std::function<void(const StoreProblem&)>& report) override {
    if (rebuild && writer_ == nullptr) return ReadOnly();
    return CheckStore(*context_, writer_.get(), rebuild, max_problems, report);
  }
  Status Probe() override {
    // SQLite goes on with a file that was moved or removed under it, and nobody finds it later. Who
    // only reads follows the writer to another file.
    if (!context_->options.read_only && !context_->IsOwnFile()) return context_->NotTheFile();
    TT_ASSIGN_OR_RETURN(const auto transaction, Read());
    TT_ASSIGN_OR_RETURN(const auto setting, transaction->GetSetting(""));
    static_cast<void>(setting);
    return writer_ == nullptr ? OkStatus() : writer_->Probe();
  }
  void Close() override {
    if (writer_ != nullptr) writer_->Close();
    pool_->Close();
    // The connection that goes last empties the log into the database.
    if (writer_ != nullptr) writer_->Release();
  }

 private:
  static Error ReadOnly() {
    return Error{ResultCode::kUnwillingToPerform, "the store is open for reading only", ""};
  }

  const std::shared_ptr<StoreContext> context_;
  const std::shared_ptr<ReaderPool> pool_;
  std::shared_ptr<Writer> writer_;  // null: read only
  Prefetch prefetch_;
};

StoreStatistics Store::Statistics() {
  StoreStatistics statistics;
  auto transaction = Read();
  if (transaction.ok()) {
    auto entries = (*transaction)->EstimateEntries();
    if (entries.ok()) statistics.entries = *entries;
    statistics.last_change = (*transaction)->version();
  }
  statistics.data_bytes = FileBytes(context_->path);
  statistics.wal_bytes = FileBytes(context_->path + "-wal");
  const StoreCaches& caches = context_->caches;
  statistics.caches = {CacheStatistics("entry", caches.entries.Counts()),
                       CacheStatistics("child", caches.children.Counts()),
                       CacheStatistics("children", caches.child_lists.Counts()),
                       CacheStatistics("equality", caches.equality.Counts())};
  statistics.open_snapshots = pool_->CountOpen() - (transaction.ok() ? 1 : 0);
  if (writer_ == nullptr) return statistics;
  const Writer::Counts counts = writer_->counts();
  statistics.commits = counts.commits;
  statistics.committed_work = counts.committed_work;
  statistics.failed_commits = counts.failed_commits;
  statistics.queued_work = counts.queued_work;
  statistics.commit_seconds = counts.commit_seconds;
  statistics.commit_durations = counts.commit_durations;
  return statistics;
}

Status MakeDirectory(const std::string& directory) {
  std::error_code error;
  if (std::filesystem::is_directory(directory, error)) return OkStatus();
  error.clear();  // that it is missing is no error here
  const std::filesystem::path parent = std::filesystem::path(directory).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (error) return SystemError(error.value(), "cannot make " + parent.string());
  if (mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return SystemError(errno, "cannot make the directory " + directory);
  }
  return OkStatus();
}

std::string SpecText(const IndexSet& indexes) {
  std::string text;
  for (const IndexSpec& spec : indexes.Specs()) text += ToString(spec) + "\n";
  return text;
}

// The specifications that the store was last built with; nothing for a new one.
Result<std::optional<std::vector<IndexSpec>>> KeptSpecs(Connection& connection) {
  TT_ASSIGN_OR_RETURN(const auto text, GetMeta(connection, "index_specs"));
  if (!text) return std::optional<std::vector<IndexSpec>>();
  std::vector<IndexSpec> specs;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    TT_ASSIGN_OR_RETURN(IndexSpec spec, IndexSpec::Parse(rest.substr(0, end)));
    specs.push_back(std::move(spec));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return std::optional<std::vector<IndexSpec>>(std::move(specs));
}

Result<IndexSet> ChooseIndexes(const SqliteOptions& options, Connection& connection,
                               const model::Schema& schema) {
  if (options.indexes) return IndexSet::Make(*options.indexes, schema);
  TT_ASSIGN_OR_RETURN(const auto kept, KeptSpecs(connection));
  return IndexSet::Make(kept ? *kept : DefaultIndexes(), schema);
}

// Tells of a set that differs from the one which the store was built with.
Status TellOfIndexChange(const SqliteOptions& options, Connection& connection,
                         const IndexSet& indexes, const model::Schema& schema) {
  if (!options.index_change) return OkStatus();
  TT_ASSIGN_OR_RETURN(const auto kept, KeptSpecs(connection));
  if (!kept) return OkStatus();
  const auto before = IndexSet::Make(*kept, schema);
  // The schema may have lost an attribute since.
  if (!before.ok()) {
    options.index_change("(" + before.error().message + ")", Describe(indexes));
  } else if (before->Fingerprint() != indexes.Fingerprint()) {
    options.index_change(Describe(*before), Describe(indexes));
  }
  return OkStatus();
}

Result<bool> IndexesAgree(Connection& connection, const IndexSet& indexes) {
  TT_ASSIGN_OR_RETURN(const bool there, HasIndexTables(connection));
  TT_ASSIGN_OR_RETURN(const auto fingerprint, GetMeta(connection, "index_fingerprint"));
  return there && fingerprint == indexes.Fingerprint();
}

// Builds all indexes anew, in one transaction with the note that they are built.
Status RebuildAtOpen(StoreContext& context, Tables& tables) {
  TT_RETURN_IF_ERROR(Query(tables.begin_write).Run());
  Status status = RebuildIndexes(context, tables, context.options.rebuild_progress);
  if (status.ok()) {
    status = PutMeta(*tables.connection, "index_fingerprint", context.indexes.Fingerprint());
  }
  if (status.ok()) {
    status = PutMeta(*tables.connection, "index_specs", SpecText(context.indexes));
  }
  if (status.ok()) status = Query(tables.commit).Run();
  if (!status.ok() && tables.connection->in_transaction()) {
    static_cast<void>(Query(tables.rollback).Run());
  }
  return status;
}

// SQLite takes an empty file for a new database; here it is what is left of one. A new store never
// has one, see CreateDatabase.
Status CheckNotEmpty(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || status.st_size > 0) return OkStatus();
  return Error{ResultCode::kUnwillingToPerform,
               path +
                   " is empty, so what it held is lost: restore it from a backup, or remove it "
                   "to begin a new store",
               ""};
}

// How to read the store without writing to its directory. SQLite needs the log's index in shared
// memory, which it makes beside the database, unless nothing can change.
Result<Connection::Access> ChooseReadAccess(const std::string& directory) {
  struct statvfs file_system {};
  if (statvfs(directory.c_str(), &file_system) != 0) {
    return SystemError(errno, "cannot read the directory " + directory);
  }
  if ((file_system.f_flag & ST_RDONLY) == 0) {
    const std::string memory = StoreContext::DatabasePath(directory) + "-shm";
    const bool has_memory = access(memory.c_str(), F_OK) == 0;
    const std::string& needed = has_memory ? memory : directory;
    if (access(needed.c_str(), W_OK) == 0) return Connection::Access::kReadOnly;
    return SystemError(errno, "reading a store needs the right to write " + needed);
  }
  if (FileBytes(StoreContext::DatabasePath(directory) + "-wal") == 0) {
    return Connection::Access::kImmutable;
  }
  return Error{ResultCode::kUnavailable,
               "the store was not closed cleanly (twintree.db-wal is not empty), and its file "
               "system is read-only: copy the directory to where it can be written",
               ""};
}

Result<std::unique_ptr<EntryStore>> OpenReadOnly(const SqliteOptions& options,
                                                 std::shared_ptr<const model::Schema> schema) {
  const std::string path = StoreContext::DatabasePath(options.directory);
  TT_RETURN_IF_ERROR(CheckNotEmpty(path));
  TT_ASSIGN_OR_RETURN(const Connection::Access access, ChooseReadAccess(options.directory));
  TT_ASSIGN_OR_RETURN(auto connection, Connection::Open(path, access, {}));
  TT_RETURN_IF_ERROR(CheckLayout(*connection));
  TT_ASSIGN_OR_RETURN(IndexSet indexes, ChooseIndexes(options, *connection, *schema));
  TT_ASSIGN_OR_RETURN(const bool agree, IndexesAgree(*connection, indexes));
  auto context =
      std::make_shared<StoreContext>(options, std::move(schema), std::move(indexes), agree, access);
  return std::unique_ptr<EntryStore>(std::make_unique<Store>(std::move(context)));
}

Status SyncDirectory(const std::string& directory) {
  const int file = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return SystemError(errno, "cannot open " + directory);
  const int failure = fsync(file) == 0 ? 0 : errno;
  close(file);
  return failure == 0 ? OkStatus() : Status(SystemError(failure, "cannot write " + directory));
}

// Makes the database under another name and gives it its own when it is complete, so that a crash
// leaves none, or a whole one.
Status CreateDatabase(const std::string& directory) {
  const std::string path = StoreContext::DatabasePath(directory);
  const std::string unfinished = StoreContext::FillPath(directory);
  for (const char* suffix : {"", "-wal", "-shm"}) unlink((unfinished + suffix).c_str());
  TT_RETURN_IF_ERROR(MakePrivateFile(unfinished));
  TT_ASSIGN_OR_RETURN(auto connection,
                      Connection::Open(unfinished, Connection::Access::kCreate, {}));
  TT_RETURN_IF_ERROR(Migrate(*connection));
  connection.reset();
  if (rename(unfinished.c_str(), path.c_str()) != 0) {
    return SystemError(errno, "cannot make " + path);
  }
  return SyncDirectory(directory);
}

Result<std::unique_ptr<EntryStore>> OpenForWriting(const SqliteOptions& options,
                                                   std::shared_ptr<const model::Schema> schema) {
  TT_RETURN_IF_ERROR(MakeDirectory(options.directory));
  TT_ASSIGN_OR_RETURN(auto lock, StoreLock::Acquire(options.directory + "/twintree.lock"));
  const std::string path = StoreContext::DatabasePath(options.directory);
  // What a load left that was killed.
  unlink(StoreContext::FillPath(options.directory).c_str());
  TT_RETURN_IF_ERROR(CheckNotEmpty(path));
  std::error_code error;
  const bool is_there = std::filesystem::exists(path, error);
  if (error) return SystemError(error.value(), "cannot open " + path);
  if (!is_there) TT_RETURN_IF_ERROR(CreateDatabase(options.directory));
  // SQLite gives its log and shared memory the mode of the database.
  for (const char* const suffix : {"", "-wal", "-shm"}) WithdrawFromOthers(path + suffix);
  TT_ASSIGN_OR_RETURN(auto first, Connection::Open(path, Connection::Access::kWrite, {}));
  TT_RETURN_IF_ERROR(Migrate(*first));
  TT_ASSIGN_OR_RETURN(IndexSet indexes, ChooseIndexes(options, *first, *schema));
  auto context = std::make_shared<StoreContext>(options, std::move(schema), std::move(indexes),
                                                true, Connection::Access::kQueryOnly);
  // A disk that is full must not keep anybody from reading; what is damaged is found below.
  static_cast<void>(MakeFirstDictionary(*context));
  TT_ASSIGN_OR_RETURN(auto tables,
                      context->OpenTables(Connection::Access::kWrite, Writer::kCacheBytes));
  first.reset();
  TT_ASSIGN_OR_RETURN(const bool agree, IndexesAgree(*tables->connection, context->indexes));
  if (!agree) {
    TT_RETURN_IF_ERROR(
        TellOfIndexChange(options, *tables->connection, context->indexes, *context->schema));
    TT_RETURN_IF_ERROR(RebuildAtOpen(*context, *tables));
    TT_ASSIGN_OR_RETURN(tables,
                        context->OpenTables(Connection::Access::kWrite, Writer::kCacheBytes));
  }
  TT_ASSIGN_OR_RETURN(const StoreState state, tables->state.Read());
  auto store = std::make_unique<Store>(std::move(context));
  store->StartWriter(std::move(lock), std::move(tables), state);
  return std::unique_ptr<EntryStore>(std::move(store));
}

}  // namespace

}  // namespace sqlite

Result<std::unique_ptr<EntryStore>> SqliteEntryStore::Open(
    const SqliteOptions& options, std::shared_ptr<const model::Schema> schema) {
  if (options.directory.empty()) {
    return Error{ResultCode::kUnwillingToPerform, "the store's directory is not given", ""};
  }
  return options.read_only ? sqlite::OpenReadOnly(options, std::move(schema))
                           : sqlite::OpenForWriting(options, std::move(schema));
}

std::string SqliteEntryStore::LibraryVersion() { return sqlite3_libversion(); }

}  // namespace twintree::storage
