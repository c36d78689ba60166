// Checks values of flags.
#ifndef TWINTREE_SERVICES_CLI_VALUE_CHECKS_H_
#define TWINTREE_SERVICES_CLI_VALUE_CHECKS_H_

#include <cstdint>
#include <limits>

#include <CLI/CLI.hpp>

namespace twintree::cli {

inline constexpr std::uint64_t kMostNumber = std::numeric_limits<std::uint32_t>::max();

// Takes decimal digits of a number within the bounds, and nothing else: CLI11 alone would read -1
// as a large number and 010 as eight.
CLI::Validator WholeNumber(std::uint64_t least, std::uint64_t most = kMostNumber);

// Takes true and false in the words that CLI11 knows: true, on, yes, 1 and their like.
CLI::Validator TrueOrFalse();

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_VALUE_CHECKS_H_
