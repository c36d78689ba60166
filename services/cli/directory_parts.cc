#include "services/cli/directory_parts.h"

#include <sys/random.h>

#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/cli/input_files.h"
#include "services/cli/offline.h"
#include "services/cli/store_suffixes.h"
#include "services/cli/version.h"
#include "services/log/log.h"
#include "services/passwords/passwords.h"

namespace twintree::cli {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Schema;
using model::Status;

constexpr std::size_t kMaxQueuedWork = 10000;
constexpr std::string_view kCookieKey = "paged results key";
constexpr std::size_t kCookieKeyBytes = 16;

Status CheckNames(const StoreSettings& store, const IdentitySettings& identity,
                  const Schema& schema) {
  TT_RETURN_IF_ERROR(CheckSuffixes(store.suffixes, schema));
  // What cannot be looked at is told when it is opened.
  const Result<bool> has_store = HasStore(store.data);
  if (store.suffixes.empty() && has_store.ok() && !*has_store) {
    return Error{ResultCode::kOther,
                 "--suffix is missing, and there is no store in '" + store.data + "' yet", ""};
  }
  if (identity.root_dn.empty() != identity.root_password_file.empty()) {
    return Error{ResultCode::kOther, "--root-dn and --root-password-file belong together", ""};
  }
  if (identity.root_dn.empty()) return model::OkStatus();
  return CheckName("--root-dn", identity.root_dn, schema);
}

// What is served: the suffixes that are named, or those that the store holds.
Result<std::vector<std::string>> ChooseSuffixes(const StoreSettings& settings,
                                                storage::EntryStore& store, const Schema& schema) {
  TT_RETURN_IF_ERROR(CheckStoredSuffixes(settings.suffixes, settings.data, store, schema));
  if (!settings.suffixes.empty()) return settings.suffixes;
  TT_ASSIGN_OR_RETURN(std::vector<std::string> suffixes, StoredSuffixes(store));
  if (!suffixes.empty()) return suffixes;
  return Error{ResultCode::kOther,
               "--suffix is missing, and the store in '" + settings.data + "' holds no entries yet",
               ""};
}

// An empty directory in which nobody may add the first entry looks as if it worked.
Status WarnWhenNobodyCanBegin(const IdentitySettings& identity, storage::EntryStore& store) {
  if (!identity.root_dn.empty()) return model::OkStatus();
  TT_ASSIGN_OR_RETURN(const std::vector<std::string> stored, StoredSuffixes(store));
  if (!stored.empty()) return model::OkStatus();
  log::Warning("nobody_can_add_entries")
      .With("reason", "the store is empty, and there is no root identity to add the first entry")
      .With("remedy",
            "give --root-dn and --root-password-file, or load entries by twintree import");
  return model::OkStatus();
}

void TellWhatIsServed(const std::vector<std::string>& suffixes, const StoreSettings& store,
                      const IdentitySettings& identity, const Schema& schema) {
  std::string listed;
  for (const std::string& suffix : suffixes)
    listed.append(listed.empty() ? "" : "; ").append(suffix);
  log::Info("directory_opened")
      .With("suffixes", listed)
      .With("root_dn", identity.root_dn)
      .With("access", identity.access);
  const std::string doubt = DoubtAboutSuffixes(store.suffixes, schema);
  if (!doubt.empty()) log::Warning("doubtful_suffix").With("reason", doubt);
}

Result<std::string> MakeCookieKey(storage::EntryStore& store) {
  std::string key(kCookieKeyBytes, '\0');
  if (getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) {
    return Error{ResultCode::kOther, "no source of randomness", ""};
  }
  const auto promise = std::make_shared<std::promise<Status>>();
  store.Submit([key](storage::WriteTransaction& work) { return work.PutSetting(kCookieKey, key); },
               [promise](Status status) { promise->set_value(std::move(status)); });
  TT_RETURN_IF_ERROR(promise->get_future().get());
  return key;
}

// What seals the cookies of paged results: made at the first start, and kept in the store. Empty,
// which is good for this start only, when a full disk keeps it out.
Result<std::string> CookieKeyOf(storage::EntryStore& store) {
  TT_ASSIGN_OR_RETURN(const auto reader, store.Read());
  TT_ASSIGN_OR_RETURN(std::optional<std::string> kept, reader->GetSetting(kCookieKey));
  if (kept && kept->size() == kCookieKeyBytes) return *std::move(kept);
  Result<std::string> made = MakeCookieKey(store);
  if (made.ok()) return made;
  log::Warning("cookie_key_not_kept")
      .With("reason", made.error().message)
      .With("effect", "searches in pages cannot go on after a restart");
  return std::string();
}

}  // namespace

Result<DirectoryPlan> PlanDirectory(const StoreSettings& store, const IdentitySettings& identity) {
  if (store.data.empty()) return Error{ResultCode::kOther, "--data is missing", ""};
  DirectoryPlan plan;
  TT_ASSIGN_OR_RETURN(plan.schema, LoadSchema(store.schema_files));
  TT_RETURN_IF_ERROR(CheckNames(store, identity, *plan.schema));
  TT_RETURN_IF_ERROR(CheckIndexes(store.indexes, *plan.schema));
  TT_ASSIGN_OR_RETURN(plan.options.password_scheme,
                      passwords::ParseScheme(identity.password_scheme));
  auto access = AccessRules::Load(identity.access, plan.schema);
  if (!access.ok()) return Named("--access", access.error());
  plan.access = std::move(access).value();
  if (!identity.root_password_file.empty()) {
    TT_ASSIGN_OR_RETURN(plan.options.root_password,
                        ReadSecretFile("--root-password-file", identity.root_password_file));
  }
  plan.options.root_dn = identity.root_dn;
  plan.options.max_size_limit = identity.size_limit;
  plan.options.max_time_limit = std::chrono::seconds(identity.time_limit_seconds);
  plan.options.vendor_version = Version();
  return plan;
}

Result<DirectoryParts> OpenDirectory(DirectoryPlan plan, const StoreSettings& store,
                                     const IdentitySettings& identity, std::size_t threads,
                                     std::shared_ptr<metrics::DirectoryMetrics> metrics) {
  WarnOfReadableSecret("--root-password-file", identity.root_password_file);
  DirectoryParts parts;
  parts.access = std::move(plan.access);
  TT_ASSIGN_OR_RETURN(parts.store, OpenServerStore(store, plan.schema));
  TT_ASSIGN_OR_RETURN(plan.options.suffixes, ChooseSuffixes(store, *parts.store, *plan.schema));
  TT_RETURN_IF_ERROR(parts.access->SetContexts(plan.options.suffixes));
  TT_ASSIGN_OR_RETURN(plan.options.cookie_key, CookieKeyOf(*parts.store));
  TT_RETURN_IF_ERROR(WarnWhenNobodyCanBegin(identity, *parts.store));
  TellWhatIsServed(plan.options.suffixes, store, identity, *plan.schema);
  parts.executor = directory::MakeThreadPool(threads, kMaxQueuedWork);
  parts.password_executor = directory::MakeThreadPool(threads, kMaxQueuedWork);
  TT_ASSIGN_OR_RETURN(parts.engine, directory::LocalDirectory::Make({plan.schema,
                                                                     parts.store,
                                                                     parts.access->policy(),
                                                                     parts.executor,
                                                                     {},
                                                                     parts.password_executor},
                                                                    std::move(plan.options)));
  parts.access->WarnOfDoubts(*parts.engine);
  parts.counted = std::make_shared<metrics::CountingDirectory>(parts.engine, std::move(metrics));
  return parts;
}

}  // namespace twintree::cli
