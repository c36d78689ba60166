// Sorts more terms than memory holds: chunks are sorted and written to temporary files, then
// merged.
#ifndef TWINTREE_STORAGE_SQLITE_TERM_SORTER_H_
#define TWINTREE_STORAGE_SQLITE_TERM_SORTER_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/entry_store.h"

namespace twintree::storage::sqlite {

// Records are kept as octets whose order is that of (space, key, id): the space in three octets,
// big-endian; the key with each 00 written as 00 FF, and 00 01 at the end; the id in eight octets,
// big-endian.
//
// Thread-safety: confined; sorts its chunks in a thread of its own.
class TermSorter {
 public:
  // Called for each term with its ids, ascending.
  using Visit =
      std::function<Status(std::uint32_t space, std::string_view key, std::span<const EntryId>)>;

  // `memory_bytes`: about what the records may take. Temporary files are made in `directory`,
  // where they have no name and go with the process.
  TermSorter(std::string directory, std::size_t memory_bytes);
  ~TermSorter();
  TermSorter(const TermSorter&) = delete;
  TermSorter& operator=(const TermSorter&) = delete;

  // Errors: kUnavailable when a temporary file cannot be written.
  Status Add(std::uint32_t space, std::string_view key, EntryId id);
  std::uint64_t count() const { return count_; }

  // Visits all terms in order, each once; ids that were added twice come once. Ends the sorter.
  Status Finish(const Visit& visit);

 private:
  struct Chunk {
    std::string octets;
    std::vector<std::uint64_t> places;  // offset << 16 | length of each record

    std::string_view View(std::uint64_t place) const {
      return {octets.data() + (place >> 16), place & 0xffff};
    }
    void Sort();
    void SortSpace(std::vector<std::uint64_t> group);
  };
  struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, FileCloser>;
  class Source;
  class Grouper;

  Status HandOver();
  Status AwaitWriter();
  static Result<File> WriteRun(Chunk chunk, const std::string& directory);
  Status Merge(Grouper* grouper);

  const std::string directory_;
  const std::size_t chunk_bytes_;
  std::uint64_t count_ = 0;
  Chunk chunk_;
  std::future<Result<File>> writing_;
  std::vector<File> runs_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_TERM_SORTER_H_
