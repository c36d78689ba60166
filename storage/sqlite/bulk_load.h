// Filling a store quickly.
#ifndef TWINTREE_STORAGE_SQLITE_BULK_LOAD_H_
#define TWINTREE_STORAGE_SQLITE_BULK_LOAD_H_

#include <memory>

#include "storage/entry_store.h"
#include "storage/sqlite/store_context.h"
#include "storage/sqlite/writer.h"

namespace twintree::storage::sqlite {

// A load is one transaction on a connection of its own, while the writer is paused: readers see the
// old state until it commits, and if it never does, nothing has happened. A store that never had an
// entry gets a new file instead (replacement.h). Its changes are not in the change log, which
// begins anew after it.
Result<std::unique_ptr<BulkLoad>> StartBulkLoad(std::shared_ptr<StoreContext> context,
                                                std::shared_ptr<Writer> writer);

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_BULK_LOAD_H_
