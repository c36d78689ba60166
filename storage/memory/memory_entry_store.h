// A store that keeps everything in memory: the model that other stores are compared with, and a
// quick stand-in for them in tests. Nothing survives it.
#ifndef TWINTREE_STORAGE_MEMORY_MEMORY_ENTRY_STORE_H_
#define TWINTREE_STORAGE_MEMORY_MEMORY_ENTRY_STORE_H_

#include <cstddef>
#include <memory>

#include "storage/entry_store.h"
#include "storage/index.h"

namespace twintree::storage {

struct MemoryOptions {
  // Records that the change log keeps at least.
  std::size_t change_log_limit = 100'000;
  // Pieces of work that may wait; more are refused with kBusy.
  std::size_t max_queued_work = 100'000;
};

// REQUIRES: the schema of `indexes` outlives the store.
std::unique_ptr<EntryStore> MakeMemoryEntryStore(IndexSet indexes, MemoryOptions options = {});

}  // namespace twintree::storage

#endif  // TWINTREE_STORAGE_MEMORY_MEMORY_ENTRY_STORE_H_
