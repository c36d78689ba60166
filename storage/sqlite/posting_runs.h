// More postings than memory holds: sorted runs in temporary files, and their merge.
#ifndef TWINTREE_STORAGE_SQLITE_POSTING_RUNS_H_
#define TWINTREE_STORAGE_SQLITE_POSTING_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/entry_store.h"

namespace twintree::storage::sqlite {

// One key with some of its ids. A key may come several times, one after the other, with ids that
// ascend from one to the next.
using PostingVisit = std::function<Status(std::string_view key, std::span<const EntryId> ids)>;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, FileCloser>;

// Writes one run.
//
// Thread-safety: confined.
class PostingRun {
 public:
  // The file is made in `directory`, where it has no name and goes with the process.
  // Errors: kUnavailable.
  static Result<PostingRun> Make(const std::string& directory);

  // REQUIRES: keys ascend, ids too; a key has less than 64 KiB. Errors: kUnavailable.
  Status Add(std::string_view key, std::span<const EntryId> ids);
  // The same with ids as AppendIds() writes them.
  Status AddEncoded(std::string_view key, std::string_view ids);
  // Ready to be read from the start. Ends the run.
  Result<TemporaryFile> Finish();

 private:
  explicit PostingRun(TemporaryFile file) : file_(std::move(file)) {}

  TemporaryFile file_;
  std::string ids_;
};

// Thread-safety: confined.
class PostingRuns {
 public:
  // Runs that are merged at a time. When there are as many, they become one: files and memory stay
  // bounded.
  static constexpr std::size_t kMaxRuns = 128;

  explicit PostingRuns(std::string directory) : directory_(std::move(directory)) {}

  // REQUIRES: ids under a key are above those of the runs before.
  Status Add(TemporaryFile run);
  // Visits all postings in order. Ends the runs.
  Status Merge(const PostingVisit& visit);

  const std::string& directory() const { return directory_; }

 private:
  class Source;

  const std::string directory_;
  std::vector<TemporaryFile> runs_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_POSTING_RUNS_H_
