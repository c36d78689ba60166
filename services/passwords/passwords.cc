#include "services/passwords/passwords.h"

#include <crypt.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstring>
#include <memory>
#include <optional>

#include "services/log/log.h"
#include "services/passwords/cost.h"
#include "services/passwords/digest.h"

namespace twintree::passwords {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Secret;

// OWASP's second choice of Argon2id parameters: 19 MiB, two passes; about 20 ms a check.
constexpr unsigned long long kArgon2Passes = 2;
constexpr std::size_t kArgon2Bytes = 19u << 20;
constexpr std::size_t kSaltBytes = 16;

bool SodiumReady() {
  static const bool kReady = sodium_init() >= 0;
  return kReady;
}

std::string RandomOctets(std::size_t count) {
  std::string octets(count, '\0');
  randombytes_buf(octets.data(), count);
  return octets;
}

bool SameWord(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

struct Split {
  std::string_view scheme;
  std::string_view data;
};

// "{word}data"; nullopt for clear text. The word is what RFC 2307 allows and a little more, so that
// a value which means to have a scheme is never taken for a clear-text password.
std::optional<Split> SplitScheme(std::string_view stored) {
  if (stored.size() < 3 || stored.front() != '{') return std::nullopt;
  const std::size_t end = stored.find('}');
  if (end == std::string_view::npos || end == 1) return std::nullopt;
  const std::string_view word = stored.substr(1, end - 1);
  const bool plausible = std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::strchr("-/_.+,=:", c) != nullptr;
  });
  if (!plausible) return std::nullopt;
  return Split{word, stored.substr(end + 1)};
}

bool VerifyClear(std::string_view stored, std::string_view password) {
  return stored.size() == password.size() &&
         sodium_memcmp(stored.data(), password.data(), stored.size()) == 0;
}

// Libcrypt says whether it knows the method; "!" and "*" mark accounts that are locked.
bool CanVerifyCrypt(std::string_view data) {
  if (data.empty() || data.find('\0') != std::string_view::npos) return false;
  const int state = crypt_checksalt(std::string(data).c_str());
  return state != CRYPT_SALT_INVALID && state != CRYPT_SALT_METHOD_DISABLED;
}

bool VerifyCrypt(std::string_view data, std::string_view password) {
  // libcrypt takes C strings: a password with NUL can match nothing it has hashed.
  if (data.empty() || password.find('\0') != std::string_view::npos) return false;
  const std::string setting(data);
  const std::string phrase(password);
  const auto space = std::make_unique<crypt_data>();
  const char* computed = crypt_rn(phrase.c_str(), setting.c_str(), space.get(), sizeof(crypt_data));
  return computed != nullptr && computed[0] != '*' && VerifyClear(data, computed);
}

bool CanVerifyArgon2(std::string_view data) {
  return data.size() < crypto_pwhash_STRBYTES &&
         (data.starts_with("$argon2id$v=") || data.starts_with("$argon2i$v=")) &&
         data.find("$m=") != std::string_view::npos;
}

bool VerifyArgon2(std::string_view data, std::string_view password) {
  if (!CanVerifyArgon2(data) || !SodiumReady()) return false;
  std::array<char, crypto_pwhash_STRBYTES> text{};
  std::copy(data.begin(), data.end(), text.begin());
  return crypto_pwhash_str_verify(text.data(), password.data(), password.size()) == 0;
}

// Once: anybody can make it happen again.
void WarnOfCost(std::string_view bound) {
  static std::atomic_flag warned;
  if (warned.test_and_set()) return;
  log::Warning("password_too_costly").With("bound", bound).With("effect", "it matches nothing");
}

Result<std::string> HashArgon2(std::string_view password) {
  std::array<char, crypto_pwhash_STRBYTES> text{};
  if (crypto_pwhash_str_alg(text.data(), password.data(), password.size(), kArgon2Passes,
                            kArgon2Bytes, crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return Error{ResultCode::kOther, "not enough memory to hash the password", ""};
  }
  return "{ARGON2}" + std::string(text.data());
}

Result<std::string> HashCrypt(std::string_view password) {
  if (password.find('\0') != std::string_view::npos) {
    return Error{ResultCode::kConstraintViolation,
                 "a password with a NUL octet cannot be stored under {CRYPT}", ""};
  }
  std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> setting{};
  const auto space = std::make_unique<crypt_data>();
  const std::string phrase(password);
  if (crypt_gensalt_rn("$y$", 0, nullptr, 0, setting.data(), setting.size()) == nullptr) {
    return Error{ResultCode::kOther, "no salt for {CRYPT} is to be had", ""};
  }
  const char* hashed = crypt_rn(phrase.c_str(), setting.data(), space.get(), sizeof(crypt_data));
  if (hashed == nullptr || hashed[0] == '*') {
    return Error{ResultCode::kOther, "{CRYPT} hashing failed", ""};
  }
  return "{CRYPT}" + std::string(hashed);
}

Result<std::string> HashDigest(std::string_view name, std::string_view password) {
  const DigestScheme* scheme = FindDigestScheme(name);
  std::optional<std::string> text = DigestPassword(*scheme, password, RandomOctets(kSaltBytes));
  if (!text)
    return Error{ResultCode::kOther, "the digest of {" + std::string(name) + "} is not to be had",
                 ""};
  return "{" + std::string(name) + "}" + *text;
}

}  // namespace

