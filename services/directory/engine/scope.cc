#include "services/directory/engine/scope.h"

#include <algorithm>
#include <utility>

namespace twintree::directory {
namespace {

using model::Result;
using storage::EntryId;
using storage::kNoEntry;

using Ids = std::vector<EntryId>;

bool IsSubtree(Scope scope) { return scope == Scope::kSubtree || scope == Scope::kSubordinate; }

}  // namespace

void SearchScope::Add(EntryId base, Scope scope) {
  places_.push_back({base, scope});
  has_subtree_ = has_subtree_ || IsSubtree(scope);
  remembered_.clear();
  has_last_ = false;
}

std::optional<EntryId> SearchScope::only_base() const {
  if (places_.size() != 1) return std::nullopt;
  return places_.front().base;
}

bool SearchScope::IsSubtreeBase(EntryId id) const {
  return std::any_of(places_.begin(), places_.end(), [id](const Place& place) {
    return place.base == id && IsSubtree(place.scope);
  });
}

Result<bool> SearchScope::Holds(storage::ReadTransaction& reader,
                                const storage::StoredEntry& entry) {
  for (const Place& place : places_) {
    const bool at_base = place.base == entry.id;
    if (at_base && (place.scope == Scope::kBase || place.scope == Scope::kSubtree)) return true;
    if (place.scope == Scope::kOneLevel && place.base == entry.parent) return true;
  }
  if (!has_subtree_) return false;
  if (has_last_ && last_parent_ == entry.parent) return last_answer_;
  TT_ASSIGN_OR_RETURN(last_answer_, InSubtree(reader, entry.parent));
  last_parent_ = entry.parent;
  has_last_ = true;
  return last_answer_;
}

Result<bool> SearchScope::InSubtree(storage::ReadTransaction& reader, EntryId id) {
  Ids path;
  bool within = false;
  for (EntryId at = id;;) {
    if (IsSubtreeBase(at)) {
      within = true;
      break;
    }
    const auto known = remembered_.find(at);
    if (known != remembered_.end()) {
      within = known->second;
      break;
    }
    if (at == kNoEntry) break;
    path.push_back(at);
    TT_ASSIGN_OR_RETURN(at, reader.ParentOf(at));
  }
  if (remembered_.size() + path.size() > kMaxRemembered) remembered_.clear();
  for (EntryId at : path) remembered_[at] = within;
  return within;
}

Result<std::optional<Ids>> SearchScope::Walk(storage::ReadTransaction& reader,
                                             std::size_t limit) const {
  Ids found;
  for (const Place& place : places_) {
    const bool base_itself = place.scope == Scope::kBase || place.scope == Scope::kSubtree;
    if (base_itself && place.base != kNoEntry) found.push_back(place.base);
    if (place.scope == Scope::kBase) continue;
    // Breadth first: entries from `next` on have not been asked for their children.
    std::size_t next = found.size();
    TT_RETURN_IF_ERROR(reader.Children(place.base, kNoEntry, limit + 1, &found));
    while (IsSubtree(place.scope) && next < found.size() && found.size() <= limit) {
      TT_RETURN_IF_ERROR(reader.Children(found[next++], kNoEntry, limit + 1, &found));
    }
    if (found.size() > limit) return std::optional<Ids>();
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return std::optional<Ids>(std::move(found));
}

}  // namespace twintree::directory
