#include "storage/sqlite/term_sorter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/sqlite/prepared_terms.h"

namespace twintree::storage::sqlite {

namespace {

// One term of one entry. `prefix`: eight octets of the key as a number whose order is theirs; most
// comparisons need no more.
struct Item {
  std::uint64_t prefix = 0;
  const char* key = nullptr;
  std::uint32_t entry = 0;  // its place among the entries
  std::uint16_t key_size = 0;

  std::string_view view() const { return {key, key_size}; }
};

// The items of one space. They often begin alike (mail addresses, times), so that prefixes are
// taken after what all have in common.
struct Space {
  std::vector<Item> items;
  std::size_t common = SIZE_MAX;

  void Add(std::string_view sort_key, std::size_t entry) {
    const std::string_view first = items.empty() ? sort_key : items.front().view();
    const auto size =
        static_cast<std::ptrdiff_t>(std::min({common, first.size(), sort_key.size()}));
    common = static_cast<std::size_t>(
        std::mismatch(first.begin(), first.begin() + size, sort_key.begin()).first - first.begin());
    items.push_back({0, sort_key.data(), static_cast<std::uint32_t>(entry),
                     static_cast<std::uint16_t>(sort_key.size())});
  }
};

std::uint64_t Prefix(std::string_view octets) {
  std::array<char, 8> first{};
  std::memcpy(first.data(), octets.data(), std::min(octets.size(), first.size()));
  const auto number = std::bit_cast<std::uint64_t>(first);
  return std::endian::native == std::endian::little ? __builtin_bswap64(number) : number;
}

void Sort(Space* space) {
  for (Item& item : space->items) item.prefix = Prefix(item.view().substr(space->common));
  std::sort(space->items.begin(), space->items.end(), [](const Item& a, const Item& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int order = a.view().compare(b.view());
    return order != 0 ? order < 0 : a.entry < b.entry;
  });
}

Status Write(std::span<const Item> items, std::span<const EntryTerms> entries, PostingRun* run) {
  std::vector<EntryId> ids;
  while (!items.empty()) {
    const std::string_view key = items.front().view();
    ids.clear();
    std::size_t count = 0;
    while (count < items.size() && items[count].view() == key) {
      const EntryId id = entries[items[count++].entry].id;
      if (ids.empty() || ids.back() != id) ids.push_back(id);
    }
    TT_RETURN_IF_ERROR(run->Add(key, ids));
    items = items.subspan(count);
  }
  return model::OkStatus();
}

}  // namespace

Status TermSorter::Add(std::span<const EntryTerms> entries) {
  std::vector<Space> spaces;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    PreparedTerms(entries[i].terms).VisitTerms([&](std::string_view sort_key) {
      const std::size_t space = SpaceOfSortKey(sort_key);
      if (space >= spaces.size()) spaces.resize(space + 1);
      spaces[space].Add(sort_key, i);
      ++count_;
    });
  }
  TT_ASSIGN_OR_RETURN(PostingRun run, PostingRun::Make(runs_.directory()));
  for (Space& space : spaces) {
    Sort(&space);
    TT_RETURN_IF_ERROR(Write(space.items, entries, &run));
    space.items = std::vector<Item>();
  }
  TT_ASSIGN_OR_RETURN(TemporaryFile file, run.Finish());
  return runs_.Add(std::move(file));
}

}  // namespace twintree::storage::sqlite
