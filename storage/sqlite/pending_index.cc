#include "storage/sqlite/pending_index.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

bool Concerns(const IndexQuery& query, const TermChange& change) {
  const bool presence = query.kind == IndexQuery::Kind::kPresent;
  if (change.space != TermSpace(query.attribute, presence)) return false;
  switch (query.kind) {
    case IndexQuery::Kind::kEqual: return change.key == CutIndexKey(query.key);
    case IndexQuery::Kind::kPrefix: return change.key.starts_with(CutIndexKey(query.key));
    case IndexQuery::Kind::kRange:
      return (!query.low || change.key >= CutIndexKey(*query.low)) &&
             (!query.high || change.key <= CutIndexKey(*query.high));
    case IndexQuery::Kind::kPresent: return true;
    case IndexQuery::Kind::kSubstring: return false;
  }
  return false;
}

// With several keys an id that loses one of them may still stand under another, so then nothing is
// taken away.
bool HasOneKey(const IndexQuery& query) {
  return query.kind == IndexQuery::Kind::kEqual || query.kind == IndexQuery::Kind::kPresent;
}

}  // namespace

void PendingIndex::ChangeTerms(EntryId id, const std::vector<IndexTerm>& terms, bool add) {
  for (const IndexTerm& term : terms) {
    if (term.kind == kSubstringIndex) continue;
    terms_.push_back({TermSpace(term.attribute, term.kind == kPresenceIndex), term.key, id, add});
    bytes_ += sizeof(TermChange) + term.key.size();
  }
}

void PendingIndex::ChangeText(EntryId id, std::string before, std::string after) {
  if (before == after) return;
  bytes_ += sizeof(TextChange) + before.size() + after.size();
  texts_.push_back({id, std::move(before), std::move(after)});
}

void PendingIndex::ReturnTo(const Mark& mark) {
  terms_.resize(mark.terms);
  texts_.resize(mark.texts);
  bytes_ = mark.bytes;
}

void PendingIndex::Correct(const IndexQuery& query, std::vector<EntryId>* ids) const {
  std::set<EntryId> added;
  std::set<EntryId> removed;
  for (const TermChange& change : terms_) {
    if (!Concerns(query, change)) continue;
    if (change.add) {
      added.insert(change.id);
      removed.erase(change.id);
    } else if (HasOneKey(query)) {
      removed.insert(change.id);
      added.erase(change.id);
    }
  }
  std::erase_if(*ids, [&](EntryId id) { return removed.contains(id) || added.contains(id); });
  ids->insert(ids->end(), added.begin(), added.end());
  std::sort(ids->begin(), ids->end());
}

void PendingIndex::Correct(const SubstringAlphabet::Pattern& pattern,
                           std::vector<EntryId>* ids) const {
  std::set<EntryId> added;
  std::set<EntryId> touched;
  for (const TextChange& change : texts_) {
    touched.insert(change.id);
    pattern.Fits(change.after) ? static_cast<void>(added.insert(change.id))
                               : static_cast<void>(added.erase(change.id));
  }
  std::erase_if(*ids, [&](EntryId id) { return touched.contains(id); });
  ids->insert(ids->end(), added.begin(), added.end());
  std::sort(ids->begin(), ids->end());
}

Status PendingIndex::Apply(ChangeNumber version, TermIndex* terms, SubstringTable* substrings,
                           std::vector<NumberedText>* touched) {
  TT_RETURN_IF_ERROR(ApplyTerms(version, terms, touched));
  TT_RETURN_IF_ERROR(ApplyTexts(substrings));
  ReturnTo(Mark());
  return OkStatus();
}

// Of several changes of one id under one key the last one counts.
Status PendingIndex::ApplyTerms(ChangeNumber version, TermIndex* index,
                                std::vector<NumberedText>* touched) {
  auto place = [](const TermChange& c) { return std::tie(c.space, c.key, c.id); };
  std::stable_sort(terms_.begin(), terms_.end(),
                   [&](const TermChange& a, const TermChange& b) { return place(a) < place(b); });
  std::vector<TermChange> last;
  last.reserve(terms_.size());
  for (TermChange& change : terms_) {
    if (!last.empty() && place(last.back()) == place(change)) {
      last.back().add = change.add;
      continue;
    }
    const bool is_equality = change.space % 2 == 0;
    const std::uint64_t attribute = change.space / 2;
    const bool known = !touched->empty() && touched->back().number == attribute &&
                       touched->back().text == change.key;
    if (is_equality && !known) {
      touched->emplace_back(NumberedTextView{attribute, change.key});
    }
    last.push_back(std::move(change));
  }
  return index->Apply(version, last);
}

// Of several changes of one entry's text the first one's before and the last one's after count.
Status PendingIndex::ApplyTexts(SubstringTable* table) {
  std::stable_sort(texts_.begin(), texts_.end(),
                   [](const TextChange& a, const TextChange& b) { return a.id < b.id; });
  std::vector<TextChange> last;
  last.reserve(texts_.size());
  for (TextChange& change : texts_) {
    if (!last.empty() && last.back().id == change.id) {
      last.back().after = std::move(change.after);
    } else {
      last.push_back(std::move(change));
    }
  }
  std::erase_if(last, [](const TextChange& change) { return change.before == change.after; });
  return table->Apply(std::move(last));
}

}  // namespace twintree::storage::sqlite
