#include "storage/sqlite/substring_table.h"

#include <algorithm>

#include "storage/sqlite/posting_list.h"

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

// A page: 256 octets, begin, end. Pages of two octets a character come first, then those of three
// up to the surrogates, then those of four.
constexpr std::uint32_t kBegin = 256;
constexpr std::uint32_t kEnd = 257;
constexpr std::uint32_t kPageSize = 260;
constexpr std::uint32_t kFirstCharacter = 0x100;
constexpr std::uint32_t kLowPages = (0xD800 - kFirstCharacter) / kPageSize;
constexpr std::uint32_t kHighCharacter = 0x10000;

// More trigrams than this make a query slower without making it more exact.
constexpr std::size_t kMaxTrigrams = 12;

constexpr std::uint32_t FirstCharacterOfPage(std::uint32_t page) {
  return page < kLowPages ? kFirstCharacter + page * kPageSize
                          : kHighCharacter + (page - kLowPages) * kPageSize;
}
static_assert(FirstCharacterOfPage(SubstringAlphabet::kMaxPages) <= 0x10FFFF);

void AppendCharacter(std::uint32_t c, std::string* out) {
  if (c < 0x800) {
    out->push_back(static_cast<char>(0xC0 | (c >> 6)));
  } else if (c < 0x10000) {
    out->push_back(static_cast<char>(0xE0 | (c >> 12)));
    out->push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
  } else {
    out->push_back(static_cast<char>(0xF0 | (c >> 18)));
    out->push_back(static_cast<char>(0x80 | ((c >> 12) & 0x3F)));
    out->push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
  }
  out->push_back(static_cast<char>(0x80 | (c & 0x3F)));
}

void AppendOctets(std::uint32_t page, std::string_view octets, std::string* out) {
  for (const char octet : octets) {
    AppendCharacter(page + static_cast<unsigned char>(octet), out);
  }
}

std::size_t CharacterLength(char first) {
  const auto octet = static_cast<unsigned char>(first);
  return octet >= 0xF0 ? 4 : octet >= 0xE0 ? 3 : 2;
}

void KeepSpread(std::vector<std::string>* trigrams) {
  const std::size_t count = trigrams->size();
  if (count <= kMaxTrigrams) return;
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < kMaxTrigrams; ++i) {
    kept.push_back(std::move((*trigrams)[i * (count - 1) / (kMaxTrigrams - 1)]));
  }
  *trigrams = std::move(kept);
}

}  // namespace

bool SubstringAlphabet::Pattern::Fits(std::string_view text) const {
  return text.find(beginning) != std::string_view::npos &&
         std::all_of(trigrams.begin(), trigrams.end(), [&](const std::string& trigram) {
           return text.find(trigram) != std::string_view::npos;
         });
}

SubstringAlphabet::SubstringAlphabet(const IndexSet& indexes) {
  std::uint32_t page = 0;
  for (const IndexedAttribute& attribute : indexes.attributes()) {
    const bool has_page = (attribute.kinds & kSubstringIndex) != 0 && page < kMaxPages;
    first_characters_.push_back(has_page ? FirstCharacterOfPage(page++) : 0);
  }
}

std::string SubstringAlphabet::Text(std::span<const IndexTerm> terms) const {
  std::string text;
  for (const IndexTerm& term : terms) {
    if (term.kind != kSubstringIndex) continue;
    const std::uint32_t page = first_characters_[term.attribute];
    if (page == 0) continue;
    AppendCharacter(page + kBegin, &text);
    AppendOctets(page, term.key, &text);
    AppendCharacter(page + kEnd, &text);
    AppendCharacter(page + kEnd, &text);
  }
  return text;
}

std::vector<std::string> SubstringAlphabet::Trigrams(std::string_view text) {
  std::vector<std::string> trigrams;
  for (std::size_t start = 0; start < text.size(); start += CharacterLength(text[start])) {
    std::size_t end = start;
    int count = 0;
    for (; count < 3 && end < text.size(); ++count) end += CharacterLength(text[end]);
    if (count == 3) trigrams.emplace_back(text.substr(start, end - start));
  }
  std::sort(trigrams.begin(), trigrams.end());
  trigrams.erase(std::unique(trigrams.begin(), trigrams.end()), trigrams.end());
  return trigrams;
}

