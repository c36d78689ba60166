#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "ldap_gateway/ber/ber.h"
#include "services/model/key_search.h"
#include "services/model/matching_rule.h"
#include "storage/index.h"
#include "storage/value_changes.h"

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

// The values of each attribute of one type, whatever its options.
using Attributes = std::vector<model::ValueRange>;

Attributes AttributesOf(const Entry& entry, const model::AttributeType& type) {
  Attributes attributes;
  for (const StoredAttribute& attribute : entry.attributes()) {
    if (attribute.type() == &type) attributes.push_back(attribute.values());
  }
  return attributes;
}

// Takes off the values that both begin with: a group mostly gets its new members at the end.
void DropCommonHead(Attributes* before, Attributes* after) {
  if (before->empty() || after->empty()) return;
  ber::Reader a(before->front().elements());
  ber::Reader b(after->front().elements());
  ber::Element of_a;
  ber::Element of_b;
  while (a.Next(&of_a) && b.Next(&of_b) && of_a.whole == of_b.whole) {
    before->front() = model::ValueRange(a.rest());
    after->front() = model::ValueRange(b.rest());
  }
}

std::vector<std::string_view> ValuesOf(const Attributes& attributes) {
  std::vector<std::string_view> values;
  for (const model::ValueRange& attribute : attributes) {
    values.reserve(values.size() + attribute.CountValues());
    for (std::string_view value : attribute) values.push_back(value);
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

// Takes out of `terms`, which are of one kind and `rule`, those that one of the values has.
void EraseHeld(const model::MatchingRule& rule, const Attributes& attributes,
               std::vector<IndexTerm>* terms) {
  std::vector<std::string> keys;
  keys.reserve(terms->size());
  for (const IndexTerm& term : *terms) keys.push_back(term.key);
  const model::KeySearch search(rule, keys);
  std::vector<bool> held(keys.size());
  for (const model::ValueRange& values : attributes) {
    for (std::string_view value : values) {
      if (const auto place = search.Find(value)) held[*place] = true;
    }
  }
  std::size_t place = 0;
  std::erase_if(*terms, [&](const IndexTerm&) { return held[place++]; });
}

// The same for terms of any kind, by all that the values have.
void EraseHeldByTerms(const IndexedAttribute& indexed, const Attributes& attributes,
                      std::vector<IndexTerm>* terms) {
  std::vector<IndexTerm> held;
  for (const model::ValueRange& values : attributes) {
    for (std::string_view value : values) AppendValueTerms(indexed, kAllKinds, value, &held);
  }
  SortAndUnite(&held);
  std::erase_if(*terms, [&](const IndexTerm& term) {
    return std::binary_search(held.begin(), held.end(), term);
  });
}

// The terms of `removed` that none of `kept` has: a value that stays may have the same key as one
// that goes.
std::vector<IndexTerm> RemovedTerms(const IndexedAttribute& indexed,
                                    std::span<const std::string_view> removed,
                                    const Attributes& kept) {
  std::vector<IndexTerm> terms;
  for (std::string_view value : removed) AppendValueTerms(indexed, kAllKinds, value, &terms);
  SortAndUnite(&terms);
  const bool cut = std::any_of(terms.begin(), terms.end(), [](const IndexTerm& term) {
    return term.kind == kEqualityIndex && term.key.size() == kMaxIndexKeyBytes;
  });
  if (cut) {
    // A key that was cut is not the key of a value.
    EraseHeldByTerms(indexed, kept, &terms);
    return terms;
  }
  const auto middle = std::find_if(terms.begin(), terms.end(), [](const IndexTerm& term) {
    return term.kind == kSubstringIndex;
  });
  std::vector<IndexTerm> substrings(std::make_move_iterator(middle),
                                    std::make_move_iterator(terms.end()));
  terms.erase(middle, terms.end());
  if (!terms.empty()) EraseHeld(*indexed.type->equality, kept, &terms);
  if (!substrings.empty()) EraseHeld(*indexed.type->substring, kept, &substrings);
  std::move(substrings.begin(), substrings.end(), std::back_inserter(terms));
  return terms;
}

void DiffType(const Entry& before, const Entry& after, const IndexedAttribute& indexed,
              IndexTermChanges* changes) {
  Attributes old_attributes = AttributesOf(before, *indexed.type);
  const Attributes kept = AttributesOf(after, *indexed.type);
  Attributes new_attributes = kept;
  if ((indexed.kinds & kPresenceIndex) != 0 && old_attributes.empty() != kept.empty()) {
    auto& list = old_attributes.empty() ? changes->added : changes->removed;
    list.push_back({indexed.number, kPresenceIndex, ""});
  }
  DropCommonHead(&old_attributes, &new_attributes);
  const ValueChanges values = CompareValues(ValuesOf(old_attributes), ValuesOf(new_attributes));
  for (std::string_view value : values.added) {
    AppendValueTerms(indexed, kAllKinds, value, &changes->added);
  }
  if (!values.removed.empty()) {
    std::vector<IndexTerm> removed = RemovedTerms(indexed, values.removed, kept);
    std::move(removed.begin(), removed.end(), std::back_inserter(changes->removed));
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
