#include "storage/sqlite/change_log.h"

#include <algorithm>
#include <string>
#include <utility>

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

using std::chrono::microseconds;
using std::chrono::system_clock;

std::int64_t ToMicroseconds(system_clock::time_point time) {
  return std::chrono::duration_cast<microseconds>(time.time_since_epoch()).count();
}

system_clock::time_point FromMicroseconds(std::uint64_t count) {
  return system_clock::time_point(microseconds(static_cast<std::int64_t>(count)));
}

}  // namespace

ChangeLog::ChangeLog(Connection& connection, EntryPacking& packing)
    : packing_(packing),
      append_(connection,
              "INSERT INTO change(number, time, kind, entry, entry_uuid, dn, new_dn, actor_dn, "
              "payload) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      read_(connection,
            "SELECT number, time, kind, entry, entry_uuid, dn, new_dn, actor_dn, payload "
            "FROM change WHERE number>? ORDER BY number LIMIT ?"),
      oldest_(connection, "SELECT number FROM change ORDER BY number LIMIT 1 OFFSET ?"),
      remove_(connection, "DELETE FROM change WHERE number<=?") {}

Status ChangeLog::Append(const Change& change) {
  std::string_view payload = change.payload;
  if (change.kind == ChangeKind::kAdd) {
    TT_ASSIGN_OR_RETURN(payload, packing_.Pack(payload));
  }
  return Query(append_)
      .Bind(change.number)
      .Bind(ToMicroseconds(change.commit_time))
      .Bind(static_cast<std::int64_t>(change.kind))
      .Bind(change.id)
      .BindBlob(change.entry_uuid)
      .BindBlob(change.dn)
      .BindBlob(change.new_dn)
      .BindBlob(change.actor_dn)
      .BindBlob(payload)
      .Run();
}

Result<Change> ChangeLog::ReadRow(const Query& query) {
  Change change;
  change.number = query.Int(0);
  change.commit_time = FromMicroseconds(query.Int(1));
  change.kind = static_cast<ChangeKind>(query.Int(2));
  change.id = query.Int(3);
  change.entry_uuid = query.Blob(4);
  change.dn = query.Blob(5);
  change.new_dn = query.Blob(6);
  change.actor_dn = query.Blob(7);
  std::string_view payload = query.Blob(8);
  if (change.kind == ChangeKind::kAdd) {
    TT_ASSIGN_OR_RETURN(payload, packing_.Unpack(payload));
  }
  change.payload = payload;
  return change;
}

Status ChangeLog::Read(ChangeNumber after, std::size_t limit, std::vector<Change>* changes) {
  Query query(read_);
  query.Bind(std::min<std::uint64_t>(after, INT64_MAX))
      .Bind(std::min<std::uint64_t>(limit, INT64_MAX));
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) return OkStatus();
    TT_ASSIGN_OR_RETURN(Change change, ReadRow(query));
    changes->push_back(std::move(change));
  }
}

Result<ChangeNumber> ChangeLog::RemoveOldest(std::uint64_t count) {
  if (count == 0) return ChangeNumber{0};
  ChangeNumber last = 0;
  {
    Query query(oldest_);
    query.Bind(count - 1);
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) return ChangeNumber{0};
    last = query.Int(0);
  }
  TT_RETURN_IF_ERROR(Query(remove_).Bind(last).Run());
  return last;
}

}  // namespace twintree::storage::sqlite
