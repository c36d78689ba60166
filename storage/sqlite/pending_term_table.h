// Changes of the term table that wait, so that a small commit writes one row and not one for each
// term.
//
//   term_pending(number, changes)   number: the store's version that the changes belong to
//
// `changes` holds for each change SQLite's varints and the key: twice the space, plus one for an id
// that is added; how long the key is; the key; the id. What a later row says of a term and an id
// counts.
#ifndef TWINTREE_STORAGE_SQLITE_PENDING_TERM_TABLE_H_
#define TWINTREE_STORAGE_SQLITE_PENDING_TERM_TABLE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/entry_store.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/term_table.h"

namespace twintree::storage::sqlite {

// The rows in memory, as the connection's snapshot has them: of those that were read before only
// the later ones are read.
//
// Thread-safety: that of its connection.
class PendingTermTable {
 public:
  // At most so many changes wait, with so many octets.
  static constexpr std::size_t kMaxChanges = 2048;
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 10;

  struct IdChange {
    EntryId id = kNoEntry;
    bool add = true;
  };
  using IdChanges = std::vector<IdChange>;  // by id, each once

  explicit PendingTermTable(Connection& connection);

  // Brings what is in memory up to the snapshot. `version`: the snapshot's, when all that it has is
  // committed; then nothing is read if it is what it was the last time.
  // Errors: kOther when a row is damaged.
  Status Refresh(std::optional<ChangeNumber> version);

  // For these REQUIRES: Refresh().
  bool empty() const { return first_ == 0; }
  // What waits under the key; null when nothing does.
  const IdChanges* Find(std::uint32_t space, std::string_view key) const;
  // The same for each of the keys from `low` to `high`, or to the last one.
  void VisitRange(std::uint32_t space, std::string_view low, const std::optional<std::string>& high,
                  const std::function<void(std::string_view key, const IdChanges&)>& visit) const;
  void VisitAll(const std::function<void(std::uint32_t space, std::string_view key,
                                         const IdChanges&)>& visit) const;

  // Makes the changes wait, if there is room; false if not.
  // REQUIRES: Refresh(); `version` is above those of all changes before.
  Result<bool> Keep(ChangeNumber version, std::span<const TermChange> changes);
  // Takes out all that waits and puts `changes` on top of it, in the order of TermTable::Apply().
  // REQUIRES: Refresh(); `changes` are in that order.
  Result<std::vector<TermChange>> TakeWith(std::span<const TermChange> changes);

 private:
  struct TermView {
    std::uint32_t space = 0;
    std::string_view key;
    friend auto operator<=>(const TermView&, const TermView&) = default;
  };
  struct Term {
    std::uint32_t space = 0;
    std::string key;
    operator TermView() const { return {space, key}; }  // NOLINT(google-explicit-constructor)
  };
  struct Before {
    using is_transparent = void;
    bool operator()(const TermView& a, const TermView& b) const { return a < b; }
  };

  void Clear();
  void Note(std::uint32_t space, std::string_view key, EntryId id, bool add);
  bool NoteRow(std::string_view changes);

  Statement first_row_;
  Statement rows_above_;
  Statement insert_;
  Statement remove_all_;

  std::map<Term, IdChanges, Before> terms_;
  std::size_t count_ = 0;  // changes in the rows
  std::size_t bytes_ = 0;
  // The numbers of the first and last row in memory; 0: there is none. As numbers are given once,
  // the same first row means that none has gone.
  ChangeNumber first_ = 0;
  ChangeNumber last_ = 0;
  std::optional<ChangeNumber> version_;  // that the last Refresh() was for
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_PENDING_TERM_TABLE_H_
