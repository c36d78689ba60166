#include "services/directory/engine/candidates.h"

#include <algorithm>
#include <utility>

namespace twintree::directory {
namespace {

using model::Result;
using storage::EntryId;
using storage::StoredEntryPtr;

constexpr std::size_t kChildrenBatch = 256;
constexpr storage::ScanLimit kScanBatch{64, std::size_t{256} << 10};
// Of a batch, what a search that pauses does not keep and reads again.
constexpr std::size_t kMostKeptBytes = std::size_t{64} << 10;

}  // namespace

CandidateStream CandidateStream::OfEntry(StoredEntryPtr entry) {
  CandidateStream stream;
  stream.source_ = Source::kEntry;
  stream.entry_ = std::move(entry);
  return stream;
}

CandidateStream CandidateStream::OfIds(std::vector<EntryId> ids) {
  CandidateStream stream;
  stream.ids_ = std::move(ids);
  return stream;
}

CandidateStream CandidateStream::OfChildren(EntryId parent) {
  CandidateStream stream;
  stream.source_ = Source::kChildren;
  stream.parent_ = parent;
  return stream;
}

CandidateStream CandidateStream::OfAll() {
  CandidateStream stream;
  stream.source_ = Source::kAll;
  return stream;
}

void CandidateStream::SkipTo(EntryId id) {
  after_ = id;
  if (source_ == Source::kEntry && entry_->id <= id) position_ = 1;
  if (source_ != Source::kIds) return;
  position_ =
      static_cast<std::size_t>(std::upper_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
}

std::optional<std::uint64_t> CandidateStream::listed() const {
  switch (source_) {
    case Source::kEntry: return 1;
    case Source::kIds: return ids_.size();
    case Source::kChildren:
    case Source::kAll: break;
  }
  return std::nullopt;
}

Result<StoredEntryPtr> CandidateStream::Next(storage::ReadTransaction& reader) {
  switch (source_) {
    case Source::kEntry: return position_++ == 0 ? entry_ : StoredEntryPtr();
    case Source::kAll: return NextScanned(reader);
    case Source::kIds:
    case Source::kChildren: break;
  }
  return NextId(reader);
}

Result<StoredEntryPtr> CandidateStream::NextId(storage::ReadTransaction& reader) {
  for (;;) {
    if (position_ == ids_.size() && source_ == Source::kChildren) {
      if (!ids_.empty()) after_ = ids_.back();
      ids_.clear();
      position_ = 0;
      TT_RETURN_IF_ERROR(reader.Children(parent_, after_, kChildrenBatch, &ids_));
    }
    if (position_ == ids_.size()) return StoredEntryPtr();
    TT_ASSIGN_OR_RETURN(StoredEntryPtr entry, reader.Get(ids_[position_++]));
    if (entry != nullptr) return entry;
  }
}

void CandidateStream::Pause() {
  if (source_ != Source::kAll) return;
  std::size_t bytes = 0;
  for (std::size_t i = position_; i < entries_.size(); ++i) {
    bytes += entries_[i]->entry.octets().size();
  }
  if (bytes <= kMostKeptBytes) return;
  entries_.clear();
  position_ = 0;
}

Result<StoredEntryPtr> CandidateStream::NextScanned(storage::ReadTransaction& reader) {
  if (position_ == entries_.size()) {
    entries_.clear();
    position_ = 0;
    TT_RETURN_IF_ERROR(reader.Scan(after_, kScanBatch, &entries_));
    if (entries_.empty()) return StoredEntryPtr();
  }
  StoredEntryPtr entry = std::move(entries_[position_++]);
  after_ = entry->id;
  return entry;
}

}  // namespace twintree::directory
