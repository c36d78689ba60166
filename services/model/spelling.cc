#include "services/model/spelling.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace twintree::model {
namespace {

constexpr std::size_t kFarthest = 2;
// Of a word that somebody has written.
constexpr std::size_t kLongestWord = 64;

// How many letters have to be put in, taken out or replaced (Levenshtein).
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char letter : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (letter == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string NearestWord(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > kLongestWord) return "";
  std::string plain(word);
  std::replace(plain.begin(), plain.end(), '_', '-');
  std::string nearest;
  std::size_t least = std::min(kFarthest, plain.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = Distance(plain, candidate);
    if (distance > least || candidate == nearest) continue;
    nearest = distance < least ? candidate : "";
    least = distance;
  }
  return least <= kFarthest ? nearest : "";
}

}  // namespace twintree::model
