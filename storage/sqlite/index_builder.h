// Builds indexes of many entries at once.
#ifndef TWINTREE_STORAGE_SQLITE_INDEX_BUILDER_H_
#define TWINTREE_STORAGE_SQLITE_INDEX_BUILDER_H_

#include <cstddef>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "storage/sqlite/store_context.h"
#include "storage/sqlite/tables.h"
#include "storage/sqlite/term_sorter.h"
#include "storage/sqlite/trigram_lists.h"

namespace twintree::storage::sqlite {

// Terms gather in chunks, which a thread of its own sorts into runs while the next one gathers; at
// the end the runs are merged and the tables written in order. Memory is bounded by
// SqliteOptions::bulk_memory_bytes / 2, whatever the number of entries: two chunks and the lists of
// trigrams.
//
// REQUIRES: the connection is in a transaction, and keeps to it until Finish().
// Thread-safety: confined.
class IndexBuilder {
 public:
  IndexBuilder(const StoreContext& context, Tables& tables);
  ~IndexBuilder();
  IndexBuilder(const IndexBuilder&) = delete;
  IndexBuilder& operator=(const IndexBuilder&) = delete;

  // `terms`: of PrepareTerms().
  // REQUIRES: ids ascend, and are above all that the indexes hold. Errors: kUnavailable.
  Status Add(EntryId id, std::string terms);
  // Calls `progress` (may be empty) with fractions from 0 to 1.
  Status Finish(const std::function<void(double)>& progress);

 private:
  Status HandOver();
  Status AwaitWorker();
  Status WriteTrigrams();
  Status WriteTerms(const std::function<void(double)>& progress);

  Tables& tables_;
  const std::size_t chunk_bytes_;
  std::vector<EntryTerms> chunk_;
  std::size_t bytes_ = 0;  // that chunk_ takes
  std::future<Status> worker_;
  // Of the worker while it runs.
  TermSorter terms_;
  TrigramLists trigrams_;
};

// Empties the indexes and builds them from the entries.
// REQUIRES: the connection is in a transaction, and is closed after that.
Status RebuildIndexes(const StoreContext& context, Tables& tables,
                      const std::function<void(double)>& progress);

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_INDEX_BUILDER_H_
