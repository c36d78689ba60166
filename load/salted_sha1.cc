#include "load/salted_sha1.h"

#include <array>
#include <cstddef>
#include <stdexcept>

namespace twintree::load {
namespace {

constexpr std::size_t kDigestBytes = 20;
constexpr std::size_t kSaltBytes = 8;
constexpr std::size_t kBase64Chars = (kDigestBytes + kSaltBytes + 2) / 3 * 4;

}  // namespace

SaltedSha1::SaltedSha1()
    : digest_(EVP_MD_fetch(nullptr, "SHA1", nullptr)), context_(EVP_MD_CTX_new()) {
  if (!digest_ || !context_) throw std::runtime_error("OpenSSL offers no SHA-1");
}

void SaltedSha1::AppendTo(std::string_view password, std::uint64_t salt, std::string& out) {
  std::array<unsigned char, kDigestBytes + kSaltBytes> value;
  for (std::size_t i = 0; i < kSaltBytes; ++i) {
    value[kDigestBytes + i] = static_cast<unsigned char>(salt >> (8 * (kSaltBytes - 1 - i)));
  }
  const bool done = EVP_DigestInit_ex(context_.get(), digest_.get(), nullptr) == 1 &&
                    EVP_DigestUpdate(context_.get(), password.data(), password.size()) == 1 &&
                    EVP_DigestUpdate(context_.get(), &value[kDigestBytes], kSaltBytes) == 1 &&
                    EVP_DigestFinal_ex(context_.get(), value.data(), nullptr) == 1;
  if (!done) throw std::runtime_error("OpenSSL failed to compute SHA-1");

  std::array<unsigned char, kBase64Chars + 1> text;
  EVP_EncodeBlock(text.data(), value.data(), static_cast<int>(value.size()));
  out += "{SSHA}";
  out.append(reinterpret_cast<const char*>(text.data()), kBase64Chars);
}

}  // namespace twintree::load
