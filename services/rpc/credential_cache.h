// Remembers for a short time which names and passwords were right.
//
// Passwords are not kept: an entry is found by a keyed digest of name and password. Wrong
// credentials are never remembered, and right ones only as long as the password is the same.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_CREDENTIAL_CACHE_H_
#define TWINTREE_SERVICES_RPC_CREDENTIAL_CACHE_H_

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "services/directory/directory.h"
#include "services/model/secret.h"

namespace twintree::rpc {

class CredentialCache {
 public:
  using Clock = std::chrono::steady_clock;

  // `lifetime` zero: nothing is remembered.
  CredentialCache(std::chrono::milliseconds lifetime, std::size_t max_entries);

  // What name and password are known by here.
  std::string KeyOf(std::string_view dn, const model::Secret& password) const;

  // `state_digest`: of the state of the password now; other than when it was stored: not found.
  std::optional<directory::Subject> Find(const std::string& key, std::string_view state_digest,
                                         Clock::time_point now) const;
  // `state_digest`: of the state before the password was found right.
  void Store(const std::string& key, std::string_view state_digest,
             const directory::Subject& subject, Clock::time_point now);
  std::size_t size() const;

 private:
  struct Known {
    directory::Subject subject;
    std::string state_digest;
    Clock::time_point expiry;
  };
  void MakeRoom(Clock::time_point now);

  const std::chrono::milliseconds lifetime_;
  const std::size_t max_entries_;
  const model::Secret key_;

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Known> known_;  // guarded by mutex_
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_CREDENTIAL_CACHE_H_
