#include "services/passwords/cost.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace twintree::passwords {
namespace {

constexpr std::uint64_t kMostRounds = 1000000;
constexpr std::uint64_t kMostBcryptCost = 14;
constexpr std::uint64_t kMostCryptBytes = std::uint64_t{128} << 20;
constexpr std::uint64_t kMostArgon2KiB = 256 * 1024;
constexpr std::uint64_t kMostArgon2KiBPasses = 1024 * 1024;
constexpr std::uint64_t kMostArgon2Lanes = 64;

constexpr std::string_view kBcryptBound = "{CRYPT} $2b$: a cost of at most 14";
constexpr std::string_view kShaBound = "{CRYPT} $5$ and $6$: at most 1000000 rounds";
constexpr std::string_view kYescryptBound = "{CRYPT} $y$ and $gy$: at most 128 MiB";
constexpr std::string_view kScryptBound = "{CRYPT} $7$: at most 128 MiB";
constexpr std::string_view kSha1Bound = "{CRYPT} $sha1$: at most 1000000 iterations";
constexpr std::string_view kSunMd5Bound = "{CRYPT} $md5: at most 1000000 rounds";
constexpr std::string_view kBsdiBound = "{CRYPT} _: at most 1000000 rounds";
constexpr std::string_view kArgon2Bound =
    "{ARGON2}: m of at most 256 MiB, m * t of at most 1 GiB, p of at most 64";

// Takes the decimal number that `text` begins with; one of many digits is very large.
std::uint64_t TakeNumber(std::string_view* text) {
  constexpr std::uint64_t kVeryLarge = std::uint64_t{1} << 40;
  std::uint64_t value = 0;
  while (!text->empty() && text->front() >= '0' && text->front() <= '9') {
    value = std::min(kVeryLarge, value * 10 + static_cast<std::uint64_t>(text->front() - '0'));
    text->remove_prefix(1);
  }
  return value;
}

bool Take(std::string_view* text, std::string_view word) {
  if (!text->starts_with(word)) return false;
  text->remove_prefix(word.size());
  return true;
}

// crypt's digits in base 64; nullopt for another character.
std::optional<std::uint64_t> Digit(char c) {
  constexpr std::string_view kDigits =
      "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const std::size_t at = kDigits.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return at;
}

// A number of so many digits, the least significant first.
std::optional<std::uint64_t> TakeDigits(std::string_view* text, std::size_t count) {
  if (text->size() < count) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<std::uint64_t> digit = Digit((*text)[i]);
    if (!digit) return std::nullopt;
    value |= *digit << (6 * i);
  }
  text->remove_prefix(count);
  return value;
}

// Is 2^log_n * blocks * 128 bytes at most the bound? Nothing here overflows: a product beyond it is
// noticed first.
bool FitsCrypt(std::uint64_t log_n, std::uint64_t blocks) {
  if (log_n >= 28 || blocks == 0 || blocks > kMostCryptBytes) return false;
  return blocks <= (kMostCryptBytes >> 7 >> log_n);
}

// "j9T$...": flavour, log2(N) - 1, r - 1, in a digit each. Further parameters, or larger ones in
// several digits, are not made by libcrypt.
bool FitsYescrypt(std::string_view text) {
  constexpr std::uint64_t kFirstOfSeveral = 48;
  const auto flavour = TakeDigits(&text, 1);
  const auto log_n = TakeDigits(&text, 1);
  const auto r = TakeDigits(&text, 1);
  if (!flavour || !log_n || !r || !text.starts_with('$')) return false;
  if (std::max({*flavour, *log_n, *r}) >= kFirstOfSeveral) return false;
  return FitsCrypt(*log_n + 1, *r + 1);
}

// "CU..../....": log2(N) in one digit, r and p in five each.
bool FitsScrypt(std::string_view text) {
  const auto log_n = TakeDigits(&text, 1);
  const auto r = TakeDigits(&text, 5);
  const auto p = TakeDigits(&text, 5);
  return log_n && r && p && *r < (1u << 20) && *p < (1u << 20) && FitsCrypt(*log_n, *r * *p);
}

bool FitsSha(std::string_view text) {
  return !Take(&text, "rounds=") || TakeNumber(&text) <= kMostRounds;
}

// "$md5$", "$md5,rounds=904$".
bool FitsSunMd5(std::string_view text) {
  return !Take(&text, ",rounds=") || TakeNumber(&text) <= kMostRounds;
}

bool FitsBcrypt(std::string_view text) {
  if (text.size() < 2 || text[1] != '$') return true;  // no bcrypt
  text.remove_prefix(2);
  return TakeNumber(&text) <= kMostBcryptCost;
}

bool FitsBsdi(std::string_view text) {
  const auto rounds = TakeDigits(&text, 4);
  return !rounds || *rounds <= kMostRounds;
}

std::optional<std::string_view> Unless(bool fits, std::string_view bound) {
  if (fits) return std::nullopt;
  return bound;
}

}  // namespace

std::optional<std::string_view> CryptBoundExceeded(std::string_view data) {
  std::string_view rest = data;
  if (Take(&rest, "$5$") || Take(&rest, "$6$")) return Unless(FitsSha(rest), kShaBound);
  if (Take(&rest, "$y$") || Take(&rest, "$gy$")) return Unless(FitsYescrypt(rest), kYescryptBound);
  if (Take(&rest, "$7$")) return Unless(FitsScrypt(rest), kScryptBound);
  if (Take(&rest, "$sha1$")) return Unless(TakeNumber(&rest) <= kMostRounds, kSha1Bound);
  if (Take(&rest, "$md5")) return Unless(FitsSunMd5(rest), kSunMd5Bound);
  if (Take(&rest, "$2")) return Unless(FitsBcrypt(rest), kBcryptBound);
  if (Take(&rest, "_")) return Unless(FitsBsdi(rest), kBsdiBound);
  return std::nullopt;
}

std::optional<std::string_view> Argon2BoundExceeded(std::string_view data) {
  const std::size_t at = data.find("$m=");
  if (at == std::string_view::npos) return std::nullopt;  // not an Argon2 string
  std::string_view rest = data.substr(at + 3);
  const std::uint64_t kib = TakeNumber(&rest);
  const std::uint64_t passes = Take(&rest, ",t=") ? TakeNumber(&rest) : 0;
  const std::uint64_t lanes = Take(&rest, ",p=") ? TakeNumber(&rest) : 0;
  const bool fits = kib <= kMostArgon2KiB && passes <= kMostArgon2KiBPasses &&
                    kib * passes <= kMostArgon2KiBPasses && lanes <= kMostArgon2Lanes;
  return Unless(fits, kArgon2Bound);
}

}  // namespace twintree::passwords
