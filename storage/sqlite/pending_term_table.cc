#include "storage/sqlite/pending_term_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "storage/sqlite/fts5_structure.h"

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

std::string EncodeRow(std::span<const TermChange> changes) {
  std::string row;
  for (const TermChange& change : changes) {
    AppendVarint(std::uint64_t{change.space} * 2 + (change.add ? 1U : 0U), &row);
    AppendVarint(change.key.size(), &row);
    row += change.key;
    AppendVarint(change.id, &row);
  }
  return row;
}

}  // namespace

PendingTermTable::PendingTermTable(Connection& connection)
    : first_row_(connection, "SELECT number FROM term_pending ORDER BY number LIMIT 1"),
      rows_above_(connection,
                  "SELECT number, changes FROM term_pending WHERE number>? ORDER BY number"),
      insert_(connection, "INSERT INTO term_pending(number, changes) VALUES(?, ?)"),
      remove_all_(connection, "DELETE FROM term_pending") {}

Status PendingTermTable::Refresh(std::optional<ChangeNumber> version) {
  if (version && version == version_) return OkStatus();
  version_.reset();
  {
    Query query(first_row_);
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    const ChangeNumber first = row ? query.Int(0) : 0;
    if (first != first_) Clear();
    first_ = first;
  }
  if (first_ != 0) {
    Query query(rows_above_);
    query.Bind(last_);
    while (true) {
      TT_ASSIGN_OR_RETURN(const bool row, query.Step());
      if (!row) break;
      if (!NoteRow(query.Blob(1))) {
        Clear();
        return model::Error{model::ResultCode::kOther, "changes that wait for an index are damaged",
                            ""};
      }
      last_ = query.Int(0);
    }
  }
  version_ = version;
  return OkStatus();
}

void PendingTermTable::Clear() {
  terms_.clear();
  count_ = 0;
  bytes_ = 0;
  first_ = 0;
  last_ = 0;
}

bool PendingTermTable::NoteRow(std::string_view changes) {
  bytes_ += changes.size();
  while (!changes.empty()) {
    std::uint64_t kind = 0;
    std::uint64_t key_size = 0;
    std::uint64_t id = 0;
    if (!ReadVarint(&changes, &kind) || !ReadVarint(&changes, &key_size) ||
        key_size > changes.size()) {
      return false;
    }
    const std::string_view key = changes.substr(0, key_size);
    changes.remove_prefix(key_size);
    if (!ReadVarint(&changes, &id)) return false;
    Note(static_cast<std::uint32_t>(kind / 2), key, id, kind % 2 == 1);
    ++count_;
  }
  return true;
}

// New entries have the highest ids, so the place is mostly at the end.
void PendingTermTable::Note(std::uint32_t space, std::string_view key, EntryId id, bool add) {
  auto term = terms_.find(TermView{space, key});
  if (term == terms_.end()) term = terms_.try_emplace(Term{space, std::string(key)}).first;
  IdChanges& ids = term->second;
  auto place = ids.end();
  if (!ids.empty() && ids.back().id >= id) {
    place = std::lower_bound(ids.begin(), ids.end(), id,
                             [](const IdChange& change, EntryId of) { return change.id < of; });
    if (place->id == id) {
      place->add = add;
      return;
    }
  }
  ids.insert(place, {id, add});
}

const PendingTermTable::IdChanges* PendingTermTable::Find(std::uint32_t space,
                                                          std::string_view key) const {
  const auto term = terms_.find(TermView{space, key});
  return term == terms_.end() ? nullptr : &term->second;
}

void PendingTermTable::VisitRange(
    std::uint32_t space, std::string_view low, const std::optional<std::string>& high,
    const std::function<void(std::string_view, const IdChanges&)>& visit) const {
  for (auto term = terms_.lower_bound(TermView{space, low});
       term != terms_.end() && term->first.space == space && (!high || term->first.key <= *high);
       ++term) {
    visit(term->first.key, term->second);
  }
}

void PendingTermTable::VisitAll(
    const std::function<void(std::uint32_t, std::string_view, const IdChanges&)>& visit) const {
  for (const auto& [term, ids] : terms_) visit(term.space, term.key, ids);
}

Result<bool> PendingTermTable::Keep(ChangeNumber version, std::span<const TermChange> changes) {
  if (changes.size() > kMaxChanges - std::min(kMaxChanges, count_)) return false;
  const std::string row = EncodeRow(changes);
  if (row.size() > kMaxBytes - std::min(kMaxBytes, bytes_)) return false;
  version_.reset();
  TT_RETURN_IF_ERROR(Query(insert_).Bind(version).BindBlob(row).Run());
  return true;
}

Result<std::vector<TermChange>> PendingTermTable::TakeWith(std::span<const TermChange> changes) {
  auto place = [](const TermChange& c) { return std::tie(c.space, c.key, c.id); };
  std::vector<TermChange> all;
  all.reserve(count_ + changes.size());
  auto next = changes.begin();
  for (const auto& [term, ids] : terms_) {
    for (const IdChange& id : ids) {
      TermChange waiting{term.space, term.key, id.id, id.add};
      while (next != changes.end() && place(*next) < place(waiting)) all.push_back(*next++);
      const bool overtaken = next != changes.end() && place(*next) == place(waiting);
      if (!overtaken) all.push_back(std::move(waiting));
    }
  }
  all.insert(all.end(), next, changes.end());
  Clear();
  version_.reset();
  TT_RETURN_IF_ERROR(Query(remove_all_).Run());
  return all;
}

}  // namespace twintree::storage::sqlite
