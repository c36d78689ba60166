#include "services/rpc/credential_cache.h"

#include "services/rpc/keyed_digest.h"

namespace twintree::rpc {
CredentialCache::CredentialCache(std::chrono::milliseconds lifetime, std::size_t max_entries)
    : lifetime_(lifetime), max_entries_(max_entries), key_(RandomKey()) {}

std::string CredentialCache::KeyOf(std::string_view dn, const model::Secret& password) const {
  return KeyedDigest(key_, {dn, password.Reveal()});
}

std::optional<directory::Subject> CredentialCache::Find(const std::string& key,
                                                        std::string_view state_digest,
                                                        Clock::time_point now) const {
  std::lock_guard lock(mutex_);
  const auto found = known_.find(key);
  if (found == known_.end() || found->second.expiry <= now) return std::nullopt;
  if (found->second.state_digest != state_digest) return std::nullopt;
  return found->second.subject;
}

void CredentialCache::Store(const std::string& key, std::string_view state_digest,
                            const directory::Subject& subject, Clock::time_point now) {
  if (lifetime_.count() == 0) return;
  std::lock_guard lock(mutex_);
  if (known_.size() >= max_entries_) MakeRoom(now);
  known_[key] = Known{subject, std::string(state_digest), now + lifetime_};
}

void CredentialCache::MakeRoom(Clock::time_point now) {
  std::erase_if(known_, [now](const auto& item) { return item.second.expiry <= now; });
  if (known_.size() >= max_entries_) known_.erase(known_.begin());
}

std::size_t CredentialCache::size() const {
  std::lock_guard lock(mutex_);
  return known_.size();
}

}  // namespace twintree::rpc
