// Compares the indexes with what the entries say should be in them.
#ifndef TWINTREE_STORAGE_SQLITE_INDEX_CHECK_H_
#define TWINTREE_STORAGE_SQLITE_INDEX_CHECK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "storage/sqlite/store_context.h"
#include "storage/sqlite/tables.h"

namespace twintree::storage::sqlite {

// Both sides are summed up by groups of entries, order playing no part; only groups whose sums
// differ are then compared term by term. So the memory this takes does not grow with the store.
//
// Expect() every entry, then Compare().
//
// Thread-safety: confined.
class IndexCheck {
 public:
  IndexCheck(const StoreContext& context, Tables& tables);

  void Expect(EntryId id, const model::Entry& entry);
  // Calls `report` for each term that is missing or should not be there.
  Status Compare(const std::function<void(std::string)>& report);

 private:
  // One posting: a term, or a trigram of the substring index, with an entry.
  struct Posting {
    EntryId id = kNoEntry;
    bool trigram = false;
    std::uint32_t space = 0;  // 0 for trigrams
    std::string key;
    friend auto operator<=>(const Posting&, const Posting&) = default;
  };
  using Visit =
      std::function<void(EntryId id, bool trigram, std::uint32_t space, std::string_view key)>;

  void VisitExpected(EntryId id, const model::Entry& entry, const Visit& visit) const;
  Status VisitStored(const Visit& visit);
  Status CompareGroups(const std::function<void(std::string)>& report);
  std::string Describe(const Posting& posting, bool missing) const;

  const StoreContext& context_;
  Tables& tables_;
  std::vector<std::uint64_t> differences_;  // by group: what is expected minus what is there
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_INDEX_CHECK_H_
