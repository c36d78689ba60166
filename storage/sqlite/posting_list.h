// Lists of entry ids as they stand in the term table: a few hundred to a row.
//
// A row holds its first id as a column and the others as octets: for each the difference from the
// one before, seven bits an octet, low bits first, the high bit set on all but the last. A list
// with more ids takes several rows whose ranges of ids do not overlap.
#ifndef TWINTREE_STORAGE_SQLITE_POSTING_LIST_H_
#define TWINTREE_STORAGE_SQLITE_POSTING_LIST_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"
#include "storage/entry_store.h"

namespace twintree::storage::sqlite {

// A row whose octets reach this is full. Larger rows make each write copy more, smaller ones make
// scans slower.
inline constexpr std::size_t kFullPostingBytes = 480;

// Makes `ids` ascending, each once.
void SortAndUnite(std::vector<EntryId>* ids);

struct PostingRow {
  EntryId first = kNoEntry;
  std::string rest;
};

// Appends `id` to ids that end with `last` (0: there are none): the difference, seven bits an
// octet.
void AppendId(EntryId id, EntryId last, std::string* out);

// Calls `visit(id)` for each id in `rest`, the first of which differs from `last`; ends early when
// it returns false. False when the octets are damaged.
template <typename Visit>
bool ForEachPosting(EntryId last, std::string_view rest, Visit visit) {
  std::uint64_t number = 0;
  int shift = 0;
  for (const char c : rest) {
    const auto octet = static_cast<unsigned char>(c);
    if (shift > 63) return false;
    number |= std::uint64_t{octet & 0x7fU} << shift;
    shift += 7;
    if ((octet & 0x80) != 0) continue;
    last += number;
    if (!visit(last)) return true;
    number = 0;
    shift = 0;
  }
  return shift == 0;
}

// Appends `first` and the ids in `rest`. Errors: kOther when the octets are damaged.
Status DecodePostings(EntryId first, std::string_view rest, std::vector<EntryId>* ids);

// `ids`, ascending and unique, as rows.
std::vector<PostingRow> EncodePostings(std::span<const EntryId> ids);

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_POSTING_LIST_H_
