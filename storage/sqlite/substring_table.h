// The substring index: FTS5 with its trigram tokenizer, one row an entry, contentless.
//
//   substring(text)                        fts5: content='', columnsize=0, detail=none,
//                                          trigram case_sensitive
//   substring_pending(id, before, after)   changes that FTS5 has not been told yet
//
// FTS5 knows characters, our keys are octets of several attributes. So an entry's text is written
// in an alphabet of its own for each attribute: every octet of a key is one character of the
// attribute's page, and each key stands between one begin and two end characters of that page. A
// piece of a filter then is a set of trigrams that no other attribute has, the beginning and the
// end of a value can be asked for, and NUL or octets that are no UTF-8 are nothing special.
//
// With detail=none a query is the AND of single trigrams: its answer may hold more than matches.
// A contentless table must be told the old text to forget it.
//
// FTS5 writes a segment for every commit and merges segments all the time, which costs a small
// commit more than all its other rows together. So the texts of small commits wait in a table of
// their own, which every query looks through, and go to FTS5 some dozens at a time.
#ifndef TWINTREE_STORAGE_SQLITE_SUBSTRING_TABLE_H_
#define TWINTREE_STORAGE_SQLITE_SUBSTRING_TABLE_H_

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/entry_store.h"
#include "storage/sqlite/connection.h"

namespace twintree::storage::sqlite {

// The pages of the attributes that have a substring index.
//
// Thread-safety: safe (immutable).
class SubstringAlphabet {
 public:
  // Attributes beyond this many have no page; far more than any schema's.
  static constexpr std::size_t kMaxPages = 4000;

  explicit SubstringAlphabet(const IndexSet& indexes);

  // The text of an entry with these terms, of which only those of kind kSubstringIndex count;
  // empty when there is none. REQUIRES: sorted.
  std::string Text(std::span<const IndexTerm> terms) const;

  // What finds the pieces. Either trigrams, all of which must be there, or, when no piece has
  // three characters, a beginning that one of the entry's trigrams must have. Both empty: nothing
  // was asked for.
  struct Pattern {
    std::vector<std::string> trigrams;
    std::string beginning;

    bool empty() const { return trigrams.empty() && beginning.empty(); }
    // Would a text be found?
    bool Fits(std::string_view text) const;
  };
  Pattern PatternOf(AttributeNumber attribute, const model::SubstringKeys& pieces) const;

  // The trigrams that FTS5 makes of a text, sorted and unique.
  static std::vector<std::string> Trigrams(std::string_view text);

  // The trigrams of Text(terms), in its order and with repeats, as numbers whose order is that of
  // the octets. REQUIRES: as Text().
  std::vector<std::uint64_t> PackedTrigrams(std::span<const IndexTerm> terms) const;
  // The octets of a trigram.
  static std::string UnpackTrigram(std::uint64_t trigram);

 private:
  std::vector<std::uint32_t> first_characters_;  // by attribute number; 0: no page
};

// An entry's text before and after; empty: none.
struct TextChange {
  EntryId id = kNoEntry;
  std::string before;
  std::string after;
};

// Thread-safety: that of its connection.
class SubstringTable {
 public:
  // At most this many changes wait, none of which has more octets than this.
  static constexpr std::size_t kMaxPending = 64;
  static constexpr std::size_t kMaxPendingBytes = 2048;

  explicit SubstringTable(Connection& connection);

  // Ids whose text fits, ascending, each once; false when there are more than `limit`.
  Result<bool> Find(const SubstringAlphabet::Pattern& pattern, std::size_t limit,
                    std::vector<EntryId>* ids);
  // REQUIRES: ids ascend, each once; what was before is what was there.
  Status Apply(std::vector<TextChange> changes);
  // How many changes wait.
  Result<std::size_t> CountPending();

  // Tells FTS5 what waits, and merges what many writes have left in pieces.
  Status Optimize();
  // FTS5's own check of its structure. Errors: kOther.
  Status CheckStructure();
  // Every pair of trigram and entry, in no order that matters. An entry whose change waits is shown
  // as it will be, if FTS5 has what it was before.
  Status VisitAll(const std::function<void(std::string_view trigram, EntryId id)>& visit);

 private:
  using Pending = std::map<EntryId, TextChange>;

  Status Command(std::string_view command);
  Result<Pending> ReadPending();
  Status Keep(const TextChange& change);
  // Tells FTS5 what waits and the changes that come on top of it.
  Status ApplyWithPending(std::vector<TextChange> changes);
  Status Tell(const TextChange& change);
  Result<bool> FindInFts(const SubstringAlphabet::Pattern& pattern, std::size_t limit,
                         std::vector<EntryId>* ids);

  Statement match_;
  Statement beginning_;
  Statement add_;
  Statement remove_;
  Statement command_;
  Statement visit_;
  Statement read_pending_;
  Statement count_pending_;
  Statement keep_;
  Statement forget_pending_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_SUBSTRING_TABLE_H_
