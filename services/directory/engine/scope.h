// The part of the tree that a search covers.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_SCOPE_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_SCOPE_H_

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "services/directory/directory.h"
#include "storage/entry_store.h"

namespace twintree::directory {

// One or several places with a scope each, and which entries lie within.
//
// The root of all (kNoEntry) is a place too: its children are the naming contexts.
//
// Thread-safety: confined.
class SearchScope {
 public:
  SearchScope() = default;
  SearchScope(storage::EntryId base, Scope scope) { Add(base, scope); }

  void Add(storage::EntryId base, Scope scope);

  // Is the entry within? Remembers what it learns of the hierarchy.
  model::Result<bool> Holds(storage::ReadTransaction& reader, const storage::StoredEntry& entry);
  // The only place, if there is one.
  std::optional<storage::EntryId> only_base() const;
  // The scope of the only place. REQUIRES: only_base() is set.
  Scope only_scope() const { return places_.front().scope; }

  // All entries within, ascending, each once, if there are at most `limit`; nullopt when there are
  // more. Takes about as many store calls.
  model::Result<std::optional<std::vector<storage::EntryId>>> Walk(storage::ReadTransaction& reader,
                                                                   std::size_t limit) const;

 private:
  // Parents remembered; beyond, memory starts anew.
  static constexpr std::size_t kMaxRemembered = 1 << 16;

  struct Place {
    storage::EntryId base = storage::kNoEntry;
    Scope scope = Scope::kBase;
  };

  // Is `id` the base of a subtree place, or below one?
  model::Result<bool> InSubtree(storage::ReadTransaction& reader, storage::EntryId id);
  bool IsSubtreeBase(storage::EntryId id) const;

  std::vector<Place> places_;
  bool has_subtree_ = false;
  std::unordered_map<storage::EntryId, bool> remembered_;
  storage::EntryId last_parent_ = storage::kNoEntry;
  bool last_answer_ = false;
  bool has_last_ = false;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_SCOPE_H_
