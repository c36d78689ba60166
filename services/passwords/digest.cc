#include "services/passwords/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <vector>

namespace twintree::passwords {
namespace {

constexpr std::array kDigestSchemes = {
    DigestScheme{"SSHA", "SHA1", 20, true},      DigestScheme{"SHA", "SHA1", 20, false},
    DigestScheme{"SSHA256", "SHA256", 32, true}, DigestScheme{"SHA256", "SHA256", 32, false},
    DigestScheme{"SSHA384", "SHA384", 48, true}, DigestScheme{"SHA384", "SHA384", 48, false},
    DigestScheme{"SSHA512", "SHA512", 64, true}, DigestScheme{"SHA512", "SHA512", 64, false},
    DigestScheme{"SMD5", "MD5", 16, true},       DigestScheme{"MD5", "MD5", 16, false},
};

// Fetching an algorithm costs more than hashing with it, so each is fetched once.
const EVP_MD* Algorithm(const char* name) {
  struct Fetched {
    const char* name;
    std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> md;
  };
  static const std::vector<Fetched>& all = *[] {
    auto* made = new std::vector<Fetched>;
    for (const char* each : {"SHA1", "SHA256", "SHA384", "SHA512", "MD5"}) {
      made->push_back({each, {EVP_MD_fetch(nullptr, each, nullptr), &EVP_MD_free}});
    }
    return made;
  }();
  for (const Fetched& each : all) {
    if (std::string_view(each.name) == name) return each.md.get();
  }
  return nullptr;
}

std::optional<std::string> Digest(const DigestScheme& scheme, std::string_view password,
                                  std::string_view salt) {
  const EVP_MD* algorithm = Algorithm(scheme.algorithm);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (algorithm == nullptr || context == nullptr ||
      EVP_DigestInit_ex2(context.get(), algorithm, nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), password.data(), password.size()) != 1 ||
      EVP_DigestUpdate(context.get(), salt.data(), salt.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), digest.data(), &size) != 1) {
    return std::nullopt;
  }
  return std::string(reinterpret_cast<const char*>(digest.data()), size);
}

std::string EncodeBase64(std::string_view octets) {
  std::string text((octets.size() + 2) / 3 * 4 + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(octets.data()),
                                   static_cast<int>(octets.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  constexpr std::size_t kLongest = 1024;
  if (text.empty() || text.size() % 4 != 0 || text.size() > kLongest) return std::nullopt;
  std::string octets(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(octets.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  // OpenSSL counts the padding as zero octets.
  std::size_t padding = 0;
  while (padding < 2 && text[text.size() - 1 - padding] == '=') ++padding;
  octets.resize(static_cast<std::size_t>(size) - padding);
  return octets;
}

// Digest and salt; nullopt for what the scheme cannot have made.
std::optional<std::string> Decode(const DigestScheme& scheme, std::string_view data) {
  std::optional<std::string> octets = DecodeBase64(data);
  if (!octets || octets->size() < scheme.digest_bytes) return std::nullopt;
  if (!scheme.salted && octets->size() > scheme.digest_bytes) return std::nullopt;
  return octets;
}

}  // namespace

const DigestScheme* FindDigestScheme(std::string_view name) {
  const auto same = [&](const DigestScheme& scheme) {
    return std::equal(
        name.begin(), name.end(), scheme.name.begin(), scheme.name.end(),
        [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; });
  };
  const auto* found = std::find_if(kDigestSchemes.begin(), kDigestSchemes.end(), same);
  return found == kDigestSchemes.end() ? nullptr : found;
}

std::optional<std::string> DigestPassword(const DigestScheme& scheme, std::string_view password,
                                          std::string_view salt) {
  std::optional<std::string> digest = Digest(scheme, password, salt);
  if (!digest) return std::nullopt;
  digest->append(salt);
  return EncodeBase64(*digest);
}

bool CanVerifyDigest(const DigestScheme& scheme, std::string_view data) {
  return Decode(scheme, data).has_value();
}

bool VerifyDigest(const DigestScheme& scheme, std::string_view data, std::string_view password) {
  const std::optional<std::string> stored = Decode(scheme, data);
  if (!stored) return false;
  const std::string_view salt = std::string_view(*stored).substr(scheme.digest_bytes);
  const std::optional<std::string> computed = Digest(scheme, password, salt);
  return computed && CRYPTO_memcmp(computed->data(), stored->data(), scheme.digest_bytes) == 0;
}

}  // namespace twintree::passwords
