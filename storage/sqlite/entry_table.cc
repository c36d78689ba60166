#include "storage/sqlite/entry_table.h"

#include <algorithm>
#include <string>
#include <utility>

#include "services/model/quotation.h"

namespace twintree::storage::sqlite {

using model::Error;
using model::OkStatus;
using model::ResultCode;

namespace {

std::uint64_t SqlLimit(std::uint64_t limit) { return std::min<std::uint64_t>(limit, INT64_MAX); }

// NULL or the spelling.
void BindRdn(const StoredEntry& entry, Query* query) {
  entry.rdn == entry.rdn_key ? query->BindNull() : query->BindBlob(entry.rdn);
}

Status NameTaken(Status status, const std::string& rdn) {
  if (status.code() != ResultCode::kEntryAlreadyExists) return status;
  return Error{ResultCode::kEntryAlreadyExists,
               "an entry named " + model::Quoted(rdn, model::kMaxQuotedName) + " is already there",
               ""};
}

// What is damaged, or for want of memory or a disk cannot be read.
Error AboutEntry(EntryId id, const Error& error) {
  const char* const what = error.code == ResultCode::kOther ? " is damaged: " : " cannot be read: ";
  return Error{error.code, "entry " + std::to_string(id) + what + error.message, ""};
}

}  // namespace

EntryTable::EntryTable(Connection& connection, EntryPacking& packing, const model::Schema& schema)
    : packing_(packing),
      schema_(schema),
      find_child_(connection,
                  "SELECT id FROM entry INDEXED BY entry_name WHERE parent=? AND rdn_key=?"),
      get_(connection, "SELECT id, parent, rdn, rdn_key, data FROM entry WHERE id=?"),
      parent_(connection, "SELECT parent FROM entry WHERE id=?"),
      children_(connection,
                "SELECT id FROM entry INDEXED BY entry_parent WHERE parent=? AND id>? "
                "ORDER BY id LIMIT ?"),
      count_children_(connection,
                      "SELECT count(*) FROM (SELECT 1 FROM entry INDEXED BY entry_parent "
                      "WHERE parent=? LIMIT ?)"),
      scan_(connection,
            "SELECT id, parent, rdn, rdn_key, data FROM entry WHERE id>? ORDER BY id LIMIT ?"),
      insert_(connection,
              "INSERT INTO entry(id, parent, rdn, rdn_key, data) VALUES(?, ?, ?, ?, ?)"),
      update_(connection, "UPDATE entry SET parent=?, rdn=?, rdn_key=?, data=? WHERE id=?"),
      update_data_(connection, "UPDATE entry SET data=? WHERE id=?"),
      remove_(connection, "DELETE FROM entry WHERE id=?") {}

Result<EntryId> EntryTable::FindChild(EntryId parent, std::string_view rdn_key) {
  Query query(find_child_);
  query.Bind(parent).BindBlob(rdn_key);
  TT_ASSIGN_OR_RETURN(const bool found, query.Step());
  return found ? query.Int(0) : kNoEntry;
}

Result<StoredEntryPtr> EntryTable::ReadRow(Query& query) {
  const EntryId id = query.Int(0);
  TT_ASSIGN_OR_RETURN(model::Entry entry, DecodeData(id, query.Blob(4)));
  std::string rdn_key(query.Blob(3));
  std::string rdn = query.IsNull(2) ? rdn_key : std::string(query.Blob(2));
  return StoredEntryPtr(std::make_shared<const StoredEntry>(
      StoredEntry{id, query.Int(1), std::move(rdn), std::move(rdn_key), std::move(entry)}));
}

Result<model::Entry> EntryTable::DecodeData(EntryId id, std::string_view data) {
  const auto form = packing_.Unpack(data);
  if (!form.ok()) return AboutEntry(id, form.error());
  auto entry = model::Entry::Decode(*form, schema_);
  if (!entry.ok()) return AboutEntry(id, entry.error());
  return entry;
}

Result<StoredEntryPtr> EntryTable::Get(EntryId id) {
  Query query(get_);
  query.Bind(id);
  TT_ASSIGN_OR_RETURN(const bool found, query.Step());
  if (!found) return StoredEntryPtr();
  return ReadRow(query);
}

Result<EntryId> EntryTable::ParentOf(EntryId id) {
  Query query(parent_);
  query.Bind(id);
  TT_ASSIGN_OR_RETURN(const bool found, query.Step());
  return found ? query.Int(0) : kNoEntry;
}

Status EntryTable::Children(EntryId parent, EntryId after, std::size_t limit,
                            std::vector<EntryId>* ids) {
  Query query(children_);
  query.Bind(parent).Bind(SqlLimit(after)).Bind(SqlLimit(limit));
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) return OkStatus();
    ids->push_back(query.Int(0));
  }
}

Result<std::uint64_t> EntryTable::CountChildren(EntryId parent, std::uint64_t at_most) {
  Query query(count_children_);
  query.Bind(parent).Bind(SqlLimit(at_most));
  TT_ASSIGN_OR_RETURN(const bool row, query.Step());
  return row ? query.Int(0) : 0;
}

Status EntryTable::Scan(EntryId after, const ScanLimit& limit,
                        const std::function<StoredEntryPtr(EntryId)>& known,
                        std::vector<StoredEntryPtr>* entries) {
  Query query(scan_);
  query.Bind(SqlLimit(after)).Bind(SqlLimit(limit.entries));
  std::size_t bytes = 0;
  while (bytes < limit.bytes) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) break;
    StoredEntryPtr entry = known ? known(query.Int(0)) : nullptr;
    if (entry == nullptr) {
      TT_ASSIGN_OR_RETURN(entry, ReadRow(query));
    }
    bytes += entry->entry.octets().size();
    entries->push_back(std::move(entry));
  }
  return OkStatus();
}

Status EntryTable::Insert(const StoredEntry& entry) {
  TT_ASSIGN_OR_RETURN(const std::string_view data, packing_.Pack(entry.entry.octets()));
  Query query(insert_);
  query.Bind(entry.id).Bind(entry.parent);
  BindRdn(entry, &query);
  query.BindBlob(entry.rdn_key).BindBlob(data);
  return NameTaken(query.Run(), entry.rdn);
}

Status EntryTable::Update(const StoredEntry& entry) {
  TT_ASSIGN_OR_RETURN(const std::string_view data, packing_.Pack(entry.entry.octets()));
  Query query(update_);
  query.Bind(entry.parent);
  BindRdn(entry, &query);
  query.BindBlob(entry.rdn_key).BindBlob(data).Bind(entry.id);
  return NameTaken(query.Run(), entry.rdn);
}

Status EntryTable::UpdateData(EntryId id, std::string_view form) {
  TT_ASSIGN_OR_RETURN(const std::string_view data, packing_.Pack(form));
  return Query(update_data_).BindBlob(data).Bind(id).Run();
}

Status EntryTable::Remove(EntryId id) { return Query(remove_).Bind(id).Run(); }

}  // namespace twintree::storage::sqlite
