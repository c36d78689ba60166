// The entries of each trigram, of more entries than memory holds.
#ifndef TWINTREE_STORAGE_SQLITE_TRIGRAM_LISTS_H_
#define TWINTREE_STORAGE_SQLITE_TRIGRAM_LISTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "storage/entry_store.h"
#include "storage/sqlite/posting_runs.h"
#include "storage/sqlite/term_sorter.h"

namespace twintree::storage::sqlite {

// Entries come in the order of their ids, so each list grows at its end and only the trigrams have
// to be sorted.
//
// Thread-safety: confined (one thread at a time; may move between threads).
class TrigramLists {
 public:
  using Visit = std::function<Status(std::uint64_t trigram, std::span<const EntryId> ids)>;

  // `memory_bytes`: about what the lists may take before they are written to a temporary file in
  // `directory`.
  TrigramLists(std::string directory, std::size_t memory_bytes);

  // REQUIRES: ids ascend, also from one call to the next. Errors: kUnavailable.
  Status Add(std::span<const EntryTerms> entries);
  // Visits trigrams in order; one may come several times, with ids that ascend from one to the
  // next. Ends the lists.
  Status Finish(const Visit& visit);

  // Entries that have trigrams, and how many their texts have together, repeats included.
  std::uint64_t entries() const { return entries_; }
  std::uint64_t text_trigrams() const { return text_trigrams_; }

 private:
  struct List {
    std::uint64_t trigram = 0;
    EntryId last = kNoEntry;
    std::string ids;  // as AppendId() writes them
  };

  List& Find(std::uint64_t trigram);
  void Grow();
  Status Spill();

  const std::size_t memory_bytes_;
  PostingRuns runs_;
  std::vector<List> lists_;
  std::vector<std::uint32_t> slots_;  // an open hash table: places in lists_ and one; 0: free
  std::size_t bytes_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t text_trigrams_ = 0;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_TRIGRAM_LISTS_H_
