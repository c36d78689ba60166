// Tokens that say who somebody is until a moment, signed by this directory.
//
// Format: base64(claims) "." base64(HMAC-SHA256 of the claims). Claims, version 2: octet 2, octet
// with the kind of subject, 8 octets with the second of expiry since 1970, 32 octets with the
// digest of the password's state, 4 octets with the length of the DN, the DN, the DN's key. Numbers
// are big-endian.
//
// Thread-safety: safe (immutable).
#ifndef TWINTREE_SERVICES_RPC_BEARER_TOKEN_H_
#define TWINTREE_SERVICES_RPC_BEARER_TOKEN_H_

#include <chrono>
#include <string>
#include <string_view>

#include "services/directory/directory.h"
#include "services/model/result.h"
#include "services/model/secret.h"

namespace twintree::rpc {

struct TokenClaims {
  directory::Subject subject;
  std::string state_digest;  // TokenSigner::DigestOf() when the token was made
};

class TokenSigner {
 public:
  // With an empty key, a random one: tokens then end with the process.
  explicit TokenSigner(model::Secret key);

  // 32 octets that tell nothing about `state`.
  std::string DigestOf(const model::Secret& state) const;
  // REQUIRES: `state_digest` is one of DigestOf().
  std::string Sign(const directory::Subject& subject, std::string_view state_digest,
                   std::chrono::system_clock::time_point expiry) const;
  // Errors: kInvalidCredentials for a token that is not ours, damaged or expired.
  model::Result<TokenClaims> Verify(std::string_view token,
                                    std::chrono::system_clock::time_point now) const;

 private:
  const model::Secret key_;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_BEARER_TOKEN_H_
