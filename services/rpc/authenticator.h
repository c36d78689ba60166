// Who a call comes from, by its `authorization` metadata.
//
//   (absent)                    anonymous
//   Basic BASE64(DN:PASSWORD)   a bind; right answers are remembered for a short time, and calls
//                               with the same credentials at the same time share one bind
//   Bearer TOKEN                a token of Login()
//
// What nobody waits for any more is not checked: a call that is cancelled leaves at once, and the
// last that leaves a bind takes the interest in it along.
//
// What is remembered and what tokens say ends with the password it stands for.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_AUTHENTICATOR_H_
#define TWINTREE_SERVICES_RPC_AUTHENTICATOR_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "services/directory/directory.h"
#include "services/directory/interest.h"
#include "services/model/result.h"
#include "services/model/secret.h"
#include "services/rpc/bearer_token.h"
#include "services/rpc/credential_cache.h"

namespace twintree::rpc {

struct AuthenticationOptions {
  // What `dn` must know to bind, in a form that changes with it; an error when there is no such
  // entry. Called for each call, so it must not be slow. Empty: passwords never change.
  std::function<model::Result<model::Secret>(std::string_view dn)> password_state;
  // Signs bearer tokens. Empty: a random key, so tokens end with the process. Directories behind
  // one name need one key.
  model::Secret token_key;
  std::chrono::seconds token_lifetime{900};
  // How long a password that was right is taken for right without asking; at most a minute. Zero:
  // every call binds.
  std::chrono::milliseconds remember_credentials{30000};
  // What the bodies of all calls take together while a bind decides who they come from. Small ones
  // are always let in.
  std::size_t max_waiting_bytes = std::size_t{64} << 20;
};

struct Login {
  directory::Subject subject;
  std::string token;
  std::chrono::system_clock::time_point expiry;
};

// The call that waits for its caller to be known.
struct WaitingCall {
  // Lost when the call is cancelled; the authenticator is its watcher. Null: it never is.
  std::shared_ptr<directory::SingleInterest> interest;
  // Who calls, among those that take turns (RequestContext::client). Asked only when there is
  // something to wait for. Empty: the client 0.
  std::function<std::uint64_t()> client;
  // What the call's body takes while it waits.
  std::size_t body_bytes = 0;
};

class Authenticator : public directory::Interest::Watcher,
                      public std::enable_shared_from_this<Authenticator> {
 public:
  using Resolved = std::function<void(model::Result<directory::Subject>)>;
  using LoggedIn = std::function<void(model::Result<Login>)>;

  Authenticator(std::shared_ptr<directory::Directory> directory, AuthenticationOptions options);

  // Errors given to `done`: kInvalidCredentials, kAuthMethodNotSupported for another scheme,
  // kCanceled once `call` is, kBusy when too many calls wait, kAdminLimitExceeded when the bodies
  // of those take too much, and what the directory's bind ends with.
  void Resolve(std::optional<std::string_view> authorization, const WaitingCall& call,
               Resolved done);
  // Binds and makes a token.
  void LogIn(std::string_view dn, model::Secret password, const WaitingCall& call, LoggedIn done);

  // A call is cancelled.
  void OnInterestLost(std::uint64_t waiter) override;

 private:
  struct Bound {
    directory::Subject subject;
    std::string state_digest;  // before the bind
  };
  using BindDone = std::function<void(model::Result<Bound>)>;
  struct Waiter {
    std::size_t counted_bytes;
    BindDone done;
  };
  // A bind under way and who waits for it, by number.
  struct SharedBind {
    std::string key;
    std::shared_ptr<directory::SingleInterest> interest;
    std::map<std::uint64_t, Waiter> waiting;
  };

  // Of the state of the password now. Errors: those of password_state.
  model::Result<std::string> StateDigest(std::string_view dn) const;
  model::Result<directory::Subject> ResolveToken(std::string_view token) const;
  // Errors: there is no place for the call. REQUIRES: mutex_ is held.
  model::Status CheckRoom(std::size_t counted_bytes) const;
  void ResolveBasic(std::string_view encoded, const WaitingCall& call, Resolved done);
  void Bind(std::string_view dn, model::Secret password, const WaitingCall& call, BindDone done);
  // Ends the bind for all who wait for it.
  void Answer(const std::shared_ptr<SharedBind>& bind, const model::Result<Bound>& bound);
  void Forget(const std::shared_ptr<SharedBind>& bind);  // REQUIRES: mutex_ is held

  const std::shared_ptr<directory::Directory> directory_;
  const AuthenticationOptions options_;
  const TokenSigner signer_;
  CredentialCache cache_;

  std::mutex mutex_;
  // Guarded by mutex_.
  std::uint64_t last_waiter_ = 0;
  std::size_t waiting_bytes_ = 0;
  // By the credentials' key and the state. Calls may join those that are wanted.
  std::unordered_map<std::string, std::shared_ptr<SharedBind>> binding_;
  std::unordered_map<std::uint64_t, std::shared_ptr<SharedBind>> binds_of_;  // by waiter
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_AUTHENTICATOR_H_