Result<Scheme> ParseScheme(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Scheme>, 6> kNames = {
      {{"clear", Scheme::kClear},
       {"argon2", Scheme::kArgon2},
       {"ssha", Scheme::kSsha},
       {"ssha256", Scheme::kSsha256},
       {"ssha512", Scheme::kSsha512},
       {"crypt", Scheme::kCrypt}}};
  for (const auto& [word, scheme] : kNames) {
    if (SameWord(name, word)) return scheme;
  }
  return Error{ResultCode::kOther,
               "unknown password scheme '" + std::string(name) +
                   "'; known are argon2, ssha, ssha256, ssha512, crypt and clear",
               ""};
}

Result<std::string> Hash(Scheme scheme, const Secret& password) {
  if (!SodiumReady()) return Error{ResultCode::kOther, "no source of randomness", ""};
  switch (scheme) {
    case Scheme::kClear: return std::string(password.Reveal());
    case Scheme::kArgon2: return HashArgon2(password.Reveal());
    case Scheme::kSsha: return HashDigest("SSHA", password.Reveal());
    case Scheme::kSsha256: return HashDigest("SSHA256", password.Reveal());
    case Scheme::kSsha512: return HashDigest("SSHA512", password.Reveal());
    case Scheme::kCrypt: return HashCrypt(password.Reveal());
  }
  return Error{ResultCode::kOther, "unknown password scheme", ""};
}

bool Verify(std::string_view stored, const Secret& password) {
  const std::optional<Split> split = SplitScheme(stored);
  if (!split) return VerifyClear(stored, password.Reveal());
  if (const DigestScheme* digest = FindDigestScheme(split->scheme)) {
    return VerifyDigest(*digest, split->data, password.Reveal());
  }
  if (const auto bound = CostBoundExceeded(stored)) {
    WarnOfCost(*bound);
    return false;
  }
  if (SameWord(split->scheme, "CRYPT")) return VerifyCrypt(split->data, password.Reveal());
  if (SameWord(split->scheme, "ARGON2")) return VerifyArgon2(split->data, password.Reveal());
  return false;
}

bool CanVerify(std::string_view stored) {
  const std::optional<Split> split = SplitScheme(stored);
  if (!split) return true;
  if (CostBoundExceeded(stored)) return false;
  if (const DigestScheme* digest = FindDigestScheme(split->scheme)) {
    return CanVerifyDigest(*digest, split->data);
  }
  if (SameWord(split->scheme, "CRYPT")) return CanVerifyCrypt(split->data);
  if (SameWord(split->scheme, "ARGON2")) return CanVerifyArgon2(split->data);
  return false;
}

bool HasScheme(std::string_view stored) { return SplitScheme(stored).has_value(); }

bool IsExpensive(std::string_view stored) {
  const std::optional<Split> split = SplitScheme(stored);
  return split && (SameWord(split->scheme, "CRYPT") || SameWord(split->scheme, "ARGON2")) &&
         !CostBoundExceeded(stored);
}

std::optional<std::string_view> CostBoundExceeded(std::string_view stored) {
  const std::optional<Split> split = SplitScheme(stored);
  if (!split) return std::nullopt;
  if (SameWord(split->scheme, "CRYPT")) return CryptBoundExceeded(split->data);
  if (SameWord(split->scheme, "ARGON2")) return Argon2BoundExceeded(split->data);
  return std::nullopt;
}

void VerifyNothing(const Secret& password) {
  static const std::string& decoy = *new std::string([] {
    Result<std::string> hashed = Hash(Scheme::kArgon2, Secret(RandomOctets(kSaltBytes)));
    return hashed.ok() ? std::move(hashed).value() : std::string();
  }());
  (void)Verify(decoy, password);
}

Secret Generate() {
  constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  constexpr std::size_t kLength = 16;
  std::string text;
  if (SodiumReady()) {
    for (std::size_t i = 0; i < kLength; ++i) {
      text.push_back(kLetters[randombytes_uniform(static_cast<std::uint32_t>(kLetters.size()))]);
    }
  }
  return Secret(std::move(text));
}

}  // namespace twintree::passwords
