// The table of entries.
//
//   entry(id, parent, rdn, rdn_key, data)   unique (parent, rdn_key); index (parent), ids in order
//
// `rdn` is NULL when it is spelled like `rdn_key`; `data` is the entry's stored form,
// packed (entry_packing.h).
#ifndef TWINTREE_STORAGE_SQLITE_ENTRY_TABLE_H_
#define TWINTREE_STORAGE_SQLITE_ENTRY_TABLE_H_

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "services/model/schema.h"
#include "storage/entry_store.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/entry_packing.h"

namespace twintree::storage::sqlite {

// Thread-safety: that of its connection.
class EntryTable {
 public:
  // REQUIRES: `packing` is of the same connection.
  EntryTable(Connection& connection, EntryPacking& packing, const model::Schema& schema);

  Result<EntryId> FindChild(EntryId parent, std::string_view rdn_key);
  Result<StoredEntryPtr> Get(EntryId id);
  Result<EntryId> ParentOf(EntryId id);
  Status Children(EntryId parent, EntryId after, std::size_t limit, std::vector<EntryId>* ids);
  Result<std::uint64_t> CountChildren(EntryId parent, std::uint64_t at_most);
  // `known` may answer for an entry (null: it does not), whose row is then not read.
  Status Scan(EntryId after, const ScanLimit& limit,
              const std::function<StoredEntryPtr(EntryId)>& known,
              std::vector<StoredEntryPtr>* entries);

  // The entry of a row's `data`.
  Result<model::Entry> DecodeData(EntryId id, std::string_view data);

  // Errors: kEntryAlreadyExists.
  Status Insert(const StoredEntry& entry);
  // Writes all columns anew. Errors: kEntryAlreadyExists.
  Status Update(const StoredEntry& entry);
  Status UpdateData(EntryId id, std::string_view form);
  Status Remove(EntryId id);

 private:
  Result<StoredEntryPtr> ReadRow(Query& query);

  EntryPacking& packing_;
  const model::Schema& schema_;
  Statement find_child_;
  Statement get_;
  Statement parent_;
  Statement children_;
  Statement count_children_;
  Statement scan_;
  Statement insert_;
  Statement update_;
  Statement update_data_;
  Statement remove_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_ENTRY_TABLE_H_
