#include "services/cli/offline.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "services/cli/command.h"
#include "storage/index.h"
#include "storage/sqlite/sqlite_entry_store.h"

namespace twintree::cli {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Schema;

namespace {

constexpr std::string_view kDatabaseFile = "twintree.db";

bool HasStore(const std::string& directory) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(directory) / kDatabaseFile, ignored);
}

Result<std::optional<std::vector<storage::IndexSpec>>> ParseIndexes(
    const std::vector<std::string>& texts) {
  if (texts.empty()) return std::optional<std::vector<storage::IndexSpec>>();
  std::vector<storage::IndexSpec> specs;
  for (const std::string& text : texts) {
    Result<storage::IndexSpec> spec = storage::IndexSpec::Parse(text);
    if (!spec.ok()) return Error{spec.code(), "--index: " + spec.error().message, ""};
    specs.push_back(std::move(spec).value());
  }
  return std::optional<std::vector<storage::IndexSpec>>(std::move(specs));
}

std::string Describe(const Error& error, const StoreSettings& settings, OpenFor purpose) {
  if (error.code == ResultCode::kBusy && purpose != OpenFor::kReading) {
    return "the store in '" + settings.data +
           "' is in use by another process: stop that server first (" + error.message + ")";
  }
  return "cannot open the store in '" + settings.data + "': " + error.message;
}

}  // namespace

void AddDataFlags(CLI::App* command, StoreSettings* settings) {
  command->add_option("--data", settings->data, "Data directory")->type_name("DIR");
  command
      ->add_option(
          "--schema", settings->schema_file,
          "Further attribute types and object classes, in the form of OpenLDAP's schema files")
      ->type_name("FILE");
}

Result<std::shared_ptr<const Schema>> LoadSchema(const std::string& file) {
  if (file.empty()) return Schema::Standard();
  TT_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(file));
  Result<std::shared_ptr<const Schema>> schema = Schema::StandardWith(text);
  if (!schema.ok()) return Error{schema.code(), file + ": " + schema.error().message, ""};
  return schema;
}

bool OpenOffline(const StoreSettings& settings, OpenFor purpose, OfflineStore* opened,
                 OfflineError* error) {
  const auto fail = [error](int status, std::string message) {
    *error = {status, std::move(message)};
    return false;
  };
  if (settings.data.empty()) {
    return fail(kExitUsage, "--data DIR is required: the directory of the store");
  }
  Result<std::shared_ptr<const Schema>> schema = LoadSchema(settings.schema_file);
  if (!schema.ok()) return fail(kExitUsage, schema.error().message);
  auto indexes = ParseIndexes(settings.indexes);
  if (!indexes.ok()) return fail(kExitUsage, indexes.error().message);
  if (purpose != OpenFor::kCreating && !HasStore(settings.data)) {
    return fail(kExitFailed, "there is no store in '" + settings.data + "'");
  }
  storage::SqliteOptions options;
  options.directory = settings.data;
  options.cache_bytes = settings.cache_bytes;
  options.indexes = std::move(indexes).value();
  options.read_only = purpose == OpenFor::kReading;
  Result<std::unique_ptr<storage::EntryStore>> store =
      storage::SqliteEntryStore::Open(options, *schema);
  if (!store.ok()) return fail(kExitFailed, Describe(store.error(), settings, purpose));
  *opened = {std::move(schema).value(), std::move(store).value()};
  return true;
}

}  // namespace twintree::cli
