// The directory that `twintree-load generate` made, as far as scenarios ask for it.
//
// People have the numbers 0 to `people` - 1; that of person 17 stands in uid=user.17, cn=User 17
// and mail=user.17@example.com. The functions count how many numbers a wildcard on it matches.
//
// Thread-safety: compatible
#ifndef TWINTREE_LOAD_SCENARIO_POPULATION_H_
#define TWINTREE_LOAD_SCENARIO_POPULATION_H_

#include <array>
#include <cstdint>
#include <string>

namespace twintree::load {

struct Population {
  std::string base = "dc=example,dc=com";
  std::uint64_t people = 100'000;
  std::uint64_t seed = 1;
};

// Three decimal digits, the first not 0: what infix and suffix searches look for.
inline constexpr std::uint64_t kFirstTriple = 100;
inline constexpr std::uint64_t kTripleEnd = 1000;

// Numbers below `people` whose digits begin with those of `prefix`.
//
// REQUIRES: prefix > 0
std::uint64_t CountWithPrefix(std::uint64_t prefix, std::uint64_t people);

// Numbers below `people` that end with the digits of `triple`.
//
// REQUIRES: kFirstTriple <= triple < kTripleEnd
std::uint64_t CountWithSuffix(std::uint64_t triple, std::uint64_t people);

// For each triple, the numbers below `people` that have its digits anywhere. Takes a few
// nanoseconds a person.
using TripleCounts = std::array<std::uint64_t, kTripleEnd>;
TripleCounts CountWithInfix(std::uint64_t people);

// The range of prefixes that match about eleven numbers each: one digit fewer than the largest
// number has.
struct PrefixRange {
  std::uint64_t first;
  std::uint64_t end;
};
PrefixRange PrefixesOf(std::uint64_t people);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_SCENARIO_POPULATION_H_
