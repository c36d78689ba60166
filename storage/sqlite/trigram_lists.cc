#include "storage/sqlite/trigram_lists.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "storage/sqlite/posting_list.h"
#include "storage/sqlite/prepared_terms.h"

namespace twintree::storage::sqlite {

namespace {

constexpr std::size_t kFirstSlots = std::size_t{1} << 14;
// What a list takes beside its octets, its slots included.
constexpr std::size_t kListBytes = 96;

std::size_t Hash(std::uint64_t trigram) {
  return static_cast<std::size_t>((trigram * 0x9E3779B97F4A7C15U) >> 20);
}

// Big-endian, so that octets are ordered as numbers.
std::string KeyOf(std::uint64_t trigram) {
  std::string key;
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(trigram >> shift));
  return key;
}

std::uint64_t TrigramOf(std::string_view key) {
  std::uint64_t trigram = 0;
  for (const char octet : key) trigram = trigram << 8 | static_cast<unsigned char>(octet);
  return trigram;
}

}  // namespace

TrigramLists::TrigramLists(std::string directory, std::size_t memory_bytes)
    : memory_bytes_(memory_bytes), runs_(std::move(directory)), slots_(kFirstSlots, 0) {}

TrigramLists::List& TrigramLists::Find(std::uint64_t trigram) {
  std::size_t at = Hash(trigram) & (slots_.size() - 1);
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
    List& list = lists_[slots_[at] - 1];
    if (list.trigram == trigram) return list;
  }
  lists_.push_back({trigram, kNoEntry, ""});
  slots_[at] = static_cast<std::uint32_t>(lists_.size());
  bytes_ += kListBytes;
  if (lists_.size() * 2 > slots_.size()) Grow();
  return lists_.back();
}

void TrigramLists::Grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    std::size_t at = Hash(lists_[i].trigram) & (slots_.size() - 1);
    while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

Status TrigramLists::Add(std::span<const EntryTerms> entries) {
  for (const EntryTerms& entry : entries) {
    const PreparedTerms terms(entry.terms);
    if (terms.text_trigrams() == 0) continue;
    ++entries_;
    text_trigrams_ += terms.text_trigrams();
    terms.VisitTrigrams([&](std::uint64_t trigram) {
      List& list = Find(trigram);
      const std::size_t before = list.ids.size();
      AppendId(entry.id, std::exchange(list.last, entry.id), &list.ids);
      bytes_ += 2 * (list.ids.size() - before);  // a string may have twice the room it needs
    });
    if (bytes_ > memory_bytes_) TT_RETURN_IF_ERROR(Spill());
  }
  return model::OkStatus();
}

Status TrigramLists::Spill() {
  std::sort(lists_.begin(), lists_.end(),
            [](const List& a, const List& b) { return a.trigram < b.trigram; });
  TT_ASSIGN_OR_RETURN(PostingRun run, PostingRun::Make(runs_.directory()));
  for (const List& list : lists_) TT_RETURN_IF_ERROR(run.AddEncoded(KeyOf(list.trigram), list.ids));
  TT_ASSIGN_OR_RETURN(TemporaryFile file, run.Finish());
  lists_ = std::vector<List>();
  slots_.assign(kFirstSlots, 0);
  bytes_ = 0;
  return runs_.Add(std::move(file));
}

Status TrigramLists::Finish(const Visit& visit) {
  TT_RETURN_IF_ERROR(Spill());
  return runs_.Merge([&](std::string_view key, std::span<const EntryId> ids) {
    return visit(TrigramOf(key), ids);
  });
}

}  // namespace twintree::storage::sqlite
