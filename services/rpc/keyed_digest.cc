#include "services/rpc/keyed_digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <cstdint>
#include <cstdlib>

namespace twintree::rpc {
namespace {

constexpr std::size_t kDigestBytes = 32;

const unsigned char* Octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

void AppendLength(std::uint64_t length, std::string* out) {
  for (int shift = 56; shift >= 0; shift -= 8) out->push_back(static_cast<char>(length >> shift));
}

}  // namespace

std::string KeyedDigest(const model::Secret& key, std::initializer_list<std::string_view> parts) {
  std::string input;
  for (const std::string_view part : parts) {
    AppendLength(part.size(), &input);
    input.append(part);
  }
  std::array<unsigned char, kDigestBytes> digest{};
  unsigned int size = 0;
  const std::string_view octets = key.Reveal();
  HMAC(EVP_sha256(), octets.data(), static_cast<int>(octets.size()), Octets(input), input.size(),
       digest.data(), &size);
  OPENSSL_cleanse(input.data(), input.size());
  return std::string(reinterpret_cast<const char*>(digest.data()), size);
}

model::Secret RandomKey() {
  std::string key(kDigestBytes, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(key.data()), static_cast<int>(key.size())) != 1) {
    std::abort();
  }
  return model::Secret(std::move(key));
}

bool SameOctets(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace twintree::rpc
