#include "storage/sqlite/write_batch.h"

#include <algorithm>
#include <utility>

namespace twintree::storage::sqlite {

using model::Error;
using model::OkStatus;
using model::ResultCode;

namespace {

// Gathered index changes are written when they take more than this.
constexpr std::size_t kMaxGatheredBytes = std::size_t{8} << 20;
// Beyond this many touched terms it is cheaper to empty a cache than to look for each.
constexpr std::size_t kMaxTouchedTerms = 50'000;
// New values beyond this many are left for readers to load.
constexpr std::size_t kMaxOffered = 1000;
// Old records leave the change log in lots, not one a commit.
constexpr std::uint64_t kTrimLot = 256;

Error Missing(EntryId id) {
  return Error{ResultCode::kOther, "there is no entry " + std::to_string(id), ""};
}

std::string NameKey(EntryId parent, std::string_view rdn_key) {
  std::string key(reinterpret_cast<const char*>(&parent), sizeof parent);
  key += rdn_key;
  return key;
}

}  // namespace

WriteBatch::WriteBatch(StoreContext& context, Tables& tables)
    : context_(context), tables_(tables), base_(context, tables, 0) {}

void WriteBatch::Begin(const StoreState& committed, ChangeNumber used_versions) {
  state_ = committed;
  base_.set_version(committed.version);
  state_.version = std::max(committed.version, used_versions);
  pending_ = PendingIndex();
  work_ = WorkState();
  broken_ = false;
  batch_changed_ = false;
  entries_.clear();
  names_.clear();
  terms_.clear();
}

Status WriteBatch::BeginWork(bool undoable) {
  if (pending_.bytes() > kMaxGatheredBytes) {
    Status applied = pending_.Apply(state_.version, &tables_.terms, &tables_.substrings, &terms_);
    broken_ = !applied.ok();
    TT_RETURN_IF_ERROR(applied);
  }
  work_ = WorkState();
  work_.undoable = undoable;
  work_.state_before = state_;
  work_.mark = pending_.mark();
  return undoable ? Query(tables_.savepoint).Run() : OkStatus();
}

Status WriteBatch::EndWork(Status status) {
  if (status.ok()) status = work_.failure;
  if (!status.ok()) {
    const Status undone = UndoWork();
    broken_ = !undone.ok() || !tables_.connection->in_transaction();
    return status;
  }
  if (work_.changed && !work_.appended) ++state_.version;
  if (work_.moved) state_.hierarchy_version = state_.version;
  work_.moved = false;
  batch_changed_ = batch_changed_ || work_.changed || work_.appended;
  status = work_.undoable ? Query(tables_.release).Run() : OkStatus();
  broken_ = !status.ok() || !tables_.connection->in_transaction();
  return status;
}

// What the work touched stays touched; its values are no longer known.
Status WriteBatch::UndoWork() {
  state_ = work_.state_before;
  work_.moved = false;
  if (work_.pending_before) {
    pending_ = *std::move(work_.pending_before);
  } else {
    pending_.ReturnTo(work_.mark);
  }
  for (const EntryId id : work_.touched) entries_[id] = std::nullopt;
  if (!work_.undoable || !tables_.connection->in_transaction()) return OkStatus();
  TT_RETURN_IF_ERROR(Query(tables_.rollback_to).Run());
  return Query(tables_.release).Run();
}

Status WriteBatch::Finish() {
  TT_RETURN_IF_ERROR(pending_.Apply(state_.version, &tables_.terms, &tables_.substrings, &terms_));
  const std::uint64_t limit = context_.options.change_log_limit;
  if (state_.log_records > limit + std::min<std::uint64_t>(limit / 16, kTrimLot)) {
    TT_ASSIGN_OR_RETURN(const ChangeNumber removed,
                        tables_.changes.RemoveOldest(state_.log_records - limit));
    state_.log_floor = std::max(state_.log_floor, removed);
    state_.log_records = limit;
  }
  return tables_.state.Write(state_);
}

void WriteBatch::Announce() {
  const ChangeNumber version = state_.version;
  for (const auto& [id, value] : entries_) context_.caches.entries.Invalidate(id, version);
  for (const auto& [key, name] : names_) {
    context_.caches.children.Invalidate(name.view(), version);
    context_.caches.child_lists.Invalidate(name.number, version);
  }
  if (terms_.size() > kMaxTouchedTerms) {
    context_.caches.equality.InvalidateAll(version);
  } else {
    for (const NumberedText& term : terms_) {
      context_.caches.equality.Invalidate(term.view(), version);
    }
  }
}

void WriteBatch::OfferToCaches() {
  if (entries_.size() > kMaxOffered) return;
  for (const auto& [id, value] : entries_) {
    if (!value || *value == nullptr) continue;
    context_.caches.KeepEntry(*value, state_.version);
    context_.caches.KeepChild({(*value)->parent, (*value)->rdn_key}, id, state_.version);
  }
}

// A failure of the storage, as opposed to a refusal, spoils the work whatever it makes of it.
Status WriteBatch::Failed(Status status) {
  if (!status.ok() && status.code() != ResultCode::kEntryAlreadyExists && work_.failure.ok()) {
    work_.failure = status;
  }
  return status;
}

void WriteBatch::Touch(const StoredEntryPtr& value, EntryId id) {
  entries_[id] = value;
  work_.touched.push_back(id);
  work_.changed = true;
}

void WriteBatch::TouchName(EntryId parent, std::string_view rdn_key) {
  names_.try_emplace(NameKey(parent, rdn_key), NumberedTextView{parent, rdn_key});
}

Result<EntryId> WriteBatch::FindChild(EntryId parent, std::string_view rdn_key) {
  if (names_.empty() || !names_.contains(NameKey(parent, rdn_key))) {
    return base_.FindChild(parent, rdn_key);
  }
  return tables_.entries.FindChild(parent, rdn_key);
}

Result<StoredEntryPtr> WriteBatch::Get(EntryId id) {
  const auto touched = entries_.find(id);
  if (touched == entries_.end()) return base_.Get(id);
  if (!touched->second) {
    TT_ASSIGN_OR_RETURN(touched->second, tables_.entries.Get(id));
  }
  return *touched->second;
}

Result<EntryId> WriteBatch::ParentOf(EntryId id) {
  const auto touched = entries_.find(id);
  if (touched == entries_.end()) return base_.ParentOf(id);
  return tables_.entries.ParentOf(id);
}

Status WriteBatch::Children(EntryId parent, EntryId after, std::size_t limit,
                            std::vector<EntryId>* ids) {
  return tables_.entries.Children(parent, after, limit, ids);
}

Result<std::uint64_t> WriteBatch::CountChildren(EntryId parent, std::uint64_t at_most) {
  return tables_.entries.CountChildren(parent, at_most);
}

Status WriteBatch::Scan(EntryId after, const ScanLimit& limit,
                        std::vector<StoredEntryPtr>* entries) {
  return tables_.entries.Scan(after, limit, nullptr, entries);
}

Result<LookupState> WriteBatch::Lookup(const IndexQuery& query, std::size_t limit,
                                       std::vector<EntryId>* ids) {
  if (!batch_changed_ && !work_.changed) return base_.Lookup(query, limit, ids);
  TT_ASSIGN_OR_RETURN(const LookupState state, base_.LookupInDatabase(query, limit, ids));
  if (state != LookupState::kComplete) return state;
  if (query.kind == IndexQuery::Kind::kSubstring) {
    pending_.Correct(context_.alphabet.PatternOf(query.attribute, query.pieces), ids);
  } else {
    pending_.Correct(query, ids);
  }
  return ids->size() <= limit ? LookupState::kComplete : LookupState::kTooMany;
}

Status WriteBatch::ReadChanges(ChangeNumber after, std::size_t limit,
                               std::vector<Change>* changes) {
  TT_RETURN_IF_ERROR(CheckLogReaches(state_, after));
  return tables_.changes.Read(after, limit, changes);
}

Result<std::optional<std::string>> WriteBatch::GetSetting(std::string_view name) {
  return tables_.settings.Get(name);
}

Result<StoredEntryPtr> WriteBatch::GetExisting(EntryId id) {
  TT_ASSIGN_OR_RETURN(StoredEntryPtr entry, Get(id));
  if (entry == nullptr) return Missing(id);
  return entry;
}

void WriteBatch::ChangeIndexes(const StoredEntry* before, const StoredEntry* after) {
  const EntryId id = before != nullptr ? before->id : after->id;
  IndexTermChanges changes;
  if (before != nullptr && after != nullptr) {
    changes = DiffIndexTerms(before->entry, after->entry, context_.indexes);
  } else if (after != nullptr) {
    changes.added = IndexTerms(after->entry, context_.indexes);
  } else {
    changes.removed = IndexTerms(before->entry, context_.indexes);
  }
  pending_.ChangeTerms(id, changes.removed, false);
  pending_.ChangeTerms(id, changes.added, true);
  auto is_substring = [](const IndexTerm& term) { return term.kind == kSubstringIndex; };
  if (std::none_of(changes.removed.begin(), changes.removed.end(), is_substring) &&
      std::none_of(changes.added.begin(), changes.added.end(), is_substring)) {
    return;
  }
  // The text holds all substring terms of the entry, of which the changes are a part unless the
  // entry comes or goes.
  auto text = [&](const StoredEntry* entry, const std::vector<IndexTerm>& all) {
    if (entry == nullptr) return std::string();
    if (before == nullptr || after == nullptr) return context_.alphabet.Text(all);
    return context_.alphabet.Text(SubstringTerms(entry->entry, context_.indexes));
  };
  pending_.ChangeText(id, text(before, changes.removed), text(after, changes.added));
}

// Bounds the memory of one large piece of work.
Status WriteBatch::WriteGathered() {
  if (pending_.bytes() <= kMaxGatheredBytes) return OkStatus();
  if (work_.undoable && !work_.pending_before) {
    // Undoing the work also takes back what is written now for the work before it.
    work_.pending_before = pending_;
    work_.pending_before->ReturnTo(work_.mark);
  }
  work_.mark = PendingIndex::Mark();
  return Failed(pending_.Apply(state_.version, &tables_.terms, &tables_.substrings, &terms_));
}

Result<EntryId> WriteBatch::Insert(NewEntry entry) {
  if (entry.parent != kNoEntry) TT_RETURN_IF_ERROR(GetExisting(entry.parent));
  const EntryId id = state_.last_id + 1;
  auto stored = std::make_shared<const StoredEntry>(StoredEntry{
      id, entry.parent, std::move(entry.rdn), std::move(entry.rdn_key), std::move(entry.entry)});
  TT_RETURN_IF_ERROR(Failed(tables_.entries.Insert(*stored)));
  state_.last_id = id;
  ++state_.entries;
  TouchName(stored->parent, stored->rdn_key);
  Touch(stored, id);
  ChangeIndexes(nullptr, stored.get());
  TT_RETURN_IF_ERROR(WriteGathered());
  return id;
}

Status WriteBatch::Replace(EntryId id, model::Entry entry) {
  TT_ASSIGN_OR_RETURN(const StoredEntryPtr old, GetExisting(id));
  auto stored = std::make_shared<const StoredEntry>(
      StoredEntry{id, old->parent, old->rdn, old->rdn_key, std::move(entry)});
  TT_RETURN_IF_ERROR(Failed(tables_.entries.UpdateData(id, stored->entry.octets())));
  Touch(stored, id);
  ChangeIndexes(old.get(), stored.get());
  return WriteGathered();
}

Status WriteBatch::Move(EntryId id, NewEntry entry) {
  TT_ASSIGN_OR_RETURN(const StoredEntryPtr old, GetExisting(id));
  if (entry.parent != kNoEntry) TT_RETURN_IF_ERROR(GetExisting(entry.parent));
  auto stored = std::make_shared<const StoredEntry>(StoredEntry{
      id, entry.parent, std::move(entry.rdn), std::move(entry.rdn_key), std::move(entry.entry)});
  TT_RETURN_IF_ERROR(Failed(tables_.entries.Update(*stored)));
  TT_ASSIGN_OR_RETURN(const std::uint64_t children, tables_.entries.CountChildren(id, 1));
  work_.moved = work_.moved || children != 0;
  TouchName(old->parent, old->rdn_key);
  TouchName(stored->parent, stored->rdn_key);
  Touch(stored, id);
  ChangeIndexes(old.get(), stored.get());
  return WriteGathered();
}

Status WriteBatch::Remove(EntryId id) {
  TT_ASSIGN_OR_RETURN(const StoredEntryPtr old, GetExisting(id));
  TT_ASSIGN_OR_RETURN(const std::uint64_t children, tables_.entries.CountChildren(id, 1));
  if (children != 0) return Error{ResultCode::kNotAllowedOnNonLeaf, "the entry has children", ""};
  TT_RETURN_IF_ERROR(Failed(tables_.entries.Remove(id)));
  --state_.entries;
  TouchName(old->parent, old->rdn_key);
  Touch(nullptr, id);
  ChangeIndexes(old.get(), nullptr);
  return WriteGathered();
}

Status WriteBatch::AppendChange(Change change) {
  change.number = state_.version + 1;
  change.commit_time = std::chrono::system_clock::now();
  TT_RETURN_IF_ERROR(Failed(tables_.changes.Append(change)));
  state_.version = change.number;
  ++state_.log_records;
  work_.appended = true;
  return OkStatus();
}

Status WriteBatch::PutSetting(std::string_view name, std::string_view value) {
  TT_RETURN_IF_ERROR(Failed(tables_.settings.Put(name, value)));
  work_.changed = true;
  return OkStatus();
}

}  // namespace twintree::storage::sqlite
