// Index changes that gather during a batch of writes and reach the tables once, in order.
//
// A row of a common term (an object class) is then written once a batch and not once an entry, and
// FTS5, which writes a segment whenever a savepoint begins, writes one a batch at most.
#ifndef TWINTREE_STORAGE_SQLITE_PENDING_INDEX_H_
#define TWINTREE_STORAGE_SQLITE_PENDING_INDEX_H_

#include <cstddef>
#include <string>
#include <vector>

#include "storage/sqlite/store_caches.h"
#include "storage/sqlite/substring_table.h"
#include "storage/sqlite/term_index.h"

namespace twintree::storage::sqlite {

// Thread-safety: confined to the writer.
class PendingIndex {
 public:
  // A point to return to.
  struct Mark {
    std::size_t terms = 0;
    std::size_t texts = 0;
    std::size_t bytes = 0;
  };

  // REQUIRES: no substring terms.
  void ChangeTerms(EntryId id, const std::vector<IndexTerm>& terms, bool add);
  void ChangeText(EntryId id, std::string before, std::string after);

  Mark mark() const { return {terms_.size(), texts_.size(), bytes_}; }
  void ReturnTo(const Mark& mark);
  std::size_t bytes() const { return bytes_; }
  bool empty() const { return terms_.empty() && texts_.empty(); }

  // Corrects what an equality, prefix, range or presence query found in the table.
  void Correct(const IndexQuery& query, std::vector<EntryId>* ids) const;
  // The same for a substring query.
  void Correct(const SubstringAlphabet::Pattern& pattern, std::vector<EntryId>* ids) const;

  // Makes the changes, which belong to the store's `version`, in the tables and forgets them.
  // Appends the terms that they touch.
  Status Apply(ChangeNumber version, TermIndex* terms, SubstringTable* substrings,
               std::vector<NumberedText>* touched);

 private:
  Status ApplyTerms(ChangeNumber version, TermIndex* index, std::vector<NumberedText>* touched);
  Status ApplyTexts(SubstringTable* table);

  std::vector<TermChange> terms_;
  std::vector<TextChange> texts_;
  std::size_t bytes_ = 0;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_PENDING_INDEX_H_
