#include "storage/sqlite/term_index.h"

#include <algorithm>
#include <cstddef>

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

using IdChanges = PendingTermTable::IdChanges;

bool Mentions(const IdChanges& changes, EntryId id) {
  const auto place = std::lower_bound(
      changes.begin(), changes.end(), id,
      [](const PendingTermTable::IdChange& change, EntryId of) { return change.id < of; });
  return place != changes.end() && place->id == id;
}

// Takes those that `changes` speaks of out of the ids from `begin` on.
void TakeMentioned(const IdChanges& changes, std::size_t begin, std::vector<EntryId>* ids) {
  const auto from = ids->begin() + static_cast<std::ptrdiff_t>(begin);
  ids->erase(std::remove_if(from, ids->end(), [&](EntryId id) { return Mentions(changes, id); }),
             ids->end());
}

void AppendAdded(const IdChanges& changes, std::vector<EntryId>* ids) {
  for (const auto& [id, add] : changes) {
    if (add) ids->push_back(id);
  }
}

// The smallest key above all that begin with `prefix`; nothing when there is none.
std::optional<std::string> After(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xff) prefix.pop_back();
  if (prefix.empty()) return std::nullopt;
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

}  // namespace

Result<bool> TermIndex::FindEqual(std::uint32_t space, std::string_view key, std::size_t limit,
                                  std::vector<EntryId>* ids) {
  const IdChanges* const changes = pending_.Find(space, key);
  if (changes == nullptr) return table_.FindEqual(space, key, limit, ids);
  // As many may be taken away again.
  const std::size_t in_table = std::min(limit, ids->max_size() - changes->size()) + changes->size();
  TT_ASSIGN_OR_RETURN(const bool complete, table_.FindEqual(space, key, in_table, ids));
  if (!complete) return false;
  TakeMentioned(*changes, 0, ids);
  const auto found = static_cast<std::ptrdiff_t>(ids->size());
  AppendAdded(*changes, ids);
  std::inplace_merge(ids->begin(), ids->begin() + found, ids->end());
  return ids->size() <= limit;
}

Result<bool> TermIndex::FindRange(std::uint32_t space, std::string_view low,
                                  const std::optional<std::string>& high, std::size_t limit,
                                  std::vector<EntryId>* ids) {
  std::vector<EntryId> added;
  bool any = false;
  pending_.VisitRange(space, low, high, [&](std::string_view, const IdChanges& changes) {
    any = true;
    AppendAdded(changes, &added);
  });
  if (!any) return table_.FindRange(space, low, high, limit, nullptr, ids);
  auto correct = [&](std::string_view key, std::size_t begin, std::vector<EntryId>* row_ids) {
    const IdChanges* const changes = pending_.Find(space, key);
    if (changes != nullptr) TakeMentioned(*changes, begin, row_ids);
  };
  TT_ASSIGN_OR_RETURN(const bool complete, table_.FindRange(space, low, high, limit, correct, ids));
  if (!complete) return false;
  ids->insert(ids->end(), added.begin(), added.end());
  SortAndUnite(ids);
  return ids->size() <= limit;
}

Result<bool> TermIndex::FindPrefix(std::uint32_t space, const std::string& prefix,
                                   std::size_t limit, std::vector<EntryId>* ids) {
  // The bound itself is no match, but as candidates may be more than matches it need not be
  // excluded.
  return FindRange(space, prefix, After(prefix), limit, ids);
}

Status TermIndex::Apply(ChangeNumber version, std::span<const TermChange> changes) {
  if (changes.empty()) return OkStatus();
  TT_RETURN_IF_ERROR(pending_.Refresh(std::nullopt));
  TT_ASSIGN_OR_RETURN(const bool kept, pending_.Keep(version, changes));
  if (kept) return OkStatus();
  if (pending_.empty()) return table_.Apply(changes);
  TT_ASSIGN_OR_RETURN(const std::vector<TermChange> all, pending_.TakeWith(changes));
  return table_.Apply(all);
}

Status TermIndex::VisitAll(
    const std::function<Status(std::uint32_t, std::string_view, std::span<const EntryId>)>& visit) {
  TT_RETURN_IF_ERROR(pending_.Refresh(std::nullopt));
  std::vector<EntryId> ids;
  TT_RETURN_IF_ERROR(table_.VisitAll(
      [&](std::uint32_t space, std::string_view key, std::span<const EntryId> of_row) {
        const IdChanges* const changes = pending_.Find(space, key);
        if (changes == nullptr) return visit(space, key, of_row);
        ids.assign(of_row.begin(), of_row.end());
        TakeMentioned(*changes, 0, &ids);
        return visit(space, key, ids);
      }));
  Status status;
  pending_.VisitAll([&](std::uint32_t space, std::string_view key, const IdChanges& changes) {
    if (!status.ok()) return;
    ids.clear();
    AppendAdded(changes, &ids);
    status = visit(space, key, ids);
  });
  return status;
}

}  // namespace twintree::storage::sqlite
