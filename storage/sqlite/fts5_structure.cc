#include "storage/sqlite/fts5_structure.h"

#include <algorithm>
#include <array>
#include <set>

namespace twintree::storage::sqlite {

namespace {

constexpr std::size_t kCookieBytes = 4;
constexpr std::uint64_t kMaxSegments = 2000;
constexpr std::uint64_t kMaxLevels = 64;
// Segments of a level that FTS5 merges into one of the next.
constexpr std::uint64_t kMergedSegments = 4;

}  // namespace

void AppendVarint(std::uint64_t number, std::string* out) {
  if (number < 0x80) return out->push_back(static_cast<char>(number));
  std::array<char, 9> octets{};
  std::size_t first = octets.size();
  if ((number >> 56) != 0) {  // the ninth octet has eight bits
    octets[--first] = static_cast<char>(number);
    number >>= 8;
    for (; first > 0; number >>= 7) octets[--first] = static_cast<char>(number | 0x80);
  } else {
    octets[--first] = static_cast<char>(number & 0x7f);
    while ((number >>= 7) != 0) octets[--first] = static_cast<char>(number | 0x80);
  }
  out->append(octets.data() + first, octets.size() - first);
}

bool ReadVarint(std::string_view* octets, std::uint64_t* number) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < octets->size() && i < 9; ++i) {
    const auto octet = static_cast<unsigned char>((*octets)[i]);
    const bool last = i == 8 || octet < 0x80;
    value = i == 8 ? value << 8 | octet : value << 7 | (octet & 0x7fU);
    if (!last) continue;
    octets->remove_prefix(i + 1);
    *number = value;
    return true;
  }
  return false;
}

std::optional<Fts5Structure> Fts5Structure::Decode(std::string_view octets) {
  Fts5Structure structure;
  if (octets.size() < kCookieBytes) return std::nullopt;
  structure.cookie_ = octets.substr(0, kCookieBytes);
  octets.remove_prefix(kCookieBytes);
  std::uint64_t levels = 0;
  std::uint64_t segments = 0;
  // A later format begins with a number of levels that cannot be.
  if (!ReadVarint(&octets, &levels) || levels > kMaxLevels || !ReadVarint(&octets, &segments) ||
      segments > kMaxSegments || !ReadVarint(&octets, &structure.pages_written_)) {
    return std::nullopt;
  }
  for (; levels > 0; --levels) {
    Level& level = structure.levels_.emplace_back();
    std::uint64_t count = 0;
    if (!ReadVarint(&octets, &level.merging) || !ReadVarint(&octets, &count)) return std::nullopt;
    for (; count > 0; --count) {
      Segment& segment = level.segments.emplace_back();
      if (!ReadVarint(&octets, &segment.number) || !ReadVarint(&octets, &segment.first_page) ||
          !ReadVarint(&octets, &segment.last_page) || segments-- == 0) {
        return std::nullopt;
      }
    }
  }
  if (segments != 0 || !octets.empty()) return std::nullopt;
  return structure;
}

std::string Fts5Structure::Encode() const {
  std::uint64_t segments = 0;
  for (const Level& level : levels_) segments += level.segments.size();
  std::string octets = cookie_;
  AppendVarint(levels_.size(), &octets);
  AppendVarint(segments, &octets);
  AppendVarint(pages_written_, &octets);
  for (const Level& level : levels_) {
    AppendVarint(level.merging, &octets);
    AppendVarint(level.segments.size(), &octets);
    for (const Segment& segment : level.segments) {
      AppendVarint(segment.number, &octets);
      AppendVarint(segment.first_page, &octets);
      AppendVarint(segment.last_page, &octets);
    }
  }
  return octets;
}

std::uint64_t Fts5Structure::FreeSegment() const {
  std::set<std::uint64_t> used;
  for (const Level& level : levels_) {
    for (const Segment& segment : level.segments) used.insert(segment.number);
  }
  std::uint64_t number = 1;
  while (used.contains(number)) ++number;
  return used.size() < kMaxSegments ? number : 0;
}

// The level above one that is being merged takes the result as its last segment, so nothing may
// come behind that.
void Fts5Structure::Add(const Segment& segment) {
  std::size_t level = 0;
  for (std::uint64_t pages = segment.last_page; pages > 1; pages /= kMergedSegments) ++level;
  while (level > 0 && level <= levels_.size() && levels_[level - 1].merging > 0) ++level;
  level = std::min<std::size_t>(level, kMaxLevels - 1);
  if (level >= levels_.size()) levels_.resize(level + 1);
  levels_[level].segments.push_back(segment);
}

}  // namespace twintree::storage::sqlite
