// The equality, ordering and presence indexes: the table of terms, and before it what waits.
//
// Changes of a small commit wait in a row of their own (pending_term_table.h); when many do they go
// to the table together, in its order. Every query looks at both.
#ifndef TWINTREE_STORAGE_SQLITE_TERM_INDEX_H_
#define TWINTREE_STORAGE_SQLITE_TERM_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/sqlite/pending_term_table.h"
#include "storage/sqlite/term_table.h"

namespace twintree::storage::sqlite {

// Thread-safety: that of its connection.
class TermIndex {
 public:
  explicit TermIndex(Connection& connection) : table_(connection), pending_(connection) {}

  // Before queries: the version of the connection's snapshot, or nullopt when it has changes that
  // are not committed. Errors: kOther when what waits is damaged.
  Status SetVersion(std::optional<ChangeNumber> version) { return pending_.Refresh(version); }

  // Ids under the key, ascending, each once; false when there are more than `limit`.
  // REQUIRES: for this and the next two, SetVersion(); `ids` is empty.
  Result<bool> FindEqual(std::uint32_t space, std::string_view key, std::size_t limit,
                         std::vector<EntryId>* ids);
  // Ids under the keys from `low` to `high`, or to the last one; as above.
  Result<bool> FindRange(std::uint32_t space, std::string_view low,
                         const std::optional<std::string>& high, std::size_t limit,
                         std::vector<EntryId>* ids);
  // Ids under the keys that begin with `prefix`, and perhaps under one more; as above.
  Result<bool> FindPrefix(std::uint32_t space, const std::string& prefix, std::size_t limit,
                          std::vector<EntryId>* ids);

  // Makes the changes, which belong to the store's `version`, above those of all before. Adding
  // what is there and taking what is not are no errors.
  // REQUIRES: sorted by space, key and id; one change for each of these.
  Status Apply(ChangeNumber version, std::span<const TermChange> changes);
  // Rows of new entries, past what waits. As TermTable::Append().
  Status Append(std::span<const TermTable::Row> rows) { return table_.Append(rows); }

  // Ids by term until `visit` returns an error; one term may be visited several times.
  Status VisitAll(const std::function<Status(std::uint32_t space, std::string_view key,
                                             std::span<const EntryId> ids)>& visit);

 private:
  TermTable table_;
  PendingTermTable pending_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_TERM_INDEX_H_
