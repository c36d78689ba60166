// The thread that makes all changes, many pieces of work to a commit.
#ifndef TWINTREE_STORAGE_SQLITE_WRITER_H_
#define TWINTREE_STORAGE_SQLITE_WRITER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "storage/entry_store.h"
#include "storage/sqlite/read_load.h"
#include "storage/sqlite/reader_pool.h"
#include "storage/sqlite/store_context.h"
#include "storage/sqlite/store_lock.h"
#include "storage/sqlite/tables.h"
#include "storage/sqlite/write_batch.h"

namespace twintree::storage::sqlite {

// Takes what is queued, applies it in one database transaction, commits, publishes the new version
// and reports. A lone write is committed at once, and what arrives meanwhile goes together into the
// next commit. Only where reading keeps the processors busy does it wait for more, when several
// clients write.
//
// Thread-safety: safe.
class Writer {
 public:
  static constexpr std::int64_t kCacheBytes = 32 << 20;  // SQLite's own, of its connection

  struct Counts {
    std::uint64_t commits = 0;
    std::uint64_t committed_work = 0;
    std::uint64_t failed_commits = 0;
    std::uint64_t queued_work = 0;
    double commit_seconds = 0;
    decltype(StoreStatistics::commit_durations) commit_durations{};
  };

  // `tables`: a connection that may write. `lock`: what keeps other processes from writing.
  Writer(std::shared_ptr<StoreContext> context, std::shared_ptr<ReaderPool> pool,
         std::unique_ptr<StoreLock> lock, std::unique_ptr<Tables> tables,
         const StoreState& committed);
  ~Writer() { Close(); }

  // As EntryStore::Submit.
  void Submit(EntryStore::Work work, EntryStore::Done done);
  // Tries to write without changing anything: a rolled back write or, after a commit has failed, a
  // commit. Errors: those of a commit; kBusy when the queue does not move.
  Status Probe();
  // Runs `task` on the writer's thread and connection, outside a transaction, and waits for it.
  Status RunTask(std::function<Status(Tables&)> task);

  // Waits until the queue is empty and keeps the writer still, for somebody who writes through a
  // connection of his own. Work that is submitted meanwhile is refused with kBusy.
  // Errors: kUnwillingToPerform when that is so already; kUnavailable after Close().
  Status Pause();
  // Goes on from the state that the database now has. REQUIRES: paused; the other connection is
  // done.
  void Resume();
  // Closes the connection, so that the database file can be replaced, and opens one to the file
  // that is there now. A writer that cannot is closed. REQUIRES: paused.
  void Disconnect();
  Status Connect();
  ReaderPool& readers() { return *pool_; }
  // The number above all versions that were ever begun. REQUIRES: paused.
  ChangeNumber used_versions() const { return used_versions_; }

  Counts counts() const;
  // Finishes what is queued and ends the thread. Idempotent.
  void Close();
  // Gives back connection and lock, now or, if somebody else is writing, when he resumes.
  // REQUIRES: closed.
  void Release();

 private:
  using Clock = std::chrono::steady_clock;
  using Task = std::function<Status(Tables&)>;
  struct Item {
    EntryStore::Work work;
    Task task;  // instead of `work`
    EntryStore::Done done;
    Status result;  // not ok when queued: refused
  };

  void Enqueue(Item item);
  std::future<Status> EnqueueTask(Task task);
  void Run();
  void JudgeLoad();
  void Gather(std::unique_lock<std::mutex>* lock, Clock::time_point until);
  void RunBatch(std::vector<Item>* items);
  std::size_t RunWorks(std::vector<Item>* items, std::size_t first);
  std::size_t ApplyWorks(std::vector<Item>* items, std::size_t first);
  void NoteResults(std::span<Item> items, const Status& failure);
  void RunWork(Item* item);
  Status TryToWrite(Tables& tables);
  Status Commit();
  void RollBack();
  void Checkpoint();
  void Reload();

  const std::shared_ptr<StoreContext> context_;
  const std::shared_ptr<ReaderPool> pool_;
  std::unique_ptr<StoreLock> lock_;
  std::unique_ptr<Tables> tables_;

  // Of the writer's thread, or of whoever paused it.
  std::optional<WriteBatch> batch_;
  StoreState committed_;
  ChangeNumber used_versions_;
  bool last_commit_failed_ = false;
  int wal_pages_ = 0;  // set by SQLite at each commit
  int next_checkpoint_pages_;
  ReadLoad load_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<Item> queue_;
  std::size_t refused_ = 0;  // items in the queue that only wait to be told so
  bool running_ = false;     // a batch is
  bool gathering_ = false;   // not before a time, or until enough is queued
  bool paused_ = false;
  bool reload_ = false;  // somebody else has written
  bool closed_ = false;
  Counts counts_;

  std::mutex close_mutex_;
  std::thread thread_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_WRITER_H_
