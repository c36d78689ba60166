// What all operations of the engine share: its parts, its settings and its caches.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_ENGINE_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_ENGINE_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "services/directory/budget.h"
#include "services/directory/engine/counters.h"
#include "services/directory/engine/in_flight.h"
#include "services/directory/engine/local_directory.h"
#include "services/directory/engine/names.h"
#include "services/directory/engine/operational.h"
#include "services/directory/engine/paging.h"
#include "services/directory/engine/password_line.h"
#include "services/directory/engine/relations.h"
#include "services/directory/engine/search_registry.h"
#include "services/directory/engine/special_entries.h"
#include "services/model/dn.h"

namespace twintree::directory {

struct NamingContext {
  std::string text;
  model::DnKey key;
};

class Engine {
 public:
  // Errors: as LocalDirectory::Make.
  static model::Result<std::unique_ptr<Engine>> Make(LocalDirectory::Parts parts,
                                                     EngineOptions options);
  // Cancels the searches under way and waits for everything that is.
  ~Engine();

  const model::Schema& schema() const { return *parts_.schema; }
  storage::EntryStore& store() const { return *parts_.store; }
  const access::AccessPolicy& policy() const { return *parts_.access; }
  Executor& executor() const { return *parts_.executor; }
  const EngineOptions& options() const { return options_; }
  // A number that no other engine of this process has or had.
  std::uint64_t serial() const { return serial_; }
  const std::vector<NamingContext>& contexts() const { return contexts_; }
  const SchemaRelations& relations() const { return relations_; }
  const SpecialEntries& special_entries() const { return *special_entries_; }

  NameCache& names() { return names_; }
  CsnClock& csn_clock() { return csn_clock_; }
  SearchRegistry& searches() { return searches_; }
  PasswordLine& password_line() { return password_line_; }
  InFlight& in_flight() { return in_flight_; }
  // What large writes and large searches hold together.
  Budget& write_budget() { return write_budget_; }
  Budget& search_budget() { return search_budget_; }
  Counters& counters() { return counters_; }
  const CookieKey& cookie_key() const { return cookie_key_; }

  // The naming context that holds `key`; null when none does.
  const NamingContext* ContextOf(const model::DnKey& key) const;
  // Is this the name of the identity that may do everything?
  bool IsRoot(const model::DnKey& key) const { return !root_key_.empty() && key == root_key_; }
  std::chrono::system_clock::time_point Now() const;

 private:
  Engine(LocalDirectory::Parts parts, EngineOptions options);
  model::Status ReadNames();
  model::Status ChooseCookieKey();

  static std::uint64_t NextSerial();

  const std::uint64_t serial_ = NextSerial();
  LocalDirectory::Parts parts_;
  EngineOptions options_;
  std::vector<NamingContext> contexts_;
  model::DnKey root_key_;
  SchemaRelations relations_;
  std::unique_ptr<SpecialEntries> special_entries_;
  CookieKey cookie_key_{};

  NameCache names_;
  CsnClock csn_clock_;
  Counters counters_;
  Budget write_budget_;
  Budget search_budget_;
  PasswordLine password_line_;
  InFlight in_flight_;
  SearchRegistry searches_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_ENGINE_H_
