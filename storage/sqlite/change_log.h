// The change log.
//
//   change(number, time, kind, entry, entry_uuid, dn, new_dn, actor_dn, payload)
//
// `time` counts microseconds since 1970. The `payload` of an added entry, its stored form, is
// packed (entry_packing.h).
#ifndef TWINTREE_STORAGE_SQLITE_CHANGE_LOG_H_
#define TWINTREE_STORAGE_SQLITE_CHANGE_LOG_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "storage/entry_store.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/entry_packing.h"

namespace twintree::storage::sqlite {

// Thread-safety: that of its connection.
class ChangeLog {
 public:
  // REQUIRES: `packing` is of the same connection.
  ChangeLog(Connection& connection, EntryPacking& packing);

  Status Append(const Change& change);
  // Appends changes above `after`, ascending, at most `limit`.
  Status Read(ChangeNumber after, std::size_t limit, std::vector<Change>* changes);
  // Removes the `count` oldest records and gives the number of the last one of them; 0: none.
  Result<ChangeNumber> RemoveOldest(std::uint64_t count);

 private:
  Result<Change> ReadRow(const Query& query);

  EntryPacking& packing_;
  Statement append_;
  Statement read_;
  Statement oldest_;
  Statement remove_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_CHANGE_LOG_H_
