// Sorts the terms of more entries than memory holds.
#ifndef TWINTREE_STORAGE_SQLITE_TERM_SORTER_H_
#define TWINTREE_STORAGE_SQLITE_TERM_SORTER_H_

#include <cstddef>
#include <span>
#include <string>

#include "storage/entry_store.h"
#include "storage/sqlite/posting_runs.h"

namespace twintree::storage::sqlite {

// An entry's terms as PrepareTerms() makes them.
struct EntryTerms {
  EntryId id = kNoEntry;
  std::string terms;
};

// Thread-safety: confined (one thread at a time; may move between threads).
class TermSorter {
 public:
  // Temporary files are made in `directory`.
  explicit TermSorter(std::string directory) : runs_(std::move(directory)) {}

  // Takes memory of about 24 octets a term meanwhile.
  // REQUIRES: ids ascend, also from one call to the next. Errors: kUnavailable.
  Status Add(std::span<const EntryTerms> entries);
  // Calls `visit` with the sort key of each term, in order, and its ids. Ends the sorter.
  Status Finish(const PostingVisit& visit) { return runs_.Merge(visit); }

  // Terms that were added.
  std::uint64_t count() const { return count_; }

 private:
  PostingRuns runs_;
  std::uint64_t count_ = 0;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_TERM_SORTER_H_
