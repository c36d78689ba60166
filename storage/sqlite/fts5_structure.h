// The record in which FTS5 lists the segments of an index.
//
//   octets 0-3   a number that changes with the configuration
//   varints      how many levels; how many segments; a counter of pages written
//   each level   varints: how many of its first segments are being merged; how many it has; for
//                each the segment's number, first and last page
//
// Segments of a level have about the same size, each level's about four times that of the one
// below; within a level the newest is last.
#ifndef TWINTREE_STORAGE_SQLITE_FTS5_STRUCTURE_H_
#define TWINTREE_STORAGE_SQLITE_FTS5_STRUCTURE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twintree::storage::sqlite {

// SQLite's variable-length integers: seven bits an octet, high bits first, nine octets at most.
void AppendVarint(std::uint64_t number, std::string* out);
// Takes one from the front; false when it is cut off.
bool ReadVarint(std::string_view* octets, std::uint64_t* number);

class Fts5Structure {
 public:
  struct Segment {
    std::uint64_t number = 0;
    std::uint64_t first_page = 0;
    std::uint64_t last_page = 0;
  };

  // Nothing when the octets are damaged or of a later format.
  static std::optional<Fts5Structure> Decode(std::string_view octets);
  std::string Encode() const;

  // A number that no segment has; 0 when there is none.
  std::uint64_t FreeSegment() const;
  // Puts the segment on the level where its size belongs.
  void Add(const Segment& segment);

 private:
  struct Level {
    std::uint64_t merging = 0;
    std::vector<Segment> segments;
  };

  std::string cookie_;
  std::uint64_t pages_written_ = 0;
  std::vector<Level> levels_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_FTS5_STRUCTURE_H_
