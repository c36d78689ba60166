#include "services/model/key_search.h"

namespace twintree::model {
namespace {

// Up to this many keys, comparing with each costs less than making the key of the value.
constexpr std::size_t kFewKeys = 8;

}  // namespace

KeySearch::KeySearch(const MatchingRule& rule, std::span<const std::string> keys)
    : rule_(rule), keys_(keys) {
  if (keys.size() <= kFewKeys && rule.keys_decide()) return;
  places_.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) places_.try_emplace(keys[i], i);
}

std::optional<std::size_t> KeySearch::Find(std::string_view value) const {
  if (places_.empty()) {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (rule_.Equals(value, keys_[i])) return i;
    }
    return std::nullopt;
  }
  const Result<std::string> key = rule_.ValueKey(value);
  if (!key.ok()) return std::nullopt;
  const auto place = places_.find(*key);
  return place == places_.end() ? std::nullopt : std::optional(place->second);
}

}  // namespace twintree::model
