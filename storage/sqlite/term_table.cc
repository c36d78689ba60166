#include "storage/sqlite/term_table.h"

#include <algorithm>
#include <optional>

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

// Rows to a statement, where there are many: running one costs about as much as inserting a row.
constexpr std::size_t kManyRows = 32;

// FAIL and not ABORT, so that SQLite need not be ready to undo a part of the statement.
const char* InsertMany() {
  static const std::string kSql = [] {
    std::string text = "INSERT OR FAIL INTO term(attribute, key, first, rest) VALUES(?, ?, ?, ?)";
    for (std::size_t i = 1; i < kManyRows; ++i) text += ", (?, ?, ?, ?)";
    return text;
  }();
  return kSql.c_str();
}

void BindRow(const TermTable::Row& row, Query* query) {
  query->Bind(std::uint64_t{row.space}).BindBlob(row.key).Bind(row.first);
  row.rest.empty() ? query->BindNull() : query->BindBlob(row.rest);
}

}  // namespace

TermTable::TermTable(Connection& connection)
    : find_equal_(connection,
                  "SELECT first, rest FROM term WHERE attribute=? AND key=? ORDER BY first"),
      find_range_(connection,
                  "SELECT first, rest, key FROM term WHERE attribute=? AND key>=? AND key<=?"),
      find_from_(connection, "SELECT first, rest, key FROM term WHERE attribute=? AND key>=?"),
      find_row_(connection,
                "SELECT first, rest FROM term WHERE attribute=? AND key=? AND first<=? "
                "ORDER BY first DESC LIMIT 1"),
      insert_(connection, "INSERT INTO term(attribute, key, first, rest) VALUES(?, ?, ?, ?)"),
      insert_many_(connection, InsertMany()),
      update_(connection, "UPDATE term SET rest=? WHERE attribute=? AND key=? AND first=?"),
      remove_(connection, "DELETE FROM term WHERE attribute=? AND key=? AND first=?"),
      visit_(connection,
             "SELECT attribute, key, first, rest FROM term ORDER BY attribute, key, first") {}

Result<bool> TermTable::FindEqual(std::uint32_t space, std::string_view key, std::size_t limit,
                                  std::vector<EntryId>* ids) {
  Query query(find_equal_);
  query.Bind(std::uint64_t{space}).BindBlob(key);
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) return true;
    TT_RETURN_IF_ERROR(DecodePostings(query.Int(0), query.Blob(1), ids));
    if (ids->size() > limit) return false;
  }
}

// An id may stand under several keys, so what has gathered is united before it is too many.
Result<bool> TermTable::Collect(Query* query, std::size_t limit, const CorrectRow& correct,
                                std::vector<EntryId>* ids) {
  constexpr std::size_t kSlack = 4096;
  std::size_t unite_at = limit > ids->max_size() / 4 ? ids->max_size() : limit + limit / 2 + kSlack;
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query->Step());
    if (!row) break;
    const std::size_t begin = ids->size();
    TT_RETURN_IF_ERROR(DecodePostings(query->Int(0), query->Blob(1), ids));
    if (correct) correct(query->Blob(2), begin, ids);
    if (ids->size() < unite_at) continue;
    SortAndUnite(ids);
    if (ids->size() > limit) return false;
  }
  SortAndUnite(ids);
  return ids->size() <= limit;
}

Result<bool> TermTable::FindRange(std::uint32_t space, std::string_view low,
                                  const std::optional<std::string>& high, std::size_t limit,
                                  const CorrectRow& correct, std::vector<EntryId>* ids) {
  Query query(high ? find_range_ : find_from_);
  query.Bind(std::uint64_t{space}).BindBlob(low);
  if (high) query.BindBlob(*high);
  return Collect(&query, limit, correct, ids);
}

