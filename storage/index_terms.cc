#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "services/model/matching_rule.h"
#include "storage/index.h"

namespace twintree::storage {

namespace {

using model::Entry;
using model::StoredAttribute;

constexpr std::uint8_t kAllKinds =
    kEqualityIndex | kPresenceIndex | kSubstringIndex | kOrderingIndex;

// Calls `take` with number, kind and key (std::string&&) of the terms of one value.
template <typename Take>
void TakeValueTerms(const IndexedAttribute& indexed, std::uint8_t kinds, std::string_view value,
                    const Take& take) {
  const std::uint8_t wanted = indexed.kinds & kinds;
  if ((wanted & (kEqualityIndex | kOrderingIndex)) != 0) {
    auto key = indexed.type->EqualityKey(value);
    if (key.ok()) {
      std::string text = std::move(key).value();
      if (text.size() > kMaxIndexKeyBytes) text.resize(kMaxIndexKeyBytes);
      take(indexed.number, kEqualityIndex, std::move(text));
    }
  }
  if ((wanted & kSubstringIndex) != 0) {
    auto key = indexed.type->substring->ValueKey(value);
    if (key.ok()) take(indexed.number, kSubstringIndex, std::move(key).value());
  }
}

// The same for those of an entry.
template <typename Take>
void TakeTerms(const Entry& entry, const IndexSet& indexes, std::uint8_t kinds, const Take& take) {
  for (const StoredAttribute& attribute : entry.attributes()) {
    if (attribute.type() == nullptr) continue;
    const IndexedAttribute* indexed = indexes.Find(*attribute.type());
    if (indexed == nullptr || (indexed->kinds & kinds) == 0) continue;
    if ((indexed->kinds & kinds & kPresenceIndex) != 0) {
      take(indexed->number, kPresenceIndex, std::string());
    }
    for (std::string_view value : attribute.values()) {
      TakeValueTerms(*indexed, kinds, value, take);
    }
  }
}

// Appends the terms of one value.
void AppendValueTerms(const IndexedAttribute& indexed, std::uint8_t kinds, std::string_view value,
                      std::vector<IndexTerm>* terms) {
  TakeValueTerms(indexed, kinds, value,
                 [terms](AttributeNumber number, IndexKind kind, std::string&& key) {
                   terms->push_back({number, kind, std::move(key)});
                 });
}

void SortAndUnite(std::vector<IndexTerm>* terms) {
  std::sort(terms->begin(), terms->end());
  terms->erase(std::unique(terms->begin(), terms->end()), terms->end());
}

std::vector<IndexTerm> TermsOfKinds(const Entry& entry, const IndexSet& indexes,
                                    std::uint8_t kinds) {
  std::vector<IndexTerm> terms;
  TakeTerms(entry, indexes, kinds, [&](AttributeNumber number, IndexKind kind, std::string&& key) {
    terms.push_back({number, kind, std::move(key)});
  });
  SortAndUnite(&terms);
  return terms;
}

using Values = std::unordered_set<std::string_view>;

// All values of the type, whatever their options.
Values ValuesOf(const Entry& entry, const model::AttributeType& type) {
  Values values;
  for (const StoredAttribute& attribute : entry.attributes()) {
    if (attribute.type() != &type) continue;
    for (std::string_view value : attribute.values()) values.insert(value);
  }
  return values;
}

// True if both entries have the same octets for the type.
bool SameOctets(const Entry& before, const Entry& after, const model::AttributeType& type) {
  auto old_attributes = before.attributes();
  auto new_attributes = after.attributes();
  auto a = old_attributes.begin();
  auto b = new_attributes.begin();
  while (true) {
    while (a != old_attributes.end() && a->type() != &type) ++a;
    while (b != new_attributes.end() && b->type() != &type) ++b;
    if (a == old_attributes.end() || b == new_attributes.end()) {
      return a == old_attributes.end() && b == new_attributes.end();
    }
    if (a->value_elements() != b->value_elements()) return false;
    ++a;
    ++b;
  }
}

void DiffType(const Entry& before, const Entry& after, const IndexedAttribute& indexed,
              IndexTermChanges* changes) {
  const Values old_values = ValuesOf(before, *indexed.type);
  const Values new_values = ValuesOf(after, *indexed.type);
  std::vector<IndexTerm> removed;
  std::vector<IndexTerm> kept;
  for (std::string_view value : old_values) {
    if (!new_values.contains(value)) AppendValueTerms(indexed, kAllKinds, value, &removed);
  }
  for (std::string_view value : new_values) {
    if (!old_values.contains(value)) AppendValueTerms(indexed, kAllKinds, value, &changes->added);
  }
  if (!removed.empty()) {
    // A value that stays may have the same key as one that goes.
    for (std::string_view value : new_values) AppendValueTerms(indexed, kAllKinds, value, &kept);
    SortAndUnite(&removed);
    SortAndUnite(&kept);
    std::set_difference(removed.begin(), removed.end(), kept.begin(), kept.end(),
                        std::back_inserter(changes->removed));
  }
  if ((indexed.kinds & kPresenceIndex) != 0 && old_values.empty() != new_values.empty()) {
    auto& list = old_values.empty() ? changes->added : changes->removed;
    list.push_back({indexed.number, kPresenceIndex, ""});
  }
}

}  // namespace

std::vector<IndexTerm> IndexTerms(const Entry& entry, const IndexSet& indexes) {
  return TermsOfKinds(entry, indexes, kAllKinds);
}

void VisitIndexTerms(const Entry& entry, const IndexSet& indexes, const VisitTerm& visit) {
  TakeTerms(
      entry, indexes, kAllKinds,
      [&](AttributeNumber number, IndexKind kind, std::string&& key) { visit(number, kind, key); });
}

std::vector<IndexTerm> SubstringTerms(const Entry& entry, const IndexSet& indexes) {
  return TermsOfKinds(entry, indexes, kSubstringIndex);
}

IndexTermChanges DiffIndexTerms(const Entry& before, const Entry& after, const IndexSet& indexes) {
  IndexTermChanges changes;
  for (const IndexedAttribute& indexed : indexes.attributes()) {
    if (SameOctets(before, after, *indexed.type)) continue;
    DiffType(before, after, indexed, &changes);
  }
  SortAndUnite(&changes.removed);
  SortAndUnite(&changes.added);
  return changes;
}

std::string CutIndexKey(std::string_view key) {
  return std::string(key.substr(0, kMaxIndexKeyBytes));
}

}  // namespace twintree::storage
