#include "storage/sqlite/term_sorter.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <queue>
#include <utility>

#include "storage/sqlite/sqlite_error.h"

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

constexpr std::size_t kIdBytes = 8;
constexpr std::size_t kSpaceBytes = 3;  // twice an AttributeNumber, and one more
// A record is shorter: a key has at most kMaxIndexKeyBytes octets, each of which takes two at most.
constexpr std::size_t kMaxRecordBytes = 0xffff;
static_assert(kSpaceBytes + 2 * kMaxIndexKeyBytes + 2 + kIdBytes < kMaxRecordBytes);

void AppendBigEndian(std::uint64_t number, std::size_t octets, std::string* out) {
  for (std::size_t i = octets; i-- > 0;) out->push_back(static_cast<char>(number >> (8 * i)));
}

std::uint64_t ReadBigEndian(std::string_view octets) {
  std::uint64_t number = 0;
  for (const char c : octets) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

void AppendRecord(std::uint32_t space, std::string_view key, EntryId id, std::string* out) {
  AppendBigEndian(space, kSpaceBytes, out);
  if (key.find('\0') == std::string_view::npos) {
    out->append(key);
  } else {
    for (const char c : key) {
      out->push_back(c);
      if (c == '\0') out->push_back('\xff');
    }
  }
  out->append(std::string_view("\0\1", 2));
  AppendBigEndian(id, kIdBytes, out);
}

// The key of a record without its id.
std::string KeyOf(std::string_view record) {
  std::string_view escaped = record.substr(kSpaceBytes, record.size() - kSpaceBytes - 2 - kIdBytes);
  std::string key;
  key.reserve(escaped.size());
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    key.push_back(escaped[i]);
    if (escaped[i] == '\0') ++i;
  }
  return key;
}

// The octets from `skip` on, as many as fit, as a number whose order is theirs.
std::uint64_t Prefix(std::string_view record, std::size_t skip) {
  std::array<char, 8> octets{};
  const std::string_view rest = record.substr(std::min(skip, record.size()));
  std::memcpy(octets.data(), rest.data(), std::min(rest.size(), octets.size()));
  return ReadBigEndian({octets.data(), octets.size()});
}

std::size_t CommonLength(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin()).first -
      a.begin());
}

model::Error TemporaryFileError() { return SystemError(errno, "a temporary file of the store"); }

}  // namespace

// Records of one space often begin alike (mail addresses, times), so each space is sorted by
// itself: the eight octets after what all its records have in common stand beside each record's
// place, and most comparisons need no more.
void TermSorter::Chunk::Sort() {
  std::map<std::uint64_t, std::vector<std::uint64_t>> by_space;
  for (const std::uint64_t place : places) {
    by_space[ReadBigEndian(View(place).substr(0, kSpaceBytes))].push_back(place);
  }
  places.clear();
  for (auto& [space, group] : by_space) SortSpace(std::move(group));
}

void TermSorter::Chunk::SortSpace(std::vector<std::uint64_t> group) {
  std::size_t common = View(group.front()).size();
  for (const std::uint64_t place : group) {
    common = CommonLength(View(group.front()).substr(0, common), View(place));
  }
  struct Item {
    std::uint64_t prefix;
    std::uint64_t place;
  };
  std::vector<Item> items;
  items.reserve(group.size());
  for (const std::uint64_t place : group) items.push_back({Prefix(View(place), common), place});
  std::sort(items.begin(), items.end(), [this](const Item& a, const Item& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : View(a.place) < View(b.place);
  });
  for (const Item& item : items) places.push_back(item.place);
}

// Gathers the ids of one term until another begins.
class TermSorter::Grouper {
 public:
  explicit Grouper(const Visit& visit) : visit_(visit) {}

  Status Take(std::string_view record) {
    const std::string_view term = record.substr(0, record.size() - kIdBytes);
    const EntryId id = ReadBigEndian(record.substr(term.size()));
    if (term != term_) {
      TT_RETURN_IF_ERROR(End());
      term_ = term;
    }
    if (ids_.empty() || ids_.back() != id) ids_.push_back(id);
    return OkStatus();
  }
  Status End() {
    if (ids_.empty()) return OkStatus();
    const auto space =
        static_cast<std::uint32_t>(ReadBigEndian(std::string_view(term_).substr(0, kSpaceBytes)));
    Status status = visit_(space, KeyOf(term_ + std::string(kIdBytes, '\0')), ids_);
    ids_.clear();
    return status;
  }

