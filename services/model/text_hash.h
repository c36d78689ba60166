#ifndef TWINTREE_SERVICES_MODEL_TEXT_HASH_H_
#define TWINTREE_SERVICES_MODEL_TEXT_HASH_H_

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace twintree::model {

// A hash for small tables of names whose beginnings or lengths differ: quick, and as bad as it gets
// for names that do not. Its highest bits are its best.
inline std::uint64_t HashOfBeginning(std::string_view text) {
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;
  std::array<std::uint64_t, 2> begin{};
  if (text.size() >= sizeof begin) {
    std::memcpy(begin.data(), text.data(), sizeof begin);
  } else if (!text.empty()) {
    std::memcpy(begin.data(), text.data(), text.size());
  }
  return (begin[0] ^ begin[1] * 3 ^ text.size()) * kMultiplier;
}

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_TEXT_HASH_H_
