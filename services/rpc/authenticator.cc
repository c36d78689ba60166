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
constexpr std::size_t kMaxWaiting = 16384;  // calls
// What a call takes anyway.
constexpr std::size_t kSmallBodyBytes = 4096;

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

void Authenticator::Resolve(std::optional<std::string_view> authorization, const WaitingCall& call,
                            Resolved done) {
  if (!authorization) return done(Subject{});
  std::string_view value = *authorization;
  if (TakeScheme(&value, "basic")) return ResolveBasic(value, call, std::move(done));
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

void Authenticator::ResolveBasic(std::string_view encoded, const WaitingCall& call, Resolved done) {
  std::optional<std::string> pair = model::DecodeBase64(encoded);
  const std::size_t colon = pair ? pair->find(':') : std::string::npos;
  if (colon == std::string::npos) {
    return done(Refused(ResultCode::kInvalidCredentials,
                        "authorization is no Basic base64 of a DN, a colon and a password"));
  }
  const std::string dn = pair->substr(0, colon);
  model::Secret password(pair->substr(colon + 1));
  const model::Secret wiped(*std::move(pair));
  Bind(dn, std::move(password), call, [done = std::move(done)](model::Result<Bound> bound) {
    if (!bound.ok()) return done(std::move(bound).error());
    done(std::move(bound->subject));
  });
}

void Authenticator::Bind(std::string_view dn, model::Secret password, const WaitingCall& call,
                         BindDone done) {
  const std::string credentials = cache_.KeyOf(dn, password);
  // A name without an entry has the empty state; the bind tells what is wrong with it.
  const model::Result<std::string> known_digest = StateDigest(dn);
  const std::string digest = known_digest.ok() ? *known_digest : signer_.DigestOf(model::Secret());
  if (std::optional<Subject> known = cache_.Find(credentials, digest, steady_clock::now())) {
    return done(Bound{*std::move(known), digest});
  }
  const std::size_t bytes = call.body_bytes > kSmallBodyBytes ? call.body_bytes : 0;
  std::shared_ptr<SharedBind> bind;
  std::uint64_t waiter = 0;
  bool first = false;
  {
    std::unique_lock lock(mutex_);
    if (model::Status room = CheckRoom(bytes); !room.ok()) {
      lock.unlock();
      return done(std::move(room).error());
    }
    std::shared_ptr<SharedBind>& shared = binding_[credentials + digest];
    first = shared == nullptr;
    if (first) {
      shared = std::make_shared<SharedBind>(
          SharedBind{credentials + digest, std::make_shared<directory::SingleInterest>(), {}});
    }
    bind = shared;
    waiter = ++last_waiter_;
    bind->waiting.emplace(waiter, Waiter{bytes, std::move(done)});
    waiting_bytes_ += bytes;
    binds_of_.emplace(waiter, bind);
  }
  if (first) {
    directory::RequestContext context;
    context.deadline = steady_clock::now() + kBindLimit;
    if (call.client) context.client = call.client();
    context.interest = bind->interest;
    directory_->Bind(
        context, directory::BindRequest{std::string(dn), std::move(password)},
        [self = shared_from_this(), bind, credentials,
         digest](const directory::BindOutcome& outcome) {
          if (outcome.code != ResultCode::kSuccess) {
            return self->Answer(bind, model::Error{outcome.code, outcome.diagnostic, ""});
          }
          self->cache_.Store(credentials, digest, outcome.subject, steady_clock::now());
          self->Answer(bind, Bound{outcome.subject, digest});
        });
  }
  // Last, since it may be lost already.
  if (call.interest != nullptr) call.interest->Watch(weak_from_this(), waiter);
}

model::Status Authenticator::CheckRoom(std::size_t counted_bytes) const {
  if (binds_of_.size() >= kMaxWaiting) {
    return Refused(ResultCode::kBusy, "too many calls wait for their callers' passwords");
  }
  if (counted_bytes > 0 && counted_bytes + waiting_bytes_ > options_.max_waiting_bytes) {
    return Refused(ResultCode::kAdminLimitExceeded,
                   "too much waits for its callers' passwords; a token needs no waiting");
  }
  return model::OkStatus();
}

void Authenticator::Answer(const std::shared_ptr<SharedBind>& bind,
                           const model::Result<Bound>& bound) {
  std::map<std::uint64_t, Waiter> waiting;
  {
    std::lock_guard lock(mutex_);
    Forget(bind);
    waiting.swap(bind->waiting);
    for (const auto& [number, waiter] : waiting) {
      binds_of_.erase(number);
      waiting_bytes_ -= waiter.counted_bytes;
    }
  }
  for (const auto& [number, waiter] : waiting) waiter.done(bound);
}

void Authenticator::OnInterestLost(std::uint64_t waiter) {
  std::shared_ptr<SharedBind> bind;
  BindDone done;
  bool unwanted = false;
  {
    std::lock_guard lock(mutex_);
    auto found = binds_of_.extract(waiter);
    if (found.empty()) return;  // answered
    bind = std::move(found.mapped());
    Waiter left = std::move(bind->waiting.extract(waiter).mapped());
    waiting_bytes_ -= left.counted_bytes;
    done = std::move(left.done);
    unwanted = bind->waiting.empty();
    if (unwanted) Forget(bind);
  }
  if (unwanted) bind->interest->Lose();
  done(Refused(ResultCode::kCanceled, "the caller is gone"));
}

void Authenticator::Forget(const std::shared_ptr<SharedBind>& bind) {
  const auto found = binding_.find(bind->key);
  if (found != binding_.end() && found->second == bind) binding_.erase(found);
}

void Authenticator::LogIn(std::string_view dn, model::Secret password, const WaitingCall& call,
                          LoggedIn done) {
  Bind(dn, std::move(password), call,
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
