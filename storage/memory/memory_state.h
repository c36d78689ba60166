// Everything a memory store holds at one moment, and how it is read and changed.
//
// Thread-safety: compatible; a copy is cheap and independent.
#ifndef TWINTREE_STORAGE_MEMORY_MEMORY_STATE_H_
#define TWINTREE_STORAGE_MEMORY_MEMORY_STATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/entry_store.h"
#include "storage/memory/persistent_map.h"

namespace twintree::storage {

struct MemoryState {
  struct Nothing {};
  using ChildKey = std::pair<EntryId, std::string>;  // parent, RDN key
  using ChildId = std::pair<EntryId, EntryId>;       // parent, child
  using TermKey = std::pair<IndexTerm, EntryId>;

  PersistentMap<EntryId, StoredEntryPtr> entries;
  PersistentMap<ChildKey, EntryId> by_name;
  PersistentMap<ChildId, Nothing> by_parent;
  PersistentMap<TermKey, Nothing> terms;
  PersistentMap<ChangeNumber, Change> changes;
  PersistentMap<std::string, std::string> settings;
  ChangeNumber version = 0;
  ChangeNumber hierarchy_version = 0;
  ChangeNumber log_floor = 0;  // changes up to here are no longer in the log
  EntryId last_id = 0;

  EntryId FindChild(EntryId parent, std::string_view rdn_key) const;
  StoredEntryPtr Get(EntryId id) const;
  bool HasChildren(EntryId id) const;
  LookupState Lookup(const IndexSet& indexes, const IndexQuery& query, std::size_t limit,
                     std::vector<EntryId>* ids) const;
  Status ReadChanges(ChangeNumber after, std::size_t limit, std::vector<Change>* out) const;

  Result<EntryId> Insert(NewEntry entry, const IndexSet& indexes);
  Status Replace(EntryId id, model::Entry entry, const IndexSet& indexes);
  Status Move(EntryId id, NewEntry entry, const IndexSet& indexes);
  Status Remove(EntryId id, const IndexSet& indexes);
  void Trim(std::size_t change_log_limit);

 private:
  void Link(const StoredEntryPtr& entry, const IndexSet& indexes);
  void Unlink(const StoredEntry& entry, const IndexSet& indexes);
};

}  // namespace twintree::storage

#endif  // TWINTREE_STORAGE_MEMORY_MEMORY_STATE_H_
