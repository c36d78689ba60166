// The index terms of an entry as octets, made on any thread and put into the indexes later.
#ifndef TWINTREE_STORAGE_SQLITE_PREPARED_TERMS_H_
#define TWINTREE_STORAGE_SQLITE_PREPARED_TERMS_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "storage/entry_store.h"
#include "storage/sqlite/substring_table.h"

namespace twintree::storage::sqlite {

// Where a term stands in the term table, as octets whose order is that of the table: its space in
// three octets, big-endian, and its key.
inline constexpr std::size_t kSpaceBytes = 3;
void AppendSortKey(std::uint32_t space, std::string_view key, std::string* out);
std::uint32_t SpaceOfSortKey(std::string_view sort_key);
inline std::string_view KeyOfSortKey(std::string_view sort_key) {
  return sort_key.substr(kSpaceBytes);
}

// The octets: how many trigrams the entry's text has, repeats included, and how many different
// ones, in four octets each; the different ones (PackedTrigrams) ascending, in eight octets each;
// then the sort keys of its other terms, in any order and some maybe twice, each after its length
// in two octets. Numbers are the machine's own, since the octets stay in the process.
std::string PrepareTerms(const model::Entry& entry, const IndexSet& indexes,
                         const SubstringAlphabet& alphabet);

// Reads such octets, which must outlive it.
//
// Thread-safety: safe (immutable).
class PreparedTerms {
 public:
  // REQUIRES: made by PrepareTerms().
  explicit PreparedTerms(std::string_view octets) : octets_(octets) {}

  std::uint32_t text_trigrams() const { return Read<std::uint32_t>(0); }
  // Calls `visit(std::uint64_t trigram)` for each different one.
  template <typename Visit>
  void VisitTrigrams(Visit visit) const {
    const std::size_t end = TermsBegin();
    for (std::size_t at = kHeadBytes; at < end; at += kTrigramBytes) {
      visit(Read<std::uint64_t>(at));
    }
  }
  // Calls `visit(std::string_view sort_key)` for each term.
  template <typename Visit>
  void VisitTerms(Visit visit) const {
    for (std::size_t at = TermsBegin(); at < octets_.size();) {
      const std::size_t size = Read<std::uint16_t>(at);
      visit(octets_.substr(at + sizeof(std::uint16_t), size));
      at += sizeof(std::uint16_t) + size;
    }
  }

 private:
  static constexpr std::size_t kHeadBytes = 8;
  static constexpr std::size_t kTrigramBytes = 8;

  template <typename Number>
  Number Read(std::size_t at) const {
    Number number = 0;
    std::memcpy(&number, octets_.data() + at, sizeof number);
    return number;
  }
  std::size_t TermsBegin() const { return kHeadBytes + Read<std::uint32_t>(4) * kTrigramBytes; }

  std::string_view octets_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_PREPARED_TERMS_H_
