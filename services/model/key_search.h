// Looks through many values for the few that have one of some keys.
//
//   const KeySearch search(*type.equality, keys);
//   for (std::string_view value : attribute.values()) {
//     if (search.Find(value)) return Exists();
//   }
//
// With few keys the values are not normalised one by one: most differ from a key in their first
// octets, which MatchingRule::Equals sees. With many, each value is, once, however many keys.
#ifndef TWINTREE_SERVICES_MODEL_KEY_SEARCH_H_
#define TWINTREE_SERVICES_MODEL_KEY_SEARCH_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "services/model/matching_rule.h"

namespace twintree::model {

// Thread-safety: compatible.
class KeySearch {
 public:
  // `keys`: what rule.ValueKey gives. REQUIRES: both outlive the search.
  KeySearch(const MatchingRule& rule, std::span<const std::string> keys);

  // Which of the keys `value` has, by the place of its first occurrence; nullopt when it has none
  // of them, or no key at all.
  std::optional<std::size_t> Find(std::string_view value) const;

 private:
  const MatchingRule& rule_;
  const std::span<const std::string> keys_;
  std::unordered_map<std::string_view, std::size_t> places_;  // empty: compare one by one
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_KEY_SEARCH_H_
