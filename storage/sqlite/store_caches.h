// The caches in front of the database.
#ifndef TWINTREE_STORAGE_SQLITE_STORE_CACHES_H_
#define TWINTREE_STORAGE_SQLITE_STORE_CACHES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/cache/versioned_cache.h"
#include "storage/entry_store.h"

namespace twintree::storage::sqlite {

// Spreads all bits of `number` over all bits of the result.
inline std::uint64_t MixBits(std::uint64_t number) {
  number = (number ^ (number >> 32)) * 0xd6e8feb86659fd93U;
  number = (number ^ (number >> 32)) * 0xd6e8feb86659fd93U;
  return number ^ (number >> 32);
}

struct IdHash {
  std::uint64_t operator()(EntryId id) const { return MixBits(id); }
};

// A number with octets: (parent, RDN key), or (attribute, index key).
struct NumberedTextView {
  std::uint64_t number = 0;
  std::string_view text;
};
struct NumberedText {
  NumberedText() = default;
  explicit NumberedText(const NumberedTextView& view) : number(view.number), text(view.text) {}

  NumberedTextView view() const { return {number, text}; }
  friend bool operator==(const NumberedText& a, const NumberedTextView& b) {
    return a.number == b.number && a.text == b.text;
  }

  std::uint64_t number = 0;
  std::string text;
};
struct NumberedTextHash {
  std::uint64_t operator()(const NumberedTextView& view) const {
    return MixBits(std::hash<std::string_view>()(view.text) + MixBits(view.number + 1));
  }
};

struct StoreCaches {
  using Entries = VersionedCache<EntryId, EntryId, StoredEntryPtr, IdHash>;
  using Children = VersionedCache<NumberedText, NumberedTextView, EntryId, NumberedTextHash>;
  using Equality =
      VersionedCache<NumberedText, NumberedTextView, std::vector<EntryId>, NumberedTextHash>;

  using ChildLists = VersionedCache<EntryId, EntryId, std::vector<EntryId>, IdHash>;

  // Lists with more ids are not kept: looking them up again costs little beside using them.
  static constexpr std::size_t kMaxCachedIds = 64;

  explicit StoreCaches(std::size_t bytes)
      : entries(bytes / 100 * 83),
        children(bytes / 100 * 7),
        child_lists(bytes / 100 * 3),
        equality(bytes / 100 * 7) {}

  void InvalidateAll(ChangeNumber version) {
    entries.InvalidateAll(version);
    children.InvalidateAll(version);
    child_lists.InvalidateAll(version);
    equality.InvalidateAll(version);
  }
  void Settle(ChangeNumber version) {
    entries.Settle(version);
    children.Settle(version);
    child_lists.Settle(version);
    equality.Settle(version);
  }

  void KeepEntry(const StoredEntryPtr& entry, ChangeNumber at) {
    constexpr std::size_t kPointers = 64;  // control block and allocation
    entries.Insert(entry->id, entry,
                   sizeof(StoredEntry) + kPointers + entry->rdn.size() + entry->rdn_key.size() +
                       entry->entry.memory_size(),
                   at);
  }
  void KeepChild(const NumberedTextView& name, EntryId id, ChangeNumber at) {
    children.Insert(name, id, name.text.size(), at);
  }
  void KeepChildList(EntryId parent, const std::vector<EntryId>& ids, ChangeNumber at) {
    if (ids.size() > kMaxCachedIds) return;
    child_lists.Insert(parent, ids, ids.size() * sizeof(EntryId), at);
  }
  void KeepIds(const NumberedTextView& term, const std::vector<EntryId>& ids, ChangeNumber at) {
    if (ids.size() > kMaxCachedIds) return;
    equality.Insert(term, ids, term.text.size() + ids.size() * sizeof(EntryId), at);
  }

  Entries entries;
  Children children;
  ChildLists child_lists;
  Equality equality;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_STORE_CACHES_H_
