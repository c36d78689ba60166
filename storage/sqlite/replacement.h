// A database that is filled beside the store's own and then takes its place.
//
// Filling a new file needs no journal: it is written once, made durable once, and counts only when
// it has the store's name. Killed before that, it is a file that the next to open the store
// removes.
#ifndef TWINTREE_STORAGE_SQLITE_REPLACEMENT_H_
#define TWINTREE_STORAGE_SQLITE_REPLACEMENT_H_

#include <cstdint>
#include <memory>

#include "storage/sqlite/store_context.h"
#include "storage/sqlite/writer.h"

namespace twintree::storage::sqlite {

// Makes the new database, without entries and otherwise like that of `old`, and begins a
// transaction in it. REQUIRES: the writer is paused.
Result<std::unique_ptr<Tables>> MakeReplacement(StoreContext& context, Tables& old,
                                                std::int64_t cache_bytes);

// Puts the new database, which is committed and closed, in the store's place: by its name, with
// owner and mode of the old one, when that can be and nobody else has the store open; else by
// copying it into the old one, so that snapshots live on.
// On an error the store is as it was. REQUIRES: the writer is paused.
Status InstallReplacement(StoreContext& context, Writer& writer);

// Removes the new database, if there is one.
void DiscardReplacement(const StoreContext& context);

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_REPLACEMENT_H_