Status TermTable::Append(std::span<const Row> rows) {
  while (!rows.empty()) {
    const bool many = rows.size() >= kManyRows;
    const std::size_t count = many ? kManyRows : 1;
    Query query(many ? insert_many_ : insert_);
    for (const Row& row : rows.first(count)) BindRow(row, &query);
    TT_RETURN_IF_ERROR(query.Run());
    rows = rows.subspan(count);
  }
  return OkStatus();
}

Status TermTable::Apply(std::span<const TermChange> changes) {
  while (!changes.empty()) {
    std::size_t count = 1;
    while (count < changes.size() && changes[count].space == changes[0].space &&
           changes[count].key == changes[0].key) {
      ++count;
    }
    TT_RETURN_IF_ERROR(ApplyToKey(changes.first(count)));
    changes = changes.subspan(count);
  }
  return OkStatus();
}

// Each row takes the changes from its first id up to the next row's. The row for the last change
// is found first; it mostly takes all of them, since new entries have the highest ids.
Status TermTable::ApplyToKey(std::span<const TermChange> changes) {
  while (!changes.empty()) {
    std::vector<EntryId> ids;
    {
      Query query(find_row_);
      query.Bind(std::uint64_t{changes[0].space}).BindBlob(changes[0].key).Bind(changes.back().id);
      TT_ASSIGN_OR_RETURN(const bool row, query.Step());
      if (row) TT_RETURN_IF_ERROR(DecodePostings(query.Int(0), query.Blob(1), &ids));
    }
    std::size_t taken = 0;  // from the end
    while (taken < changes.size() &&
           (ids.empty() || changes[changes.size() - taken - 1].id >= ids.front())) {
      ++taken;
    }
    TT_RETURN_IF_ERROR(Merge(changes.last(taken), ids));
    changes = changes.first(changes.size() - taken);
  }
  return OkStatus();
}

Status TermTable::Merge(std::span<const TermChange> changes, const std::vector<EntryId>& old_ids) {
  std::vector<EntryId> ids;
  ids.reserve(old_ids.size() + changes.size());
  auto old = old_ids.begin();
  for (const TermChange& change : changes) {
    while (old != old_ids.end() && *old < change.id) ids.push_back(*old++);
    if (old != old_ids.end() && *old == change.id) ++old;
    if (change.add) ids.push_back(change.id);
  }
  ids.insert(ids.end(), old, old_ids.end());
  if (ids == old_ids) return OkStatus();

  const std::uint32_t space = changes[0].space;
  const std::string& key = changes[0].key;
  std::span<const PostingRow> rows;
  const std::vector<PostingRow> encoded = EncodePostings(ids);
  rows = encoded;
  if (!old_ids.empty()) {
    if (!rows.empty() && rows[0].first == old_ids.front()) {
      Query query(update_);
      rows[0].rest.empty() ? query.BindNull() : query.BindBlob(rows[0].rest);
      query.Bind(std::uint64_t{space}).BindBlob(key).Bind(old_ids.front());
      TT_RETURN_IF_ERROR(query.Run());
      rows = rows.subspan(1);
    } else {
      Query query(remove_);
      query.Bind(std::uint64_t{space}).BindBlob(key).Bind(old_ids.front());
      TT_RETURN_IF_ERROR(query.Run());
    }
  }
  for (const PostingRow& row : rows) {
    const Row added{space, key, row.first, row.rest};
    TT_RETURN_IF_ERROR(Append({&added, 1}));
  }
  return OkStatus();
}

Status TermTable::VisitAll(
    const std::function<Status(std::uint32_t, std::string_view, std::span<const EntryId>)>& visit) {
  Query query(visit_);
  std::vector<EntryId> ids;
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) return OkStatus();
    ids.clear();
    TT_RETURN_IF_ERROR(DecodePostings(query.Int(2), query.Blob(3), &ids));
    TT_RETURN_IF_ERROR(visit(static_cast<std::uint32_t>(query.Int(0)), query.Blob(1), ids));
  }
}

}  // namespace twintree::storage::sqlite
