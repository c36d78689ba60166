#include "services/cli/directory_parts.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "services/cli/offline.h"
#include "services/cli/version.h"
#include "services/passwords/passwords.h"

namespace twintree::cli {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;

constexpr std::size_t kMaxQueuedWork = 10000;

// The naming contexts that the store holds, as they are spelled there.
Result<std::vector<std::string>> StoredSuffixes(storage::EntryStore& store) {
  constexpr std::size_t kMostSuffixes = 1000;
  TT_ASSIGN_OR_RETURN(const auto reader, store.Read());
  std::vector<storage::EntryId> ids;
  TT_RETURN_IF_ERROR(reader->Children(storage::kNoEntry, storage::kNoEntry, kMostSuffixes, &ids));
  std::vector<std::string> suffixes;
  for (const storage::EntryId id : ids) {
    TT_ASSIGN_OR_RETURN(const storage::StoredEntryPtr entry, reader->Get(id));
    if (entry != nullptr) suffixes.push_back(entry->rdn);
  }
  if (suffixes.empty()) {
    return Error{ResultCode::kOther, "--suffix is missing, and the store holds no entries yet", ""};
  }
  return suffixes;
}

Result<directory::EngineOptions> EngineOptionsOf(const IdentitySettings& identity) {
  directory::EngineOptions options;
  options.root_dn = identity.root_dn;
  if (identity.root_dn.empty() != identity.root_password_file.empty()) {
    return Error{ResultCode::kOther, "--root-dn and --root-password-file belong together", ""};
  }
  if (!identity.root_password_file.empty()) {
    TT_ASSIGN_OR_RETURN(options.root_password, ReadSecretFile(identity.root_password_file));
  }
  TT_ASSIGN_OR_RETURN(options.password_scheme, passwords::ParseScheme(identity.password_scheme));
  options.max_size_limit = identity.size_limit;
  options.max_time_limit = std::chrono::seconds(identity.time_limit_seconds);
  options.vendor_version = Version();
  return options;
}

}  // namespace

Result<DirectoryParts> OpenDirectory(const StoreSettings& store, const IdentitySettings& identity,
                                     std::shared_ptr<metrics::DirectoryMetrics> metrics) {
  TT_ASSIGN_OR_RETURN(directory::EngineOptions options, EngineOptionsOf(identity));
  TT_ASSIGN_OR_RETURN(const auto schema, LoadSchema(store.schema_files));
  DirectoryParts parts;
  TT_ASSIGN_OR_RETURN(parts.access, AccessRules::Load(identity.access, schema));
  TT_ASSIGN_OR_RETURN(parts.store, OpenServerStore(store, schema));
  options.suffixes = store.suffixes;
  if (options.suffixes.empty()) {
    TT_ASSIGN_OR_RETURN(options.suffixes, StoredSuffixes(*parts.store));
  }
  TT_RETURN_IF_ERROR(parts.access->SetContexts(options.suffixes));
  const std::size_t workers = std::max<std::size_t>(2, std::thread::hardware_concurrency());
  parts.executor = directory::MakeThreadPool(workers, kMaxQueuedWork);
  TT_ASSIGN_OR_RETURN(
      parts.engine,
      directory::LocalDirectory::Make(
          {schema, parts.store, parts.access->policy(), parts.executor, {}}, std::move(options)));
  parts.access->WarnOfMissingEntries(*parts.engine);
  parts.counted = std::make_shared<metrics::CountingDirectory>(parts.engine, std::move(metrics));
  return parts;
}

}  // namespace twintree::cli
