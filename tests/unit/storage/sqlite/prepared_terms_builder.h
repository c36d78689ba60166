// Prepared terms without an entry.
#ifndef TWINTREE_TESTS_UNIT_STORAGE_SQLITE_PREPARED_TERMS_BUILDER_H_
#define TWINTREE_TESTS_UNIT_STORAGE_SQLITE_PREPARED_TERMS_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "storage/sqlite/prepared_terms.h"

namespace twintree::storage::sqlite {

// What PrepareTerms() makes of an entry with these trigrams, ascending, and these terms.
inline std::string BuildPreparedTerms(
    const std::vector<std::uint64_t>& trigrams,
    const std::vector<std::pair<std::uint32_t, std::string>>& terms) {
  std::string octets;
  auto append = [&](auto number) {
    octets.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  append(static_cast<std::uint32_t>(trigrams.size()));
  append(static_cast<std::uint32_t>(trigrams.size()));
  for (const std::uint64_t trigram : trigrams) append(trigram);
  for (const auto& [space, key] : terms) {
    append(static_cast<std::uint16_t>(kSpaceBytes + key.size()));
    AppendSortKey(space, key, &octets);
  }
  return octets;
}

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_TESTS_UNIT_STORAGE_SQLITE_PREPARED_TERMS_BUILDER_H_
