#ifndef LOAD_SALTED_SHA1_H_
#define LOAD_SALTED_SHA1_H_

#include <openssl/evp.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace twintree::load {

// Makes `{SSHA}` values of userPassword: base64 of SHA-1(password, salt) followed by the salt.
//
// Keeps OpenSSL's digest and context between calls; looking them up costs more than the hash.
//
// Errors:        the constructor throws std::runtime_error where OpenSSL offers no SHA-1
// Thread-safety: confined
// Source:        RFC 2307 5.3, and the salted form that OpenLDAP introduced
class SaltedSha1 {
 public:
  SaltedSha1();

  // Appends the value for `password` to `out`; the eight octets of `salt` count from the highest.
  void AppendTo(std::string_view password, std::uint64_t salt, std::string& out);

 private:
  struct Free {
    void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };

  std::unique_ptr<EVP_MD, Free> digest_;
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

}  // namespace twintree::load

#endif  // LOAD_SALTED_SHA1_H_
