#include "storage/sqlite/index_builder.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "storage/sqlite/bounded_queue.h"
#include "storage/sqlite/migration.h"
#include "storage/sqlite/prepared_terms.h"
#include "storage/sqlite/substring_segment.h"

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

constexpr std::uint64_t kProgressEvery = 1 << 16;
constexpr ScanLimit kScanLot{256, std::size_t{4} << 20};

// Of bulk_memory_bytes: a chunk that gathers, one that is sorted, and the lists of trigrams, which
// take a quarter of it together. Chunks are not so large that little would be sorted meanwhile.
constexpr std::size_t kMemoryParts = 12;
constexpr std::size_t kMaxChunkBytes = std::size_t{16} << 20;
constexpr std::size_t kMinChunkBytes = std::size_t{64} << 10;
// What an entry takes beside its octets; while they are sorted, their terms take as much again.
constexpr std::size_t kEntryBytes = 256;

std::size_t ChunkBytes(const StoreContext& context) {
  return std::clamp(context.options.bulk_memory_bytes / kMemoryParts, kMinChunkBytes,
                    kMaxChunkBytes);
}

// Rows of the term table on their way from the thread that merges to the one that stores.
class TermRows {
 public:
  void Add(std::string_view sort_key, const PostingRow& row) {
    sizes_.push_back(
        {SpaceOfSortKey(sort_key), sort_key.size() - kSpaceBytes, row.first, row.rest.size()});
    octets_.append(KeyOfSortKey(sort_key)).append(row.rest);
  }
  void CountPostings(std::size_t count) { postings_ += count; }

  std::size_t bytes() const { return octets_.size(); }
  std::uint64_t postings() const { return postings_; }
  // Views of this object's octets.
  std::vector<TermTable::Row> Rows() const {
    std::vector<TermTable::Row> rows;
    rows.reserve(sizes_.size());
    std::string_view rest = octets_;
    for (const Sizes& sizes : sizes_) {
      rows.push_back({sizes.space, rest.substr(0, sizes.key), sizes.first,
                      rest.substr(sizes.key, sizes.rest)});
      rest.remove_prefix(sizes.key + sizes.rest);
    }
    return rows;
  }

 private:
  struct Sizes {
    std::uint32_t space = 0;
    std::size_t key = 0;
    EntryId first = kNoEntry;
    std::size_t rest = 0;
  };
  std::vector<Sizes> sizes_;
  std::string octets_;  // of each row its key and its rest
  std::uint64_t postings_ = 0;
};
constexpr std::size_t kRowsBytes = std::size_t{128} << 10;
constexpr std::size_t kQueuedRows = 8;

using RowsQueue = BoundedQueue<TermRows>;

// Merges what was sorted, as rows, into the queue, and closes it.
Status MergeInto(TermSorter* sorter, RowsQueue* queue) {
  TermRows rows;
  Status status =
      sorter->Finish([&](std::string_view sort_key, std::span<const EntryId> ids) -> Status {
        if (ids.size() == 1) {
          rows.Add(sort_key, {ids.front(), ""});
        } else {
          for (const PostingRow& row : EncodePostings(ids)) rows.Add(sort_key, row);
        }
        rows.CountPostings(ids.size());
        if (rows.bytes() < kRowsBytes) return OkStatus();
        if (queue->Put(std::exchange(rows, TermRows()))) return OkStatus();
        // The other side has failed and says why.
        return model::Error{model::ResultCode::kOther, "the index was given up", ""};
      });
  if (status.ok()) queue->Put(std::move(rows));
  queue->Close();
  return status;
}

}  // namespace

IndexBuilder::IndexBuilder(const StoreContext& context, Tables& tables)
    : tables_(tables),
      chunk_bytes_(ChunkBytes(context)),
      terms_(context.options.directory),
      trigrams_(context.options.directory, chunk_bytes_ * 2) {}

IndexBuilder::~IndexBuilder() {
  if (worker_.valid()) worker_.wait();
}

Status IndexBuilder::Add(EntryId id, std::string terms) {
  bytes_ += 2 * terms.size() + kEntryBytes;
  chunk_.push_back({id, std::move(terms)});
  return bytes_ < chunk_bytes_ ? OkStatus() : HandOver();
}

Status IndexBuilder::HandOver() {
  TT_RETURN_IF_ERROR(AwaitWorker());
  bytes_ = 0;
  worker_ = std::async(std::launch::async, [this, chunk = std::exchange(chunk_, {})]() -> Status {
    TT_RETURN_IF_ERROR(trigrams_.Add(chunk));
    return terms_.Add(chunk);
  });
  return OkStatus();
}

Status IndexBuilder::AwaitWorker() { return worker_.valid() ? worker_.get() : OkStatus(); }

Status IndexBuilder::Finish(const std::function<void(double)>& progress) {
  TT_RETURN_IF_ERROR(HandOver());
  TT_RETURN_IF_ERROR(AwaitWorker());
  TT_RETURN_IF_ERROR(WriteTerms(progress));
  if (progress) progress(1.0);
  return OkStatus();
}

Status IndexBuilder::WriteTrigrams() {
  SubstringSegment segment(*tables_.connection);
  TT_RETURN_IF_ERROR(segment.Begin());
  TT_RETURN_IF_ERROR(trigrams_.Finish([&](std::uint64_t trigram, std::span<const EntryId> ids) {
    return segment.Add(SubstringAlphabet::UnpackTrigram(trigram), ids);
  }));
  return segment.Finish(trigrams_.entries(), trigrams_.text_trigrams());
}

// The trigrams are written while the first terms are merged.
Status IndexBuilder::WriteTerms(const std::function<void(double)>& progress) {
  RowsQueue queue(kQueuedRows);
  auto merging = std::async(std::launch::async, MergeInto, &terms_, &queue);
  Status status = WriteTrigrams();
  std::uint64_t done = 0;
  std::uint64_t next_report = kProgressEvery;
  while (status.ok()) {
    const std::optional<TermRows> rows = queue.Take();
    if (!rows) break;
    status = tables_.terms.Append(rows->Rows());
    done += rows->postings();
    if (progress && done >= next_report) {
      next_report = done + kProgressEvery;
      progress(static_cast<double>(done) / static_cast<double>(terms_.count() + 1));
    }
  }
  queue.Close();
  const Status merged = merging.get();
  return status.ok() ? merged : status;
}

Status RebuildIndexes(const StoreContext& context, Tables& tables,
                      const std::function<void(double)>& progress) {
  TT_RETURN_IF_ERROR(RecreateIndexTables(*tables.connection));
  TT_ASSIGN_OR_RETURN(const StoreState state, tables.state.Read());
  IndexBuilder builder(context, tables);
  const double total = static_cast<double>(std::max<std::uint64_t>(state.last_id, 1));
  std::vector<StoredEntryPtr> entries;
  EntryId last = kNoEntry;
  std::uint64_t next_report = kProgressEvery;
  while (true) {
    entries.clear();
    TT_RETURN_IF_ERROR(tables.entries.Scan(last, kScanLot, nullptr, &entries));
    if (entries.empty()) break;
    for (const StoredEntryPtr& entry : entries) {
      TT_RETURN_IF_ERROR(
          builder.Add(entry->id, PrepareTerms(entry->entry, context.indexes, context.alphabet)));
    }
    last = entries.back()->id;
    if (progress && last >= next_report) {
      next_report = last + kProgressEvery;
      progress(0.6 * static_cast<double>(last) / total);
    }
  }
  return builder.Finish([&](double part) {
    if (progress) progress(0.6 + 0.4 * part);
  });
}

}  // namespace twintree::storage::sqlite
