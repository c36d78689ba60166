// The engine: a Directory over an EntryStore.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_LOCAL_DIRECTORY_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_LOCAL_DIRECTORY_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/access/access.h"
#include "services/directory/directory.h"
#include "services/directory/engine_statistics.h"
#include "services/directory/executor.h"
#include "services/model/schema.h"
#include "services/model/secret.h"
#include "services/passwords/passwords.h"
#include "storage/entry_store.h"

namespace twintree::directory {

struct EngineOptions {
  // Naming contexts, string form; at least one. Their entries need not exist yet: the first add of
  // that name creates them.
  std::vector<std::string> suffixes;
  // The identity that may do everything. Empty: none. Its password is `root_password`; it needs no
  // entry. If there is one, its userPassword lets bind as this identity, too.
  std::string root_dn;
  model::Secret root_password;
  // What clear-text passwords become on add, modify and password change.
  passwords::Scheme password_scheme = passwords::Scheme::kArgon2;
  // Limits for everybody but root; 0: none. Clients may ask for less, never for more. Entries count
  // over all pages of a search.
  std::uint32_t max_size_limit = 0;
  std::chrono::seconds max_time_limit{0};
  // A paused search that nobody resumes gives up its snapshot after this (kTimeLimitExceeded).
  std::chrono::seconds max_pause{300};
  // The largest entry that a write may leave, in bytes of its stored form (kAdminLimitExceeded). An
  // answer must fit into one message of either door.
  std::size_t max_entry_bytes = std::size_t{32} << 20;
  // What writes larger than 4 KiB may hold together, from their arrival to their answer, and what
  // searches may whose filters are large, while they go on beyond their caller's thread; kBusy
  // beyond. Whoever is alone gets what he wants.
  std::size_t max_waiting_write_bytes = std::size_t{128} << 20;
  std::size_t max_long_search_bytes = std::size_t{128} << 20;
  std::string vendor_version;  // for the root DSE
  // Seals the cookies of paged results: 16 random octets, kept with the data so that a client can
  // go on after a restart. Empty: made up, and forgotten at the end.
  std::string cookie_key;
};

// Time and identifiers, so that tests can fix them.
struct EngineClock {
  std::function<std::chrono::system_clock::time_point()> now;  // empty: the system's
};

class LocalDirectory : public Directory {
 public:
  struct Parts {
    std::shared_ptr<const model::Schema> schema;
    std::shared_ptr<storage::EntryStore> store;
    std::shared_ptr<const access::AccessPolicy> access;
    std::shared_ptr<Executor> executor;
    EngineClock clock;
    // For passwords, so that a storm of them keeps no search waiting; null: `executor`.
    std::shared_ptr<Executor> password_executor;
  };
  // Errors: kInvalidDnSyntax for a suffix or root DN that is none.
  static model::Result<std::unique_ptr<LocalDirectory>> Make(Parts parts, EngineOptions options);

  virtual EngineStatistics Statistics() const = 0;

  // What decides on binds as `dn`: octets that change whenever its password does, and when the
  // entry becomes another one. A read of one entry. Errors: kNoSuchObject, kInvalidDnSyntax; the
  // store's.
  virtual model::Result<model::Secret> PasswordState(std::string_view dn) const = 0;

  // Is there an entry of that name in the store? For questions of the server's own, which are not
  // among the searches that Statistics() counts. Errors: kInvalidDnSyntax; the store's.
  virtual model::Result<bool> HasEntry(std::string_view dn) const = 0;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_LOCAL_DIRECTORY_H_
