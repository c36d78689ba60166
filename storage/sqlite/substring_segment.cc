#include "storage/sqlite/substring_segment.h"

#include <algorithm>

#include "storage/sqlite/fts5_structure.h"

namespace twintree::storage::sqlite {

using model::Error;
using model::OkStatus;
using model::ResultCode;

namespace {

constexpr std::uint64_t kCountsId = 1;
constexpr std::uint64_t kStructureId = 10;
constexpr std::uint64_t kKnownVersion = 4;

constexpr std::size_t kLeafHeadBytes = 4;
// Terms of the main index begin with this; others would belong to prefix indexes.
constexpr char kMainIndex = '0';
// A list that goes on over fewer pages has no index.
constexpr std::size_t kMinIndexedPages = 4;

constexpr int kPageBits = 31;
constexpr int kHeightBits = 5;

std::uint64_t LeafId(std::uint64_t segment, std::uint64_t page) {
  return (segment << (kPageBits + kHeightBits + 1)) + page;
}

std::uint64_t ListIndexId(std::uint64_t segment, std::size_t height, std::uint64_t page) {
  return LeafId(segment, page) + (std::uint64_t{1} << (kPageBits + kHeightBits)) +
         (std::uint64_t{height} << kPageBits);
}

void PutSixteenBits(std::size_t number, std::size_t at, std::string* page) {
  (*page)[at] = static_cast<char>(number >> 8);
  (*page)[at + 1] = static_cast<char>(number);
}

std::size_t CommonLength(std::string_view a, std::string_view b) {
  const auto most = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + most, b.begin()).first -
                                  a.begin());
}

Error UnknownFormat() {
  return Error{ResultCode::kOther, "the substring index has a format that is not known", ""};
}

}  // namespace

SubstringSegment::SubstringSegment(Connection& connection, std::size_t page_bytes)
    : page_bytes_(page_bytes),
      leaf_(kLeafHeadBytes, '\0'),
      list_index_(1),
      read_block_(connection, "SELECT block FROM substring_data WHERE id=?"),
      write_block_(connection, "INSERT OR REPLACE INTO substring_data(id, block) VALUES(?, ?)"),
      write_first_page_(connection, "INSERT INTO substring_idx(segid, term, pgno) VALUES(?, ?, ?)"),
      version_(connection, "SELECT v FROM substring_config WHERE k='version'") {}

Status SubstringSegment::Begin() {
  Query query(version_);
  TT_ASSIGN_OR_RETURN(const bool row, query.Step());
  if (!row || query.Int(0) != kKnownVersion) return UnknownFormat();
  std::string block;
  TT_RETURN_IF_ERROR(ReadBlock(kStructureId, &block));
  auto structure = Fts5Structure::Decode(block);
  if (!structure) return UnknownFormat();
  structure_ = *std::move(structure);
  segment_ = structure_.FreeSegment();
  return segment_ == 0 ? Status(Error{ResultCode::kUnavailable,
                                      "the substring index has too many segments", ""})
                       : OkStatus();
}

Status SubstringSegment::ReadBlock(std::uint64_t id, std::string* block) {
  Query query(read_block_);
  query.Bind(id);
  TT_ASSIGN_OR_RETURN(const bool row, query.Step());
  if (!row) return UnknownFormat();
  *block = query.Blob(0);
  return OkStatus();
}

Status SubstringSegment::WriteBlock(std::uint64_t id, std::string_view block) {
  return Query(write_block_).Bind(id).BindBlob(block).Run();
}

Status SubstringSegment::Add(std::string_view trigram, std::span<const EntryId> ids) {
  if (term_.empty() || std::string_view(term_).substr(1) != trigram) {
    TT_RETURN_IF_ERROR(BeginTerm(trigram));
  }
  for (const EntryId id : ids) TT_RETURN_IF_ERROR(AddId(id));
  return OkStatus();
}

Status SubstringSegment::BeginTerm(std::string_view trigram) {
  const std::string term = kMainIndex + std::string(trigram);
  if (leaf_.size() > kLeafHeadBytes &&
      leaf_.size() + footer_.size() + term.size() + 2 >= page_bytes_) {
    TT_RETURN_IF_ERROR(EndLeaf());
  }
  AppendVarint(leaf_.size() - last_term_offset_, &footer_);
  last_term_offset_ = leaf_.size();
  const std::size_t common = CommonLength(term_, term);
  if (!has_term_) {
    if (leaf_number_ > 1) {
      TT_RETURN_IF_ERROR(EndFirstPage());
      first_page_ = leaf_number_;
      first_page_term_ = term.substr(0, common + 1);  // what tells it from the one before
    }
    AppendVarint(term.size(), &leaf_);
    leaf_ += term;
  } else {
    AppendVarint(common, &leaf_);
    AppendVarint(term.size() - common, &leaf_);
    leaf_.append(term, common);
  }
  term_ = term;
  has_term_ = true;
  has_id_ = true;  // an id that follows a term is not the page's first
  list_begins_ = true;
  for (ListIndexPage& page : list_index_) page = ListIndexPage();
  list_index_[0].number = leaf_number_;
  return OkStatus();
}