 private:
  const Visit& visit_;
  std::string term_;
  std::vector<EntryId> ids_;
};

// Reads the records of a run, one after the other.
class TermSorter::Source {
 public:
  explicit Source(std::FILE* file) : file_(file) {}

  // False at the end.
  Result<bool> Next() {
    std::uint16_t size = 0;
    if (std::fread(&size, sizeof size, 1, file_) != 1) {
      if (std::ferror(file_) != 0) return TemporaryFileError();
      return false;
    }
    record_.resize(size);
    if (std::fread(record_.data(), 1, size, file_) != size) return TemporaryFileError();
    return true;
  }
  const std::string& record() const { return record_; }

 private:
  std::FILE* file_;
  std::string record_;
};

// Half of the memory gathers while the other half is sorted and written. Chunks are not so large
// that little would be sorted in the meantime.
TermSorter::TermSorter(std::string directory, std::size_t memory_bytes)
    : directory_(std::move(directory)),
      chunk_bytes_(
          std::clamp<std::size_t>(memory_bytes / 2, std::size_t{1} << 16, std::size_t{32} << 20)) {}

TermSorter::~TermSorter() {
  if (writing_.valid()) writing_.wait();
}

Status TermSorter::Add(std::uint32_t space, std::string_view key, EntryId id) {
  const std::size_t offset = chunk_.octets.size();
  AppendRecord(space, key, id, &chunk_.octets);
  chunk_.places.push_back(std::uint64_t{offset} << 16 | (chunk_.octets.size() - offset));
  ++count_;
  // Sorting takes three words a record beside its octets.
  const std::size_t taken = chunk_.octets.size() + chunk_.places.size() * 24;
  return taken < chunk_bytes_ ? OkStatus() : HandOver();
}

Status TermSorter::HandOver() {
  TT_RETURN_IF_ERROR(AwaitWriter());
  writing_ = std::async(std::launch::async, &TermSorter::WriteRun, std::exchange(chunk_, Chunk()),
                        directory_);
  return OkStatus();
}

Status TermSorter::AwaitWriter() {
  if (!writing_.valid()) return OkStatus();
  Result<File> run = writing_.get();
  if (!run.ok()) return std::move(run).error();
  runs_.push_back(std::move(run).value());
  return OkStatus();
}

Result<TermSorter::File> TermSorter::WriteRun(Chunk chunk, const std::string& directory) {
  chunk.Sort();
  const int descriptor = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) return TemporaryFileError();
  File file(fdopen(descriptor, "w+b"));
  if (file == nullptr) {
    close(descriptor);
    return TemporaryFileError();
  }
  std::setvbuf(file.get(), nullptr, _IOFBF, std::size_t{1} << 18);
  for (const std::uint64_t place : chunk.places) {
    const std::string_view record = chunk.View(place);
    const auto size = static_cast<std::uint16_t>(record.size());
    if (std::fwrite(&size, sizeof size, 1, file.get()) != 1 ||
        std::fwrite(record.data(), 1, record.size(), file.get()) != record.size()) {
      return TemporaryFileError();
    }
  }
  if (std::fflush(file.get()) != 0) return TemporaryFileError();
  std::rewind(file.get());
  return file;
}

Status TermSorter::Finish(const Visit& visit) {
  TT_RETURN_IF_ERROR(AwaitWriter());
  Grouper grouper(visit);
  if (runs_.empty()) {
    chunk_.Sort();
    for (const std::uint64_t place : chunk_.places) {
      TT_RETURN_IF_ERROR(grouper.Take(chunk_.View(place)));
    }
    return grouper.End();
  }
  TT_RETURN_IF_ERROR(HandOver());
  TT_RETURN_IF_ERROR(AwaitWriter());
  TT_RETURN_IF_ERROR(Merge(&grouper));
  return grouper.End();
}

Status TermSorter::Merge(Grouper* grouper) {
  std::vector<Source> sources;
  for (const File& run : runs_) sources.emplace_back(run.get());
  auto later = [&](std::size_t a, std::size_t b) {
    return sources[a].record() > sources[b].record();
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> next(later);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    TT_ASSIGN_OR_RETURN(const bool some, sources[i].Next());
    if (some) next.push(i);
  }
  while (!next.empty()) {
    const std::size_t first = next.top();
    next.pop();
    TT_RETURN_IF_ERROR(grouper->Take(sources[first].record()));
    TT_ASSIGN_OR_RETURN(const bool some, sources[first].Next());
    if (some) next.push(first);
  }
  return OkStatus();
}

}  // namespace twintree::storage::sqlite
