// Comparing a store's entries, hierarchy and indexes.
#ifndef TWINTREE_STORAGE_SQLITE_STORE_CHECK_H_
#define TWINTREE_STORAGE_SQLITE_STORE_CHECK_H_

#include <cstddef>
#include <functional>

#include "storage/entry_store.h"
#include "storage/sqlite/store_context.h"
#include "storage/sqlite/writer.h"

namespace twintree::storage::sqlite {

// As EntryStore::Check. The check reads one snapshot and disturbs nobody; a rebuild pauses the
// writer. REQUIRES: `writer` is not null when `rebuild` is asked for.
Status CheckStore(StoreContext& context, Writer* writer, bool rebuild, std::size_t max_problems,
                  const std::function<void(const StoreProblem&)>& report);

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_STORE_CHECK_H_
