// Salted and plain digests in base64: {SSHA}, {SHA512}, {SMD5} and their kin.
//
// Source: RFC 2307 5.3; the salted forms are digest plus salt, as OpenLDAP and 389-DS write them.
#ifndef TWINTREE_SERVICES_PASSWORDS_DIGEST_H_
#define TWINTREE_SERVICES_PASSWORDS_DIGEST_H_

#include <optional>
#include <string>
#include <string_view>

namespace twintree::passwords {

struct DigestScheme {
  std::string_view name;  // upper case, without braces
  const char* algorithm;  // OpenSSL's name
  std::size_t digest_bytes;
  bool salted;
};

// Null for any other word. Letter case does not matter.
const DigestScheme* FindDigestScheme(std::string_view name);

// Base64 of digest(password + salt) + salt; nullopt when the algorithm is not to be had.
std::optional<std::string> DigestPassword(const DigestScheme& scheme, std::string_view password,
                                          std::string_view salt);

// Is `data` of the form that DigestPassword() makes?
bool CanVerifyDigest(const DigestScheme& scheme, std::string_view data);

// False for a damaged `data` too.
bool VerifyDigest(const DigestScheme& scheme, std::string_view data, std::string_view password);

}  // namespace twintree::passwords

#endif  // TWINTREE_SERVICES_PASSWORDS_DIGEST_H_
