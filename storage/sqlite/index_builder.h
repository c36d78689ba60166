// Builds indexes of many entries at once.
#ifndef TWINTREE_STORAGE_SQLITE_INDEX_BUILDER_H_
#define TWINTREE_STORAGE_SQLITE_INDEX_BUILDER_H_

#include <functional>

#include "storage/sqlite/store_context.h"
#include "storage/sqlite/tables.h"
#include "storage/sqlite/term_sorter.h"

namespace twintree::storage::sqlite {

// Terms are sorted first and written in order; substring texts are written as they come, FTS5
// sorts them itself.
//
// REQUIRES: the connection is in a transaction, and keeps to it until Finish().
// Thread-safety: confined.
class IndexBuilder {
 public:
  IndexBuilder(const StoreContext& context, Tables& tables)
      : context_(context),
        tables_(tables),
        sorter_(context.options.directory, context.options.bulk_memory_bytes / 2) {}

  // Prepares the tables. Called first.
  Status Begin();
  // REQUIRES: ids ascend, and are above all that the indexes hold.
  Status Add(const StoredEntry& entry);
  // Calls `progress` (may be empty) with fractions from 0 to 1.
  Status Finish(const std::function<void(double)>& progress);

 private:
  const StoreContext& context_;
  Tables& tables_;
  TermSorter sorter_;
};

// Empties the indexes and builds them from the entries.
// REQUIRES: the connection is in a transaction.
Status RebuildIndexes(const StoreContext& context, Tables& tables,
                      const std::function<void(double)>& progress);

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_INDEX_BUILDER_H_