// UTF-8 keeps the order of code points, so three of them, 21 bits each, are ordered as their
// octets.
std::vector<std::uint64_t> SubstringAlphabet::PackedTrigrams(
    std::span<const IndexTerm> terms) const {
  constexpr int kCharacterBits = 21;
  constexpr std::uint64_t kTrigramMask = (std::uint64_t{1} << (3 * kCharacterBits)) - 1;
  std::vector<std::uint64_t> trigrams;
  std::uint64_t last = 0;
  std::size_t characters = 0;
  auto append = [&](std::uint32_t character) {
    last = (last << kCharacterBits | character) & kTrigramMask;
    if (++characters >= 3) trigrams.push_back(last);
  };
  for (const IndexTerm& term : terms) {
    if (term.kind != kSubstringIndex) continue;
    const std::uint32_t page = first_characters_[term.attribute];
    if (page == 0) continue;
    append(page + kBegin);
    for (const char octet : term.key) append(page + static_cast<unsigned char>(octet));
    append(page + kEnd);
    append(page + kEnd);
  }
  return trigrams;
}

std::string SubstringAlphabet::UnpackTrigram(std::uint64_t trigram) {
  constexpr std::uint32_t kMask = (1U << 21) - 1;
  std::string octets;
  AppendCharacter(static_cast<std::uint32_t>(trigram >> 42) & kMask, &octets);
  AppendCharacter(static_cast<std::uint32_t>(trigram >> 21) & kMask, &octets);
  AppendCharacter(static_cast<std::uint32_t>(trigram) & kMask, &octets);
  return octets;
}

SubstringAlphabet::Pattern SubstringAlphabet::PatternOf(AttributeNumber attribute,
                                                        const model::SubstringKeys& pieces) const {
  const std::uint32_t page = first_characters_[attribute];
  Pattern pattern;
  auto add = [&](const std::string& text) {
    for (std::string& trigram : Trigrams(text)) pattern.trigrams.push_back(std::move(trigram));
    if (text.size() > pattern.beginning.size()) pattern.beginning = text;
  };
  if (!pieces.initial.empty()) {
    std::string text;
    AppendCharacter(page + kBegin, &text);
    AppendOctets(page, pieces.initial, &text);
    add(text);
  }
  for (const std::string& piece : pieces.any) {
    std::string text;
    AppendOctets(page, piece, &text);
    add(text);
  }
  if (!pieces.final_piece.empty()) {
    std::string text;
    AppendOctets(page, pieces.final_piece, &text);
    AppendCharacter(page + kEnd, &text);
    AppendCharacter(page + kEnd, &text);
    add(text);
  }
  if (!pattern.trigrams.empty()) pattern.beginning.clear();
  KeepSpread(&pattern.trigrams);
  return pattern;
}

SubstringTable::SubstringTable(Connection& connection)
    : match_(connection,
             "SELECT rowid FROM substring WHERE substring MATCH ? ORDER BY rowid LIMIT ?"),
      beginning_(connection, "SELECT doc FROM substring_terms WHERE term>=? AND term<=?"),
      add_(connection, "INSERT INTO substring(rowid, text) VALUES(?, ?)"),
      remove_(connection, "INSERT INTO substring(substring, rowid, text) VALUES('delete', ?, ?)"),
      command_(connection, "INSERT INTO substring(substring) VALUES(?)"),
      visit_(connection, "SELECT term, doc FROM substring_terms"),
      read_pending_(connection, "SELECT id, before, after FROM substring_pending ORDER BY id"),
      count_pending_(connection, "SELECT count(*) FROM substring_pending"),
      keep_(connection,
            "INSERT INTO substring_pending(id, before, after) VALUES(?, ?, ?) "
            "ON CONFLICT(id) DO UPDATE SET after=excluded.after"),
      forget_pending_(connection, "DELETE FROM substring_pending") {}

Result<bool> SubstringTable::Find(const SubstringAlphabet::Pattern& pattern, std::size_t limit,
                                  std::vector<EntryId>* ids) {
  TT_ASSIGN_OR_RETURN(const Pending pending, ReadPending());
  const std::size_t in_fts = std::min(limit, ids->max_size() - pending.size()) + pending.size();
  TT_ASSIGN_OR_RETURN(const bool complete, FindInFts(pattern, in_fts, ids));
  if (!complete) return false;
  if (pending.empty()) return true;
  std::erase_if(*ids, [&](EntryId id) { return pending.contains(id); });
  const auto found = static_cast<std::ptrdiff_t>(ids->size());
  for (const auto& [id, change] : pending) {
    if (pattern.Fits(change.after)) ids->push_back(id);
  }
  std::inplace_merge(ids->begin(), ids->begin() + found, ids->end());
  return ids->size() <= limit;
}

