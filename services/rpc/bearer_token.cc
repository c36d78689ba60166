#include "services/rpc/bearer_token.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "services/model/base64.h"
#include "services/rpc/keyed_digest.h"

namespace twintree::rpc {
namespace {

using directory::Subject;
using std::chrono::system_clock;

constexpr char kVersion = 2;
constexpr std::size_t kDigestBytes = 32;
constexpr std::size_t kFixedBytes = 2 + 8 + kDigestBytes + 4;

void AppendNumber(std::uint64_t value, int octets, std::string* out) {
  for (int i = octets - 1; i >= 0; --i) out->push_back(static_cast<char>(value >> (8 * i)));
}

std::uint64_t ReadNumber(std::string_view octets) {
  std::uint64_t value = 0;
  for (const char octet : octets) value = value << 8 | static_cast<unsigned char>(octet);
  return value;
}

std::uint64_t Seconds(system_clock::time_point time) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count());
}

model::Error Refused(const char* why) { return {model::ResultCode::kInvalidCredentials, why, ""}; }

}  // namespace

TokenSigner::TokenSigner(model::Secret key) : key_(key.empty() ? RandomKey() : std::move(key)) {}

std::string TokenSigner::DigestOf(const model::Secret& state) const {
  return KeyedDigest(key_, {"password state", state.Reveal()});
}

std::string TokenSigner::Sign(const Subject& subject, std::string_view state_digest,
                              system_clock::time_point expiry) const {
  std::string claims(1, kVersion);
  claims.push_back(static_cast<char>(subject.kind));
  AppendNumber(Seconds(expiry), 8, &claims);
  claims += state_digest;
  AppendNumber(subject.dn.size(), 4, &claims);
  claims += subject.dn;
  claims += subject.dn_key;
  return model::EncodeBase64(claims) + "." + model::EncodeBase64(KeyedDigest(key_, {claims}));
}

model::Result<TokenClaims> TokenSigner::Verify(std::string_view token,
                                               system_clock::time_point now) const {
  const std::size_t dot = token.find('.');
  if (dot == std::string_view::npos) return Refused("the token is damaged");
  const std::optional<std::string> claims = model::DecodeBase64(token.substr(0, dot));
  const std::optional<std::string> mac = model::DecodeBase64(token.substr(dot + 1));
  if (!claims || !mac || !SameOctets(*mac, KeyedDigest(key_, {*claims}))) {
    return Refused("the token is damaged, or another directory made it");
  }
  const std::string_view octets = *claims;
  if (octets.size() < kFixedBytes || octets[0] != kVersion) return Refused("unknown kind of token");
  if (ReadNumber(octets.substr(2, 8)) <= Seconds(now)) return Refused("the token has expired");
  const std::uint64_t dn_size = ReadNumber(octets.substr(kFixedBytes - 4, 4));
  const std::string_view names = octets.substr(kFixedBytes);
  if (dn_size > names.size()) return Refused("the token is damaged");
  TokenClaims token_claims;
  token_claims.state_digest = std::string(octets.substr(10, kDigestBytes));
  token_claims.subject.kind = static_cast<Subject::Kind>(octets[1]);
  token_claims.subject.dn = std::string(names.substr(0, dn_size));
  token_claims.subject.dn_key = std::string(names.substr(dn_size));
  return token_claims;
}

}  // namespace twintree::rpc
