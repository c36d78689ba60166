#include "load/scenario/population.h"

#include <algorithm>

namespace twintree::load {

std::uint64_t CountWithPrefix(std::uint64_t prefix, std::uint64_t people) {
  std::uint64_t count = 0;
  std::uint64_t width = 1;
  for (std::uint64_t first = prefix; first < people; first *= 10, width *= 10) {
    count += std::min(first + width, people) - first;
  }
  return count;
}

std::uint64_t CountWithSuffix(std::uint64_t triple, std::uint64_t people) {
  return people > triple ? (people - 1 - triple) / kTripleEnd + 1 : 0;
}

TripleCounts CountWithInfix(std::uint64_t people) {
  TripleCounts counts{};
  TripleCounts last_seen_in{};  // number + 1, so that a number counts once for 111111
  for (std::uint64_t number = kFirstTriple; number < people; ++number) {
    for (std::uint64_t rest = number; rest >= kFirstTriple; rest /= 10) {
      const std::uint64_t triple = rest % kTripleEnd;
      if (last_seen_in[triple] == number + 1) continue;
      last_seen_in[triple] = number + 1;
      ++counts[triple];
    }
  }
  return counts;
}

PrefixRange PrefixesOf(std::uint64_t people) {
  PrefixRange range{1, 10};
  while (range.end * 10 < people) {
    range.first *= 10;
    range.end *= 10;
  }
  range.end = std::min(range.end, std::max(people, range.first + 1));
  return range;
}

}  // namespace twintree::load