Result<bool> SubstringTable::FindInFts(const SubstringAlphabet::Pattern& pattern, std::size_t limit,
                                       std::vector<EntryId>* ids) {
  std::string text;  // outlives the query that it is bound to
  Query query(pattern.trigrams.empty() ? beginning_ : match_);
  if (!pattern.trigrams.empty()) {
    for (const std::string& trigram : pattern.trigrams) {
      text += (text.empty() ? "\"" : " AND \"") + trigram + "\"";
    }
    const std::size_t most = std::min<std::size_t>(limit, INT64_MAX - 1);
    query.BindText(text).Bind(std::uint64_t{most} + 1);
  } else {
    text = pattern.beginning + "\xF4\x8F\xBF\xBF";
    query.BindText(pattern.beginning).BindText(text);
  }
  std::size_t unite_at = limit > ids->max_size() / 4 ? ids->max_size() : limit * 2 + 4096;
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) break;
    ids->push_back(query.Int(0));
    if (ids->size() < unite_at) continue;
    SortAndUnite(ids);
    if (ids->size() > limit) return false;
  }
  if (pattern.trigrams.empty()) SortAndUnite(ids);
  return ids->size() <= limit;
}

Status SubstringTable::Apply(std::vector<TextChange> changes) {
  if (changes.empty()) return OkStatus();
  TT_ASSIGN_OR_RETURN(const std::size_t waiting, CountPending());
  const bool small = std::all_of(changes.begin(), changes.end(), [](const TextChange& change) {
    return change.before.size() + change.after.size() <= kMaxPendingBytes;
  });
  if (!small || waiting + changes.size() > kMaxPending) {
    return ApplyWithPending(std::move(changes));
  }
  for (const TextChange& change : changes) TT_RETURN_IF_ERROR(Keep(change));
  return OkStatus();
}

// Of two changes of one entry the first one's before and the last one's after count.
Status SubstringTable::ApplyWithPending(std::vector<TextChange> changes) {
  TT_ASSIGN_OR_RETURN(Pending all, ReadPending());
  if (!all.empty()) TT_RETURN_IF_ERROR(Query(forget_pending_).Run());
  for (TextChange& change : changes) {
    const auto [place, is_new] = all.try_emplace(change.id);
    if (is_new) {
      place->second = std::move(change);
    } else {
      place->second.after = std::move(change.after);
    }
  }
  for (const auto& [id, change] : all) TT_RETURN_IF_ERROR(Tell(change));
  return OkStatus();
}

Status SubstringTable::Tell(const TextChange& change) {
  if (change.before == change.after) return OkStatus();
  if (!change.before.empty()) {
    TT_RETURN_IF_ERROR(Query(remove_).Bind(change.id).BindText(change.before).Run());
  }
  if (change.after.empty()) return OkStatus();
  return Query(add_).Bind(change.id).BindText(change.after).Run();
}

Status SubstringTable::Keep(const TextChange& change) {
  return Query(keep_).Bind(change.id).BindBlob(change.before).BindBlob(change.after).Run();
}

Result<SubstringTable::Pending> SubstringTable::ReadPending() {
  Pending pending;
  Query query(read_pending_);
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) return pending;
    TextChange change{query.Int(0), std::string(query.Blob(1)), std::string(query.Blob(2))};
    pending.emplace_hint(pending.end(), change.id, std::move(change));
  }
}

Result<std::size_t> SubstringTable::CountPending() {
  Query query(count_pending_);
  TT_ASSIGN_OR_RETURN(const bool row, query.Step());
  return row ? static_cast<std::size_t>(query.Int(0)) : 0;
}

Status SubstringTable::Command(std::string_view command) {
  return Query(command_).BindText(command).Run();
}

Status SubstringTable::Optimize() {
  TT_RETURN_IF_ERROR(ApplyWithPending({}));
  return Command("optimize");
}

Status SubstringTable::CheckStructure() { return Command("integrity-check"); }

Status SubstringTable::VisitAll(const std::function<void(std::string_view, EntryId)>& visit) {
  TT_ASSIGN_OR_RETURN(const Pending pending, ReadPending());
  std::map<EntryId, std::vector<std::string>> told;  // of the entries whose change waits
  Query query(visit_);
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) break;
    if (pending.contains(query.Int(1))) {
      told[query.Int(1)].emplace_back(query.Blob(0));
    } else {
      visit(query.Blob(0), query.Int(1));
    }
  }
  for (const auto& [id, change] : pending) {
    std::vector<std::string>& trigrams = told[id];
    std::sort(trigrams.begin(), trigrams.end());
    if (trigrams == SubstringAlphabet::Trigrams(change.before)) {
      trigrams = SubstringAlphabet::Trigrams(change.after);
    }
    for (const std::string& trigram : trigrams) visit(trigram, id);
  }
  return OkStatus();
}

}  // namespace twintree::storage::sqlite
