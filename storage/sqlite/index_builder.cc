#include "storage/sqlite/index_builder.h"

#include <algorithm>
#include <string>
#include <vector>

#include "storage/sqlite/migration.h"

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

// What FTS5 gathers before it writes a segment: more make fewer segments to merge, but at some
// point its hash table falls out of the processor's caches.
constexpr std::size_t kBulkHashBytes = std::size_t{16} << 20;
constexpr std::size_t kUsualHashBytes = std::size_t{1} << 20;

constexpr std::uint64_t kProgressEvery = 1 << 16;
constexpr ScanLimit kScanLot{256, std::size_t{4} << 20};

}  // namespace

Status IndexBuilder::Begin() { return tables_.substrings.SetGatheredBytes(kBulkHashBytes); }

Status IndexBuilder::Add(const StoredEntry& entry) {
  const std::vector<IndexTerm> terms = IndexTerms(entry.entry, context_.indexes);
  for (const IndexTerm& term : terms) {
    if (term.kind == kSubstringIndex) continue;
    const bool presence = term.kind == kPresenceIndex;
    TT_RETURN_IF_ERROR(sorter_.Add(TermSpace(term.attribute, presence), term.key, entry.id));
  }
  const std::string text = context_.alphabet.Text(terms);
  return text.empty() ? OkStatus() : tables_.substrings.Add(entry.id, text);
}

Status IndexBuilder::Finish(const std::function<void(double)>& progress) {
  std::uint64_t done = 0;
  std::uint64_t next_report = kProgressEvery;
  TT_RETURN_IF_ERROR(sorter_.Finish(
      [&](std::uint32_t space, std::string_view key, std::span<const EntryId> ids) -> Status {
        done += ids.size();
        if (progress && done >= next_report) {
          next_report = done + kProgressEvery;
          progress(static_cast<double>(done) / static_cast<double>(sorter_.count() + 1));
        }
        return tables_.terms.AppendList(space, key, ids);
      }));
  TT_RETURN_IF_ERROR(tables_.substrings.SetGatheredBytes(kUsualHashBytes));
  if (progress) progress(1.0);
  return OkStatus();
}

Status RebuildIndexes(const StoreContext& context, Tables& tables,
                      const std::function<void(double)>& progress) {
  TT_RETURN_IF_ERROR(RecreateIndexTables(*tables.connection));
  TT_ASSIGN_OR_RETURN(const StoreState state, tables.state.Read());
  IndexBuilder builder(context, tables);
  TT_RETURN_IF_ERROR(builder.Begin());
  const double total = static_cast<double>(std::max<std::uint64_t>(state.last_id, 1));
  std::vector<StoredEntryPtr> entries;
  EntryId last = kNoEntry;
  std::uint64_t next_report = kProgressEvery;
  while (true) {
    entries.clear();
    TT_RETURN_IF_ERROR(tables.entries.Scan(last, kScanLot, nullptr, &entries));
    if (entries.empty()) break;
    for (const StoredEntryPtr& entry : entries) TT_RETURN_IF_ERROR(builder.Add(*entry));
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