Status SubstringSegment::AddId(EntryId id) {
  if (leaf_.size() + footer_.size() >= page_bytes_) TT_RETURN_IF_ERROR(EndLeaf());
  if (!has_id_) {
    PutSixteenBits(leaf_.size(), 0, &leaf_);
    TT_RETURN_IF_ERROR(IndexListPage(id));
  }
  AppendVarint(list_begins_ || !has_id_ ? id : id - last_id_, &leaf_);
  last_id_ = id;
  list_begins_ = false;
  has_id_ = true;
  return OkStatus();
}

Status SubstringSegment::EndLeaf() {
  PutSixteenBits(leaf_.size(), 2, &leaf_);
  leaf_ += footer_;
  if (!has_term_) ++pages_without_term_;
  TT_RETURN_IF_ERROR(WriteBlock(LeafId(segment_, leaf_number_), leaf_));
  ++leaf_number_;
  leaf_.assign(kLeafHeadBytes, '\0');
  footer_.clear();
  last_term_offset_ = 0;
  has_term_ = false;
  has_id_ = false;
  return OkStatus();
}

// Notes where the terms of the page `first_page_` are, now that the list of its last one is whole.
Status SubstringSegment::EndFirstPage() {
  const bool indexed = pages_without_term_ >= kMinIndexedPages && !list_index_[0].octets.empty();
  if (indexed) {
    for (std::size_t height = 0; height < list_index_.size(); ++height) {
      const ListIndexPage& page = list_index_[height];
      if (page.octets.empty()) break;
      TT_RETURN_IF_ERROR(WriteBlock(ListIndexId(segment_, height, page.number), page.octets));
    }
  }
  pages_without_term_ = 0;
  return Query(write_first_page_)
      .Bind(segment_)
      .BindBlob(first_page_term_)
      .Bind(first_page_ << 1 | (indexed ? 1U : 0U))
      .Run();
}

// Notes the first id of the page under way in the index of its list. A page of the index that is
// full is written, and its successor noted one level higher.
Status SubstringSegment::IndexListPage(EntryId id) {
  for (std::size_t height = 0;; ++height) {
    const bool full = list_index_[height].octets.size() >= page_bytes_;
    if (full) {
      if (list_index_.size() == height + 1) list_index_.emplace_back();
      TT_RETURN_IF_ERROR(EndListIndexPage(height));
    }
    ListIndexPage& page = list_index_[height];
    if (page.octets.empty()) {
      AppendVarint(full ? 1 : 0, &page.octets);  // 0: the root
      AppendVarint(height == 0 ? leaf_number_ : list_index_[height - 1].number, &page.octets);
      AppendVarint(id, &page.octets);
      page.first = id;
    } else {
      AppendVarint(id - page.last, &page.octets);
    }
    page.last = id;
    if (!full) return OkStatus();
  }
}

Status SubstringSegment::EndListIndexPage(std::size_t height) {
  ListIndexPage& page = list_index_[height];
  ListIndexPage& above = list_index_[height + 1];
  page.octets[0] = 1;  // not the root
  TT_RETURN_IF_ERROR(WriteBlock(ListIndexId(segment_, height, page.number), page.octets));
  if (above.octets.empty()) {  // it was the root until now
    above.number = page.number;
    AppendVarint(0, &above.octets);
    AppendVarint(page.number, &above.octets);
    AppendVarint(page.first, &above.octets);
    above.first = above.last = page.first;
  }
  page.octets.clear();
  ++page.number;
  return OkStatus();
}

Status SubstringSegment::Finish(std::uint64_t entries, std::uint64_t text_trigrams) {
  if (term_.empty()) return OkStatus();
  TT_RETURN_IF_ERROR(EndLeaf());
  TT_RETURN_IF_ERROR(EndFirstPage());
  structure_.Add({segment_, 1, leaf_number_ - 1});
  TT_RETURN_IF_ERROR(WriteBlock(kStructureId, structure_.Encode()));
  return AddToCounts(entries, text_trigrams);
}

Status SubstringSegment::AddToCounts(std::uint64_t entries, std::uint64_t text_trigrams) {
  std::string block;
  TT_RETURN_IF_ERROR(ReadBlock(kCountsId, &block));
  std::string_view rest = block;
  std::uint64_t old_entries = 0;
  std::uint64_t old_trigrams = 0;
  // An empty table has an empty record.
  if (!rest.empty() && (!ReadVarint(&rest, &old_entries) || !ReadVarint(&rest, &old_trigrams))) {
    return UnknownFormat();
  }
  block.clear();
  AppendVarint(old_entries + entries, &block);
  AppendVarint(old_trigrams + text_trigrams, &block);
  return WriteBlock(kCountsId, block);
}

}  // namespace twintree::storage::sqlite
