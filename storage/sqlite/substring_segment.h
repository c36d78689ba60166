// Writes many postings into the substring index at once.
//
// FTS5 keeps its index as segments: sorted lists of terms with their row ids, each written once and
// read only from then on. Inserting rows one by one makes it build and merge many small segments;
// who has all postings in order can write one segment, in the format in which FTS5 keeps it
// (ext/fts5/fts5_index.c of SQLite, "Overview" and "Details"; the format of version 4 tables is
// fixed, since every later SQLite must read them):
//
//   substring_data(id, block)          id 1: counts of rows and tokens; id 10: the structure, a
//                                      list of levels of segments; others: pages of segments
//   substring_idx(segid, term, pgno)   the first page of each term, abridged
//
// A leaf page: the offset of the first row id that continues a list (0: none) and of the footer,
// two octets each, big-endian; then terms, each shortened by what it shares with the one before,
// and their row ids as differences; then the footer, the offsets of the page's terms as
// differences. Numbers elsewhere are SQLite's varints. A list over many pages has an index of its
// own: the first row id of each page, a tree of pages if need be.
#ifndef TWINTREE_STORAGE_SQLITE_SUBSTRING_SEGMENT_H_
#define TWINTREE_STORAGE_SQLITE_SUBSTRING_SEGMENT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/entry_store.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/fts5_structure.h"

namespace twintree::storage::sqlite {

// One new segment.
//
// REQUIRES: the connection is in a transaction and does not use the table `substring` from Begin()
// to its end; FTS5 remembers what it has read.
// Thread-safety: that of its connection.
class SubstringSegment {
 public:
  static constexpr std::size_t kPageBytes = 4050;

  // `page_bytes`: about how large pages become; FTS5 reads any size.
  explicit SubstringSegment(Connection& connection, std::size_t page_bytes = kPageBytes);

  // Errors: kOther when the table is not of the known format.
  Status Begin();
  // Adds ids to the trigram. REQUIRES: trigrams ascend; the same one may come again, ids ascending
  // from one call to the next. No entry with these ids was ever in the index.
  Status Add(std::string_view trigram, std::span<const EntryId> ids);
  // Writes what is left. `entries`: how many were added; `text_trigrams`: how many trigrams their
  // texts have, repeats included.
  Status Finish(std::uint64_t entries, std::uint64_t text_trigrams);

 private:
  // A page of the index of a long list.
  struct ListIndexPage {
    std::string octets;
    std::uint64_t number = 0;
    EntryId first = kNoEntry;  // of the ids it notes
    EntryId last = kNoEntry;
  };

  Status BeginTerm(std::string_view trigram);
  Status AddId(EntryId id);
  Status EndLeaf();
  Status EndFirstPage();
  Status IndexListPage(EntryId id);
  Status EndListIndexPage(std::size_t height);
  Status WriteBlock(std::uint64_t id, std::string_view block);
  Status ReadBlock(std::uint64_t id, std::string* block);
  Status AddToCounts(std::uint64_t entries, std::uint64_t text_trigrams);

  const std::size_t page_bytes_;
  Fts5Structure structure_;
  std::uint64_t segment_ = 0;  // the new one's number

  // The leaf page under way.
  std::string leaf_;
  std::string footer_;
  std::uint64_t leaf_number_ = 1;
  std::size_t last_term_offset_ = 0;
  bool has_term_ = false;  // the page has
  bool has_id_ = false;    // the page has, since its beginning or its last term
  bool list_begins_ = false;

  std::string term_;  // the last one, as FTS5 writes it
  EntryId last_id_ = kNoEntry;

  // The page on which the last term begins.
  std::uint64_t first_page_ = 1;
  std::string first_page_term_;
  std::size_t pages_without_term_ = 0;     // after that one
  std::vector<ListIndexPage> list_index_;  // by height; the first is that of the leaves

  Statement read_block_;
  Statement write_block_;
  Statement write_first_page_;
  Statement version_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_SUBSTRING_SEGMENT_H_
