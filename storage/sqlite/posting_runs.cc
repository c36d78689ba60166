#include "storage/sqlite/posting_runs.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "storage/sqlite/posting_list.h"
#include "storage/sqlite/sqlite_error.h"

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} << 10;
// Ids that are passed on at a time.
constexpr std::size_t kMaxIds = std::size_t{64} << 10;

struct Head {
  std::uint32_t ids_size = 0;
  std::uint16_t key_size = 0;
};
constexpr std::size_t kHeadBytes = 6;

model::Error TemporaryFileError() { return SystemError(errno, "a temporary file of the store"); }

bool Write(std::FILE* file, const void* data, std::size_t size) {
  return size == 0 || std::fwrite(data, size, 1, file) == 1;
}

bool Read(std::FILE* file, void* data, std::size_t size) {
  return size == 0 || std::fread(data, size, 1, file) == 1;
}

}  // namespace

Result<PostingRun> PostingRun::Make(const std::string& directory) {
  const int descriptor = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) return TemporaryFileError();
  TemporaryFile file(fdopen(descriptor, "w+b"));
  if (file == nullptr) {
    const model::Error error = TemporaryFileError();
    close(descriptor);
    return error;
  }
  std::setvbuf(file.get(), nullptr, _IOFBF, kBufferBytes);
  return PostingRun(std::move(file));
}

Status PostingRun::Add(std::string_view key, std::span<const EntryId> ids) {
  ids_.clear();
  EntryId last = kNoEntry;
  for (const EntryId id : ids) AppendId(id, std::exchange(last, id), &ids_);
  return AddEncoded(key, ids_);
}

Status PostingRun::AddEncoded(std::string_view key, std::string_view ids) {
  const Head head{static_cast<std::uint32_t>(ids.size()), static_cast<std::uint16_t>(key.size())};
  if (!Write(file_.get(), &head, kHeadBytes) || !Write(file_.get(), key.data(), key.size()) ||
      !Write(file_.get(), ids.data(), ids.size())) {
    return TemporaryFileError();
  }
  return OkStatus();
}

Result<TemporaryFile> PostingRun::Finish() {
  if (std::fflush(file_.get()) != 0) return TemporaryFileError();
  std::rewind(file_.get());
  return std::move(file_);
}

// Reads a run.
class PostingRuns::Source {
 public:
  explicit Source(std::FILE* file) : file_(file) {}

  // False at the end.
  Result<bool> Next() {
    Head head;
    if (!Read(file_, &head, kHeadBytes)) {
      if (std::ferror(file_) != 0) return TemporaryFileError();
      return false;
    }
    key_.resize(head.key_size);
    octets_.resize(head.ids_size);
    if (!Read(file_, key_.data(), key_.size()) || !Read(file_, octets_.data(), octets_.size())) {
      return TemporaryFileError();
    }
    return true;
  }
  std::string_view key() const { return key_; }

  // Calls `visit` with lots of the ids.
  Status VisitIds(const PostingVisit& visit, std::vector<EntryId>* ids) const {
    ids->clear();
    Status status;
    const auto gather = [&](EntryId id) {
      ids->push_back(id);
      if (ids->size() < kMaxIds) return true;
      status = visit(key_, *ids);
      ids->clear();
      return status.ok();
    };
    if (!ForEachPosting(0, octets_, gather)) {
      return model::Error{model::ResultCode::kOther, "a temporary file of the store is damaged",
                          ""};
    }
    TT_RETURN_IF_ERROR(std::move(status));
    return ids->empty() ? OkStatus() : visit(key_, *ids);
  }

 private:
  std::FILE* file_;
  std::string key_;
  std::string octets_;
};

Status PostingRuns::Add(TemporaryFile run) {
  runs_.push_back(std::move(run));
  if (runs_.size() < kMaxRuns) return OkStatus();
  TT_ASSIGN_OR_RETURN(PostingRun all, PostingRun::Make(directory_));
  TT_RETURN_IF_ERROR(
      Merge([&](std::string_view key, std::span<const EntryId> ids) { return all.Add(key, ids); }));
  TT_ASSIGN_OR_RETURN(TemporaryFile file, all.Finish());
  runs_.push_back(std::move(file));
  return OkStatus();
}

// A heap of the runs by their next key; equal keys in the order of the runs.
Status PostingRuns::Merge(const PostingVisit& visit) {
  const std::vector<TemporaryFile> runs = std::exchange(runs_, {});
  std::vector<Source> sources;
  sources.reserve(runs.size());
  for (const TemporaryFile& run : runs) sources.emplace_back(run.get());
  auto later = [&](std::size_t a, std::size_t b) {
    const int order = sources[a].key().compare(sources[b].key());
    return order != 0 ? order > 0 : a > b;
  };
  std::vector<std::size_t> heap;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    TT_ASSIGN_OR_RETURN(const bool some, sources[i].Next());
    if (some) heap.push_back(i);
  }
  std::make_heap(heap.begin(), heap.end(), later);
  std::vector<EntryId> ids;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    Source& first = sources[heap.back()];
    TT_RETURN_IF_ERROR(first.VisitIds(visit, &ids));
    TT_ASSIGN_OR_RETURN(const bool some, first.Next());
    some ? std::push_heap(heap.begin(), heap.end(), later) : heap.pop_back();
  }
  return OkStatus();
}

}  // namespace twintree::storage::sqlite
