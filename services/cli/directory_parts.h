// The engine and everything it needs, as settings describe it.
#ifndef TWINTREE_SERVICES_CLI_DIRECTORY_PARTS_H_
#define TWINTREE_SERVICES_CLI_DIRECTORY_PARTS_H_

#include <cstddef>
#include <memory>

#include "services/cli/access_rules.h"
#include "services/cli/settings.h"
#include "services/directory/engine/local_directory.h"
#include "services/metrics/counting_directory.h"
#include "services/model/result.h"
#include "services/model/schema.h"
#include "storage/entry_store.h"

namespace twintree::cli {

struct DirectoryParts {
  std::shared_ptr<storage::EntryStore> store;
  std::shared_ptr<directory::Executor> executor;
  std::shared_ptr<directory::Executor> password_executor;
  std::shared_ptr<AccessRules> access;
  std::shared_ptr<directory::LocalDirectory> engine;
  // What the doors ask: counts, then the engine.
  std::shared_ptr<directory::Directory> counted;
};

// What settings come to by themselves, before anything is opened.
struct DirectoryPlan {
  directory::EngineOptions options;  // without suffixes
  std::shared_ptr<const model::Schema> schema;
  std::shared_ptr<AccessRules> access;
};

// Checks the settings and reads the files of schema, access rules and the root password.
// Errors: kOther, naming the setting and its value.
model::Result<DirectoryPlan> PlanDirectory(const StoreSettings& store,
                                           const IdentitySettings& identity);

// Opens the store, which may take long when indexes have to be built, and makes the engine over
// it, with `threads` threads for what may take long and as many for passwords. Without a suffix in
// the settings the store's naming contexts are served.
// Errors: kOther and the store's, naming the setting or the directory that is to blame.
model::Result<DirectoryParts> OpenDirectory(DirectoryPlan plan, const StoreSettings& store,
                                            const IdentitySettings& identity, std::size_t threads,
                                            std::shared_ptr<metrics::DirectoryMetrics> metrics);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_DIRECTORY_PARTS_H_
