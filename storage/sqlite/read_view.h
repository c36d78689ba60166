// Reading a snapshot through the caches.
#ifndef TWINTREE_STORAGE_SQLITE_READ_VIEW_H_
#define TWINTREE_STORAGE_SQLITE_READ_VIEW_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "storage/sqlite/store_context.h"
#include "storage/sqlite/tables.h"

namespace twintree::storage::sqlite {

// What a connection sees of one version: cached values of that version, and the database's where
// the caches have none. What is loaded is offered to the caches.
//
// Thread-safety: that of the connection.
class ReadView {
 public:
  ReadView(StoreContext& context, Tables& tables, ChangeNumber version)
      : context_(context), tables_(tables), version_(version) {}

  ChangeNumber version() const { return version_; }
  void set_version(ChangeNumber version) { version_ = version; }

  Result<EntryId> FindChild(EntryId parent, std::string_view rdn_key);
  Result<StoredEntryPtr> Get(EntryId id);
  Result<EntryId> ParentOf(EntryId id);
  Status Children(EntryId parent, EntryId after, std::size_t limit, std::vector<EntryId>* ids);
  Result<std::uint64_t> CountChildren(EntryId parent, std::uint64_t at_most);
  Status Scan(EntryId after, const ScanLimit& limit, std::vector<StoredEntryPtr>* entries);
  Result<LookupState> Lookup(const IndexQuery& query, std::size_t limit, std::vector<EntryId>* ids);

  // The same past the caches, for a connection that has uncommitted changes.
  Result<LookupState> LookupInDatabase(const IndexQuery& query, std::size_t limit,
                                       std::vector<EntryId>* ids);
  // False when the store has no index that can answer.
  bool CanAnswer(const IndexQuery& query) const;

 private:
  // `version`: of the connection's snapshot, nullopt when it has uncommitted changes.
  Result<LookupState> LookUpAt(std::optional<ChangeNumber> version, const IndexQuery& query,
                               std::size_t limit, std::vector<EntryId>* ids);

  StoreContext& context_;
  Tables& tables_;
  ChangeNumber version_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_READ_VIEW_H_
