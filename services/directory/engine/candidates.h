// The entries that a search looks at, one after the other in ascending id, in constant memory but
// for a list of ids.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_CANDIDATES_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_CANDIDATES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "storage/entry_store.h"

namespace twintree::directory {

// Thread-safety: confined.
class CandidateStream {
 public:
  CandidateStream() = default;

  // An entry that has been read already.
  static CandidateStream OfEntry(storage::StoredEntryPtr entry);
  // These ids, which are ascending.
  static CandidateStream OfIds(std::vector<storage::EntryId> ids);
  // The children of an entry.
  static CandidateStream OfChildren(storage::EntryId parent);
  // All entries of the store.
  static CandidateStream OfAll();

  // Passes over entries up to `id`.
  void SkipTo(storage::EntryId id);
  // The next entry may be wanted much later: keeps little in memory until then.
  void Pause();
  // Null at the end. Entries that do not exist are passed over.
  model::Result<storage::StoredEntryPtr> Next(storage::ReadTransaction& reader);

  // How many entries are listed, read or not; nullopt for the kinds that list none.
  std::optional<std::uint64_t> listed() const;
  // True if it is known that nothing follows.
  bool at_end() const { return position_ == listed(); }

 private:
  enum class Source { kEntry, kIds, kChildren, kAll };

  model::Result<storage::StoredEntryPtr> NextId(storage::ReadTransaction& reader);
  model::Result<storage::StoredEntryPtr> NextScanned(storage::ReadTransaction& reader);

  Source source_ = Source::kIds;
  storage::EntryId parent_ = storage::kNoEntry;
  storage::EntryId after_ = storage::kNoEntry;
  std::size_t position_ = 0;
  std::vector<storage::EntryId> ids_;             // kIds: all of them; kChildren: a batch
  std::vector<storage::StoredEntryPtr> entries_;  // kAll: a batch
  storage::StoredEntryPtr entry_;                 // kEntry
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_CANDIDATES_H_
