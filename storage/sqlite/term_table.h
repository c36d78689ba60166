// The table of equality, ordering and presence terms.
//
//   term(attribute, key, first, rest)   primary key (attribute, key, first), no row ids
//
// `attribute` is twice the attribute's number, plus one for presence terms, whose key is empty.
// Keys are ordered octet by octet. `first` and `rest` are a posting row (posting_list.h).
#ifndef TWINTREE_STORAGE_SQLITE_TERM_TABLE_H_
#define TWINTREE_STORAGE_SQLITE_TERM_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/entry_store.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/posting_list.h"

namespace twintree::storage::sqlite {

// The number that stands for the attribute and kind of a term.
inline std::uint32_t TermSpace(AttributeNumber attribute, bool presence) {
  return std::uint32_t{attribute} * 2 + (presence ? 1U : 0U);
}

// An id to add to a term, or to take from it.
struct TermChange {
  std::uint32_t space = 0;
  std::string key;
  EntryId id = kNoEntry;
  bool add = true;
};

// Thread-safety: that of its connection.
class TermTable {
 public:
  explicit TermTable(Connection& connection);

  // Ids under the key, ascending, each once; false when there are more than `limit`.
  Result<bool> FindEqual(std::uint32_t space, std::string_view key, std::size_t limit,
                         std::vector<EntryId>* ids);
  // May take ids of the row with the key away; they stand in `ids` from `begin` on.
  using CorrectRow =
      std::function<void(std::string_view key, std::size_t begin, std::vector<EntryId>* ids)>;
  // Ids under the keys from `low` to `high`, or to the last one; as above. `correct`: nothing, or
  // called for each row.
  Result<bool> FindRange(std::uint32_t space, std::string_view low,
                         const std::optional<std::string>& high, std::size_t limit,
                         const CorrectRow& correct, std::vector<EntryId>* ids);

  // Makes the changes. Adding what is there and taking what is not are no errors.
  // REQUIRES: sorted by space, key and id; one change for each of these.
  Status Apply(std::span<const TermChange> changes);

  // A row of the table; views of somebody's octets.
  struct Row {
    std::uint32_t space = 0;
    std::string_view key;
    EntryId first = kNoEntry;
    std::string_view rest;
  };
  // Adds rows that are not there, quickest in the order of the table. On an error some of them may
  // have been added.
  Status Append(std::span<const Row> rows);

  // Every row, in order, until `visit` returns an error.
  Status VisitAll(const std::function<Status(std::uint32_t space, std::string_view key,
                                             std::span<const EntryId> ids)>& visit);

 private:
  Status ApplyToKey(std::span<const TermChange> changes);
  Status Merge(std::span<const TermChange> changes, const std::vector<EntryId>& old_ids);
  Result<bool> Collect(Query* query, std::size_t limit, const CorrectRow& correct,
                       std::vector<EntryId>* ids);

  Statement find_equal_;
  Statement find_range_;
  Statement find_from_;
  Statement find_row_;
  Statement insert_;
  Statement insert_many_;
  Statement update_;
  Statement remove_;
  Statement visit_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_TERM_TABLE_H_
