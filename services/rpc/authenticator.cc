#include "services/rpc/authenticator.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "services/model/base64.h"
#include "services/rpc/keyed_digest.h"

namespace twintree::rpc {
namespace {

using directory::Subject;
using model::ResultCode;
using std::chrono::steady_clock;

constexpr std::size_t kMaxRemembered = 8192;
constexpr std::chrono::milliseconds kLongestMemory{60000};
// A bind may be shared by several calls, so none of their deadlines is its own.
constexpr std::chrono::seconds kBindLimit{30};

model::Error Refused(ResultCode code, const char* why) { return {code, why, ""}; }

// Scheme names are the same in any letter case (RFC 7235 2.1).
bool TakeScheme(std::string_view* value, std::string_view scheme) {
  if (value->size() <= scheme.size() || (*value)[scheme.size()] != ' ') return false;
  for (std::size_t i = 0; i < scheme.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>((*value)[i])) != scheme[i]) return false;
  }
  value->remove_prefix(scheme.size());
  value->remove_prefix(std::min(value->find_first_not_of(' '), value->size()));
  return true;
}

}  // namespace

Authenticator::Authenticator(std::shared_ptr<directory::Directory> directory,
                             AuthenticationOptions options)
    : directory_(std::move(directory)),
      options_(std::move(options)),
      signer_(options_.token_key),
      cache_(std::min(options_.remember_credentials, kLongestMemory), kMaxRemembered) {}

void Authenticator::Resolve(std::optional<std::string_view> authorization, Resolved done) {
  if (!authorization) return done(Subject{});
  std::string_view value = *authorization;
  if (TakeScheme(&value, "basic")) return ResolveBasic(value, std::move(done));
  if (TakeScheme(&value, "bearer")) {
    return done(ResolveToken(value));
  }
  done(Refused(ResultCode::kInvalidCredentials, "authorization must be Basic or Bearer"));
}

model::Result<std::string> Authenticator::StateDigest(std::string_view dn) const {
  if (!options_.password_state) return signer_.DigestOf(model::Secret());
  TT_ASSIGN_OR_RETURN(const model::Secret state, options_.password_state(dn));
  return signer_.DigestOf(state);
}

model::Result<Subject> Authenticator::ResolveToken(std::string_view token) const {
  TT_ASSIGN_OR_RETURN(TokenClaims claims, signer_.Verify(token, std::chrono::system_clock::now()));
  const model::Result<std::string> digest = StateDigest(claims.subject.dn);
  if (!digest.ok() && digest.code() != ResultCode::kNoSuchObject) return digest.error();
  if (!digest.ok() || !SameOctets(*digest, claims.state_digest)) {
    return Refused(ResultCode::kInvalidCredentials,
                   "the password was changed after the token was made, or the entry is gone");
  }
  return std::move(claims.subject);
}

void Authenticator::ResolveBasic(std::string_view encoded, Resolved done) {
  std::optional<std::string> pair = model::DecodeBase64(encoded);
  const std::size_t colon = pair ? pair->find(':') : std::string::npos;
  if (colon == std::string::npos) {
    return done(Refused(ResultCode::kInvalidCredentials,
                        "authorization is no Basic base64 of a DN, a colon and a password"));
  }
  const std::string dn = pair->substr(0, colon);
  model::Secret password(pair->substr(colon + 1));
  const model::Secret wiped(*std::move(pair));
  Bind(dn, std::move(password), [done = std::move(done)](model::Result<Bound> bound) {
    if (!bound.ok()) return done(std::move(bound).error());
    done(std::move(bound->subject));
  });
}

void Authenticator::Bind(std::string_view dn, model::Secret password, BindDone done) {
  const std::string key = cache_.KeyOf(dn, password);
  // A name without an entry has the empty state; the bind tells what is wrong with it.
  const model::Result<std::string> known_digest = StateDigest(dn);
  const std::string digest = known_digest.ok() ? *known_digest : signer_.DigestOf(model::Secret());
  if (std::optional<Subject> known = cache_.Find(key, digest, steady_clock::now())) {
    return done(Bound{*std::move(known), digest});
  }
  {
    std::lock_guard lock(mutex_);
    std::vector<BindDone>& waiting = binding_[key + digest];
    waiting.push_back(std::move(done));
    if (waiting.size() > 1) return;
  }
  directory::RequestContext context;
  context.deadline = steady_clock::now() + kBindLimit;
  directory_->Bind(context, directory::BindRequest{std::string(dn), std::move(password)},
                   [self = shared_from_this(), key, digest](const directory::BindOutcome& outcome) {
                     const bool right = outcome.code == ResultCode::kSuccess;
                     if (right)
                       self->cache_.Store(key, digest, outcome.subject, steady_clock::now());
                     std::vector<BindDone> waiting;
                     {
                       std::lock_guard lock(self->mutex_);
                       waiting = std::move(self->binding_.extract(key + digest).mapped());
                     }
                     for (const BindDone& resolved : waiting) {
                       if (right) {
                         resolved(Bound{outcome.subject, digest});
                       } else {
                         resolved(model::Error{outcome.code, outcome.diagnostic, ""});
                       }
                     }
                   });
}

void Authenticator::LogIn(std::string_view dn, model::Secret password, LoggedIn done) {
  Bind(dn, std::move(password),
       [self = shared_from_this(), done = std::move(done)](model::Result<Bound> bound) {
         if (!bound.ok()) return done(std::move(bound).error());
         Login login;
         login.subject = std::move(bound->subject);
         login.expiry = std::chrono::system_clock::now() + self->options_.token_lifetime;
         login.token = self->signer_.Sign(login.subject, bound->state_digest, login.expiry);
         done(std::move(login));
       });
}

}  // namespace twintree::rpc
