#include "services/cli/offline.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "services/cli/command.h"
#include "services/cli/input_files.h"
#include "services/cli/progress_line.h"
#include "services/cli/store_definitions.h"
#include "services/log/log.h"
#include "storage/index.h"
#include "storage/sqlite/sqlite_entry_store.h"

namespace twintree::cli {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Schema;
using model::Status;

namespace {

using IndexChangeHandler = std::function<void(const std::string&, const std::string&)>;

constexpr std::string_view kDatabaseFile = "twintree.db";
constexpr std::string_view kDataIsRequired = "--data DIR is required: the directory of the store";

// What is unknown may be so for want of a file.
std::string SchemaHint(ResultCode code) {
  if (code != ResultCode::kUndefinedAttributeType) return "";
  return std::string(kSchemaHint);
}

Error WrongIndex(const std::string& text, const std::string& why) {
  return {ResultCode::kOther, "--index '" + text + "': " + why, ""};
}

Result<std::vector<storage::IndexSpec>> ParseIndexes(const std::vector<std::string>& texts,
                                                     const Schema& schema) {
  std::vector<storage::IndexSpec> specs;
  std::map<const model::AttributeType*, std::string> seen;
  for (const std::string& text : texts) {
    Result<storage::IndexSpec> spec = storage::IndexSpec::Parse(text);
    if (!spec.ok()) return Error{spec.code(), "--index: " + spec.error().message, ""};
    const auto set = storage::IndexSet::Make({&*spec, 1}, schema);
    if (!set.ok()) return WrongIndex(text, set.error().message + SchemaHint(set.code()));
    const auto [other, is_new] = seen.emplace(schema.FindAttributeType(spec->attribute), text);
    if (!is_new) {
      return WrongIndex(
          text,
          "'" + other->second + "' is there for the attribute already; give all its kinds in one");
    }
    specs.push_back(std::move(spec).value());
  }
  return specs;
}

Error Describe(const Error& error, const StoreSettings& settings) {
  return {
      error.code,
      "cannot open the store in '" + settings.data + "': " + error.message + SchemaHint(error.code),
      ""};
}

Result<std::shared_ptr<storage::EntryStore>> OpenStore(const StoreSettings& settings,
                                                       std::shared_ptr<const Schema> schema,
                                                       OpenFor purpose,
                                                       std::function<void(double)> progress,
                                                       IndexChangeHandler index_change = {}) {
  storage::SqliteOptions options;
  options.directory = settings.data;
  options.cache_bytes = settings.cache_bytes;
  if (!settings.indexes.empty()) {
    TT_ASSIGN_OR_RETURN(options.indexes, ParseIndexes(settings.indexes, *schema));
  } else if (purpose == OpenFor::kServing) {
    options.indexes = storage::DefaultIndexes();
  }
  if (purpose == OpenFor::kServing) {
    options.random_reads = true;
    options.prefetch_at_most = MemoryLimit() / 4;
  }
  options.index_change = std::move(index_change);
  options.read_only = purpose == OpenFor::kReading;
  // A new store builds its indexes too, but has nothing to put into them.
  TT_ASSIGN_OR_RETURN(const bool is_there, HasStore(settings.data));
  if (is_there) options.rebuild_progress = std::move(progress);
  Result<std::unique_ptr<storage::EntryStore>> store =
      storage::SqliteEntryStore::Open(options, std::move(schema));
  if (!store.ok()) return Describe(store.error(), settings);
  return std::shared_ptr<storage::EntryStore>(std::move(store).value());
}

}  // namespace

Result<bool> HasStore(const std::string& directory) {
  std::error_code error;
  const bool exists =
      std::filesystem::exists(std::filesystem::path(directory) / kDatabaseFile, error);
  if (!error) return exists;
  return Error{ResultCode::kUnavailable,
               "cannot open the store in '" + directory + "': " + error.message(), ""};
}

Status CheckIndexes(const std::vector<std::string>& texts, const Schema& schema) {
  return ParseIndexes(texts, schema).status();
}

void AddDataFlags(CLI::App* command, StoreSettings* settings) {
  command->add_option("--data", settings->data, "Data directory")->type_name("DIR");
  AddSchemaFlag(command, settings);
}

Result<std::shared_ptr<const Schema>> LoadSchema(const std::vector<std::string>& files) {
  if (files.empty()) return Schema::Standard();
  std::vector<model::SchemaFile> texts;
  for (const std::string& file : files) {
    TT_ASSIGN_OR_RETURN(std::string text, ReadTextFile("--schema", file));
    texts.push_back({file, std::move(text)});
  }
  model::SchemaReport report;
  Result<std::shared_ptr<const Schema>> schema = Schema::StandardWith(texts, &report);
  for (const std::string& warning : report.warnings) log::Warning("schema").With("text", warning);
  if (report.repeated > 0) log::Info("schema_definitions_known").With("count", report.repeated);
  return schema;
}

Result<std::shared_ptr<storage::EntryStore>> OpenServerStore(const StoreSettings& settings,
                                                             std::shared_ptr<const Schema> schema) {
  if (settings.data.empty()) return Error{ResultCode::kOther, std::string(kDataIsRequired), ""};
  int tenths_logged = -1;
  const auto progress = [&](double fraction) {
    const int tenths = static_cast<int>(fraction * 10);
    if (tenths <= tenths_logged) return;
    tenths_logged = tenths;
    log::Info("building_indexes").With("percent", tenths * 10);
  };
  const auto index_change = [](const std::string& kept, const std::string& wanted) {
    log::Warning("index_set_changed").With("from", kept).With("to", wanted);
  };
  TT_ASSIGN_OR_RETURN(auto store,
                      OpenStore(settings, schema, OpenFor::kServing, progress, index_change));
  TT_RETURN_IF_ERROR(CompareDefinitions(*store, *schema, /*may_write=*/true));
  log::Info("indexes")
      .With("set", storage::Describe(store->indexes()))
      .With("chosen_by", settings.indexes.empty() ? "default" : "index");
  log::Info("caches").With("bytes", settings.cache_bytes);
  return store;
}

bool OpenOffline(const StoreSettings& settings, OpenFor purpose, OfflineStore* opened,
                 OfflineError* error, std::shared_ptr<const Schema> schema) {
  const auto fail = [error](int status, std::string message) {
    *error = {status, std::move(message)};
    return false;
  };
  if (settings.data.empty()) return fail(kExitUsage, std::string(kDataIsRequired));
  if (schema == nullptr) {
    Result<std::shared_ptr<const Schema>> loaded = LoadSchema(settings.schema_files);
    if (!loaded.ok()) return fail(kExitUsage, loaded.error().message);
    schema = std::move(loaded).value();
  }
  const Status indexes = CheckIndexes(settings.indexes, *schema);
  if (!indexes.ok()) return fail(kExitUsage, indexes.error().message);
  const Result<bool> is_there = HasStore(settings.data);
  if (!is_there.ok()) return fail(kExitFailed, is_there.error().message);
  if (purpose != OpenFor::kCreating && !*is_there) {
    return fail(kExitFailed, "there is no store in '" + settings.data + "'");
  }
  ProgressLine line;
  Result<std::shared_ptr<storage::EntryStore>> store =
      OpenStore(settings, schema, purpose, [&line](double fraction) {
        line.Show("building indexes", fraction, [] { return "the set of indexes has changed"; });
      });
  if (!store.ok()) return fail(kExitFailed, store.error().message);
  line.Clear();
  const Status compared = CompareDefinitions(**store, *schema, purpose != OpenFor::kReading);
  if (!compared.ok()) return fail(kExitFailed, compared.error().message);
  *opened = {std::move(schema), std::move(store).value()};
  return true;
}

}  // namespace twintree::cli
