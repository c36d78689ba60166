#include "storage/sqlite/prepared_terms.h"

#include <algorithm>
#include <vector>

#include "storage/sqlite/term_table.h"

namespace twintree::storage::sqlite {

namespace {

template <typename Number>
void Append(Number number, std::string* out) {
  out->append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

void AppendSortKey(std::uint32_t space, std::string_view key, std::string* out) {
  for (std::size_t i = kSpaceBytes; i-- > 0;) out->push_back(static_cast<char>(space >> (8 * i)));
  out->append(key);
}

std::uint32_t SpaceOfSortKey(std::string_view sort_key) {
  std::uint32_t space = 0;
  for (const char octet : sort_key.substr(0, kSpaceBytes)) {
    space = space << 8 | static_cast<unsigned char>(octet);
  }
  return space;
}

std::string PrepareTerms(const model::Entry& entry, const IndexSet& indexes,
                         const SubstringAlphabet& alphabet) {
  static_assert(kSpaceBytes + kMaxIndexKeyBytes <= UINT16_MAX);
  std::string sort_keys;
  std::vector<IndexTerm> texts;
  VisitIndexTerms(entry, indexes,
                  [&](AttributeNumber attribute, IndexKind kind, std::string_view key) {
                    if (kind == kSubstringIndex) {
                      texts.push_back({attribute, kind, std::string(key)});
                      return;
                    }
                    Append(static_cast<std::uint16_t>(kSpaceBytes + key.size()), &sort_keys);
                    AppendSortKey(TermSpace(attribute, kind == kPresenceIndex), key, &sort_keys);
                  });
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  std::vector<std::uint64_t> trigrams = alphabet.PackedTrigrams(texts);
  const auto text_trigrams = static_cast<std::uint32_t>(trigrams.size());
  std::sort(trigrams.begin(), trigrams.end());
  trigrams.erase(std::unique(trigrams.begin(), trigrams.end()), trigrams.end());

  std::string octets;
  octets.reserve(8 + trigrams.size() * sizeof(std::uint64_t) + sort_keys.size());
  Append(text_trigrams, &octets);
  Append(static_cast<std::uint32_t>(trigrams.size()), &octets);
  octets.append(reinterpret_cast<const char*>(trigrams.data()),
                trigrams.size() * sizeof(std::uint64_t));
  return octets.append(sort_keys);
}

}  // namespace twintree::storage::sqlite
