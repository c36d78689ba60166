#include "storage/sqlite/index_check.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

constexpr std::size_t kGroups = 1 << 16;
// Groups that are compared term by term; more would only say the same again.
constexpr std::size_t kMaxCompared = 16;
constexpr ScanLimit kScanLot{256, std::size_t{4} << 20};

std::size_t GroupOf(EntryId id) { return id % kGroups; }

std::uint64_t HashOf(EntryId id, bool trigram, std::uint32_t space, std::string_view key) {
  return NumberedTextHash()({MixBits(id) + space * std::uint64_t{2} + (trigram ? 1U : 0U), key});
}

}  // namespace

IndexCheck::IndexCheck(const StoreContext& context, Tables& tables)
    : context_(context), tables_(tables), differences_(kGroups, 0) {}

void IndexCheck::VisitExpected(EntryId id, const model::Entry& entry, const Visit& visit) const {
  const std::vector<IndexTerm> terms = IndexTerms(entry, context_.indexes);
  for (const IndexTerm& term : terms) {
    if (term.kind == kSubstringIndex) continue;
    visit(id, false, TermSpace(term.attribute, term.kind == kPresenceIndex), term.key);
  }
  for (const std::string& trigram : SubstringAlphabet::Trigrams(context_.alphabet.Text(terms))) {
    visit(id, true, 0, trigram);
  }
}

Status IndexCheck::VisitStored(const Visit& visit) {
  TT_RETURN_IF_ERROR(tables_.terms.VisitAll(
      [&](std::uint32_t space, std::string_view key, std::span<const EntryId> ids) {
        for (const EntryId id : ids) visit(id, false, space, key);
        return OkStatus();
      }));
  return tables_.substrings.VisitAll(
      [&](std::string_view trigram, EntryId id) { visit(id, true, 0, trigram); });
}

void IndexCheck::Expect(EntryId id, const model::Entry& entry) {
  VisitExpected(id, entry,
                [this](EntryId of, bool trigram, std::uint32_t space, std::string_view key) {
                  differences_[GroupOf(of)] += HashOf(of, trigram, space, key);
                });
}

Status IndexCheck::Compare(const std::function<void(std::string)>& report) {
  TT_RETURN_IF_ERROR(
      VisitStored([this](EntryId id, bool trigram, std::uint32_t space, std::string_view key) {
        differences_[GroupOf(id)] -= HashOf(id, trigram, space, key);
      }));
  const auto differing = differences_.size() - static_cast<std::size_t>(std::count(
                                                   differences_.begin(), differences_.end(), 0U));
  if (differing == 0) return OkStatus();
  if (differing > kMaxCompared) {
    report("the indexes differ from the entries in " + std::to_string(differing) +
           " places; some of them follow");
    std::size_t kept = 0;
    for (std::uint64_t& difference : differences_) {
      if (difference != 0 && ++kept > kMaxCompared) difference = 0;
    }
  }
  return CompareGroups(report);
}

Status IndexCheck::CompareGroups(const std::function<void(std::string)>& report) {
  std::set<Posting> expected;
  std::set<Posting> stored;
  auto into = [this](std::set<Posting>* set) {
    return [this, set](EntryId id, bool trigram, std::uint32_t space, std::string_view key) {
      if (differences_[GroupOf(id)] != 0) set->insert({id, trigram, space, std::string(key)});
    };
  };
  EntryId last = kNoEntry;
  std::vector<StoredEntryPtr> entries;
  while (true) {
    entries.clear();
    TT_RETURN_IF_ERROR(tables_.entries.Scan(last, kScanLot, nullptr, &entries));
    if (entries.empty()) break;
    for (const StoredEntryPtr& entry : entries) {
      if (differences_[GroupOf(entry->id)] == 0) continue;
      VisitExpected(entry->id, entry->entry, into(&expected));
    }
    last = entries.back()->id;
  }
  TT_RETURN_IF_ERROR(VisitStored(into(&stored)));
  std::vector<Posting> missing;
  std::vector<Posting> surplus;
  std::set_difference(expected.begin(), expected.end(), stored.begin(), stored.end(),
                      std::back_inserter(missing));
  std::set_difference(stored.begin(), stored.end(), expected.begin(), expected.end(),
                      std::back_inserter(surplus));
  for (const Posting& posting : missing) report(Describe(posting, true));
  for (const Posting& posting : surplus) report(Describe(posting, false));
  return OkStatus();
}

std::string IndexCheck::Describe(const Posting& posting, bool missing) const {
  std::string index = "substring index";
  if (!posting.trigram) {
    const IndexedAttribute* attribute =
        context_.indexes.FindNumber(static_cast<AttributeNumber>(posting.space / 2));
    index = std::string(posting.space % 2 == 0 ? "equality" : "presence") + " index of " +
            (attribute == nullptr ? "an unknown attribute" : attribute->type->name());
  }
  return "entry " + std::to_string(posting.id) +
         (missing ? " is missing in the " : " is wrongly in the ") + index;
}

}  // namespace twintree::storage::sqlite
