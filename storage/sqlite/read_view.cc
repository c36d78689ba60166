#include "storage/sqlite/read_view.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace twintree::storage::sqlite {

namespace {

LookupState StateOf(bool complete) {
  return complete ? LookupState::kComplete : LookupState::kTooMany;
}

std::string_view Cut(std::string_view key) { return key.substr(0, kMaxIndexKeyBytes); }

}  // namespace

Result<EntryId> ReadView::FindChild(EntryId parent, std::string_view rdn_key) {
  const NumberedTextView name{parent, rdn_key};
  EntryId id = kNoEntry;
  if (context_.caches.children.Find(name, version_, [&](EntryId cached) { id = cached; })) {
    return id;
  }
  TT_ASSIGN_OR_RETURN(id, tables_.entries.FindChild(parent, rdn_key));
  context_.caches.KeepChild(name, id, version_);
  return id;
}

Result<StoredEntryPtr> ReadView::Get(EntryId id) {
  StoredEntryPtr entry;
  auto use = [&](const StoredEntryPtr& cached) { entry = cached; };
  if (context_.caches.entries.Find(id, version_, use)) return entry;
  TT_ASSIGN_OR_RETURN(entry, tables_.entries.Get(id));
  if (entry != nullptr) context_.caches.KeepEntry(entry, version_);
  return entry;
}

Result<EntryId> ReadView::ParentOf(EntryId id) {
  EntryId parent = kNoEntry;
  auto use = [&](const StoredEntryPtr& cached) { parent = cached->parent; };
  if (context_.caches.entries.Find(id, version_, use)) return parent;
  return tables_.entries.ParentOf(id);
}

Status ReadView::Children(EntryId parent, EntryId after, std::size_t limit,
                          std::vector<EntryId>* ids) {
  if (after != kNoEntry) return tables_.entries.Children(parent, after, limit, ids);
  const auto use = [&](const std::vector<EntryId>& cached) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(limit, cached.size()));
    ids->insert(ids->end(), cached.begin(), cached.begin() + count);
  };
  if (context_.caches.child_lists.Find(parent, version_, use)) return {};
  // One more than a list that is kept has, to know that it is whole.
  std::vector<EntryId> found;
  TT_RETURN_IF_ERROR(tables_.entries.Children(
      parent, after, std::max(limit, StoreCaches::kMaxCachedIds + 1), &found));
  context_.caches.KeepChildList(parent, found, version_);
  use(found);
  return {};
}

Result<std::uint64_t> ReadView::CountChildren(EntryId parent, std::uint64_t at_most) {
  std::uint64_t count = 0;
  const auto use = [&](const std::vector<EntryId>& cached) { count = cached.size(); };
  if (!context_.caches.child_lists.Peek(parent, version_, use)) {
    if (at_most > StoreCaches::kMaxCachedIds) return tables_.entries.CountChildren(parent, at_most);
    std::vector<EntryId> ids;
    TT_RETURN_IF_ERROR(Children(parent, kNoEntry, at_most, &ids));
    count = ids.size();
  }
  return std::min(count, at_most);
}

Status ReadView::Scan(EntryId after, const ScanLimit& limit, std::vector<StoredEntryPtr>* entries) {
  // Cached entries need not be decoded again; a scan leaves the cache as it is.
  auto known = [this](EntryId id) {
    StoredEntryPtr entry;
    context_.caches.entries.Peek(id, version_, [&](const StoredEntryPtr& e) { entry = e; });
    return entry;
  };
  return tables_.entries.Scan(after, limit, known, entries);
}

bool ReadView::CanAnswer(const IndexQuery& query) const {
  const IndexedAttribute* attribute = context_.indexes.FindNumber(query.attribute);
  if (!context_.indexed || attribute == nullptr) return false;
  switch (query.kind) {
    case IndexQuery::Kind::kEqual:
    case IndexQuery::Kind::kPrefix:
      return (attribute->kinds & (kEqualityIndex | kOrderingIndex)) != 0;
    case IndexQuery::Kind::kRange: return (attribute->kinds & kOrderingIndex) != 0;
    case IndexQuery::Kind::kPresent: return (attribute->kinds & kPresenceIndex) != 0;
    case IndexQuery::Kind::kSubstring:
      return (attribute->kinds & kSubstringIndex) != 0 &&
             query.attribute < SubstringAlphabet::kMaxPages;
  }
  return false;
}

Result<LookupState> ReadView::Lookup(const IndexQuery& query, std::size_t limit,
                                     std::vector<EntryId>* ids) {
  if (query.kind != IndexQuery::Kind::kEqual || !CanAnswer(query)) {
    return LookUpAt(version_, query, limit, ids);
  }
  const NumberedTextView term{query.attribute, Cut(query.key)};
  auto use = [&](const std::vector<EntryId>& cached) { *ids = cached; };
  if (!context_.caches.equality.Find(term, version_, use)) {
    TT_ASSIGN_OR_RETURN(const LookupState state, LookUpAt(version_, query, limit, ids));
    if (state == LookupState::kComplete) context_.caches.KeepIds(term, *ids, version_);
    return state;
  }
  return StateOf(ids->size() <= limit);
}

Result<LookupState> ReadView::LookupInDatabase(const IndexQuery& query, std::size_t limit,
                                               std::vector<EntryId>* ids) {
  return LookUpAt(std::nullopt, query, limit, ids);
}

Result<LookupState> ReadView::LookUpAt(std::optional<ChangeNumber> version, const IndexQuery& query,
                                       std::size_t limit, std::vector<EntryId>* ids) {
  ids->clear();
  if (!CanAnswer(query)) return LookupState::kNotIndexed;
  TT_RETURN_IF_ERROR(tables_.terms.SetVersion(version));
  const std::uint32_t space = TermSpace(query.attribute, query.kind == IndexQuery::Kind::kPresent);
  Result<bool> complete = true;
  switch (query.kind) {
    case IndexQuery::Kind::kEqual:
      complete = tables_.terms.FindEqual(space, Cut(query.key), limit, ids);
      break;
    case IndexQuery::Kind::kPresent:
      complete = tables_.terms.FindEqual(space, "", limit, ids);
      break;
    case IndexQuery::Kind::kPrefix:
      complete = tables_.terms.FindPrefix(space, CutIndexKey(query.key), limit, ids);
      break;
    case IndexQuery::Kind::kRange: {
      std::optional<std::string> high;
      if (query.high) high = CutIndexKey(*query.high);
      complete = tables_.terms.FindRange(space, query.low ? Cut(*query.low) : "", high, limit, ids);
      break;
    }
    case IndexQuery::Kind::kSubstring: {
      const auto pattern = context_.alphabet.PatternOf(query.attribute, query.pieces);
      if (pattern.empty()) return LookupState::kNotIndexed;
      complete = tables_.substrings.Find(pattern, limit, ids);
      break;
    }
  }
  if (!complete.ok()) return std::move(complete).error();
  return StateOf(*complete);
}

}  // namespace twintree::storage::sqlite
