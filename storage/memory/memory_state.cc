#include "storage/memory/memory_state.h"

#include <algorithm>

#include "services/model/matching_rule.h"
#include "services/model/quotation.h"

namespace twintree::storage {

namespace {

using model::Error;
using model::ResultCode;

Error NameTaken(const std::string& rdn) {
  return Error{ResultCode::kEntryAlreadyExists,
               "an entry named " + model::Quoted(rdn, model::kMaxQuotedName) + " is already there",
               ""};
}

Error Missing(EntryId id) {
  return Error{ResultCode::kOther, "there is no entry " + std::to_string(id), ""};
}

bool HasKind(const IndexedAttribute& attribute, std::uint8_t kinds) {
  return (attribute.kinds & kinds) != 0;
}

// The kind of terms that answers `query`, or nothing when the attribute has no such index.
std::optional<IndexKind> TermKindFor(const IndexQuery& query, const IndexedAttribute& attribute) {
  switch (query.kind) {
    case IndexQuery::Kind::kEqual:
    case IndexQuery::Kind::kPrefix:
      if (HasKind(attribute, kEqualityIndex | kOrderingIndex)) return kEqualityIndex;
      break;
    case IndexQuery::Kind::kRange:
      if (HasKind(attribute, kOrderingIndex)) return kEqualityIndex;
      break;
    case IndexQuery::Kind::kPresent:
      if (HasKind(attribute, kPresenceIndex)) return kPresenceIndex;
      break;
    case IndexQuery::Kind::kSubstring:
      if (HasKind(attribute, kSubstringIndex)) return kSubstringIndex;
      break;
  }
  return std::nullopt;
}

bool TermMatches(const IndexQuery& query, const std::string& key) {
  switch (query.kind) {
    case IndexQuery::Kind::kEqual: return key == CutIndexKey(query.key);
    case IndexQuery::Kind::kPrefix: return key.starts_with(CutIndexKey(query.key));
    case IndexQuery::Kind::kRange:
      return (!query.low || key >= CutIndexKey(*query.low)) &&
             (!query.high || key <= CutIndexKey(*query.high));
    case IndexQuery::Kind::kPresent: return true;
    case IndexQuery::Kind::kSubstring: return model::SubstringsMatch(key, query.pieces);
  }
  return false;
}

}  // namespace

EntryId MemoryState::FindChild(EntryId parent, std::string_view rdn_key) const {
  const EntryId* id = by_name.Find({parent, std::string(rdn_key)});
  return id == nullptr ? kNoEntry : *id;
}

StoredEntryPtr MemoryState::Get(EntryId id) const {
  const StoredEntryPtr* entry = entries.Find(id);
  return entry == nullptr ? nullptr : *entry;
}

bool MemoryState::HasChildren(EntryId id) const {
  bool found = false;
  by_parent.VisitFrom({id, 0}, [&](const ChildId& key, const Nothing&) {
    found = key.first == id;
    return false;
  });
  return found;
}

LookupState MemoryState::Lookup(const IndexSet& indexes, const IndexQuery& query, std::size_t limit,
                                std::vector<EntryId>* ids) const {
  ids->clear();
  const IndexedAttribute* attribute = indexes.FindNumber(query.attribute);
  if (attribute == nullptr) return LookupState::kNotIndexed;
  const std::optional<IndexKind> kind = TermKindFor(query, *attribute);
  if (!kind) return LookupState::kNotIndexed;
  const TermKey first = {IndexTerm{query.attribute, *kind, ""}, 0};
  terms.VisitFrom(first, [&](const TermKey& key, const Nothing&) {
    if (key.first.attribute != query.attribute || key.first.kind != *kind) return false;
    if (TermMatches(query, key.first.key)) ids->push_back(key.second);
    return true;
  });
  std::sort(ids->begin(), ids->end());
  ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
  return ids->size() > limit ? LookupState::kTooMany : LookupState::kComplete;
}

Status MemoryState::ReadChanges(ChangeNumber after, std::size_t limit,
                                std::vector<Change>* out) const {
  if (after < log_floor) {
    return Error{ResultCode::kNoSuchObject,
                 "the change log begins after " + std::to_string(log_floor), ""};
  }
  changes.VisitFrom(after + 1, [&](const ChangeNumber&, const Change& change) {
    if (limit == 0) return false;
    out->push_back(change);
    return --limit != 0;
  });
  return model::OkStatus();
}

void MemoryState::Link(const StoredEntryPtr& entry, const IndexSet& indexes) {
  entries.Put(entry->id, entry);
  by_name.Put({entry->parent, entry->rdn_key}, entry->id);
  by_parent.Put({entry->parent, entry->id}, {});
  for (IndexTerm& term : IndexTerms(entry->entry, indexes)) {
    terms.Put({std::move(term), entry->id}, {});
  }
}

void MemoryState::Unlink(const StoredEntry& entry, const IndexSet& indexes) {
  for (IndexTerm& term : IndexTerms(entry.entry, indexes)) {
    terms.Erase({std::move(term), entry.id});
  }
  by_parent.Erase({entry.parent, entry.id});
  by_name.Erase({entry.parent, entry.rdn_key});
  entries.Erase(entry.id);
}

Result<EntryId> MemoryState::Insert(NewEntry entry, const IndexSet& indexes) {
  if (FindChild(entry.parent, entry.rdn_key) != kNoEntry) return NameTaken(entry.rdn);
  if (entry.parent != kNoEntry && Get(entry.parent) == nullptr) return Missing(entry.parent);
  const EntryId id = ++last_id;
  Link(std::make_shared<const StoredEntry>(StoredEntry{id, entry.parent, std::move(entry.rdn),
                                                       std::move(entry.rdn_key),
                                                       std::move(entry.entry)}),
       indexes);
  return id;
}

Status MemoryState::Replace(EntryId id, model::Entry entry, const IndexSet& indexes) {
  const StoredEntryPtr old = Get(id);
  if (old == nullptr) return Missing(id);
  const auto stored = std::make_shared<const StoredEntry>(
      StoredEntry{id, old->parent, old->rdn, old->rdn_key, std::move(entry)});
  IndexTermChanges difference = DiffIndexTerms(old->entry, stored->entry, indexes);
  for (IndexTerm& term : difference.removed) terms.Erase({std::move(term), id});
  for (IndexTerm& term : difference.added) terms.Put({std::move(term), id}, {});
  entries.Put(id, stored);
  return model::OkStatus();
}

Status MemoryState::Move(EntryId id, NewEntry entry, const IndexSet& indexes) {
  const StoredEntryPtr old = Get(id);
  if (old == nullptr) return Missing(id);
  const EntryId holder = FindChild(entry.parent, entry.rdn_key);
  if (holder != kNoEntry && holder != id) return NameTaken(entry.rdn);
  if (entry.parent != kNoEntry && Get(entry.parent) == nullptr) return Missing(entry.parent);
  Unlink(*old, indexes);
  Link(std::make_shared<const StoredEntry>(StoredEntry{id, entry.parent, std::move(entry.rdn),
                                                       std::move(entry.rdn_key),
                                                       std::move(entry.entry)}),
       indexes);
  return model::OkStatus();
}

Status MemoryState::Remove(EntryId id, const IndexSet& indexes) {
  const StoredEntryPtr old = Get(id);
  if (old == nullptr) return Missing(id);
  if (HasChildren(id)) {
    return Error{ResultCode::kNotAllowedOnNonLeaf, "the entry has children", ""};
  }
  Unlink(*old, indexes);
  return model::OkStatus();
}

void MemoryState::Trim(std::size_t change_log_limit) {
  while (changes.size() > change_log_limit) {
    ChangeNumber oldest = 0;
    changes.VisitFrom(0, [&](const ChangeNumber& number, const Change&) {
      oldest = number;
      return false;
    });
    changes.Erase(oldest);
    log_floor = oldest;
  }
}

}  // namespace twintree::storage
