// Connections for readers, which keep their snapshots between uses.
#ifndef TWINTREE_STORAGE_SQLITE_READER_POOL_H_
#define TWINTREE_STORAGE_SQLITE_READER_POOL_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "storage/sqlite/store_context.h"

namespace twintree::storage::sqlite {

// A place for one connection; whoever sets `busy` owns the rest.
struct alignas(64) ReaderSlot {
  std::atomic<bool> busy{false};
  std::atomic<std::uint64_t> reads{0};  // that began here
  bool snapshot_open = false;
  std::uint64_t epoch = 0;  // of the open snapshot
  StoreState state;         // of the open snapshot
  std::unique_ptr<Tables> tables;
};

// Thread-safety: safe; no lock is shared: each thread begins at a slot of its own.
class ReaderPool : public std::enable_shared_from_this<ReaderPool> {
 public:
  explicit ReaderPool(std::shared_ptr<StoreContext> context)
      : context_(std::move(context)),
        slots_(std::max<std::size_t>(context_->options.max_snapshots, 1)) {}

  // A snapshot of the published version or a later one. When the slot's own is still that, this
  // makes no call to SQLite.
  // Errors: kBusy when too many snapshots are open, kUnavailable after Close() or when the storage
  // fails.
  Result<std::unique_ptr<ReadTransaction>> Read();

  // Makes way for a checkpoint: ends the snapshots that nobody is using, and lets those that are in
  // use not be used again.
  void EndIdleSnapshots();
  // Closes all connections and lets nobody open one until Admit(): Read() waits meanwhile. False,
  // and nothing has changed, when somebody is reading.
  bool Seclude();
  void Admit();
  // Closes the connections that nobody is using; the others close when they are given back.
  void Close();
  std::uint64_t CountOpen() const;
  // That began since the pool was made.
  std::uint64_t CountReads() const;

  StoreContext& context() { return *context_; }
  void Release(ReaderSlot* slot);

 private:
  ReaderSlot* Claim();
  Status Renew(ReaderSlot* slot);
  static void EndSnapshot(ReaderSlot* slot);
  void EndSeclusion();
  bool IsKept(const ReaderSlot* slot) const;
  bool IsCurrent(const ReaderSlot* slot) const;

  const std::shared_ptr<StoreContext> context_;
  std::vector<ReaderSlot> slots_;
  std::atomic<bool> closed_{false};
  std::atomic<bool> secluded_{false};
  std::atomic<std::uint64_t> epoch_{0};  // snapshots of older epochs must be renewed
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_READER_POOL_H_
