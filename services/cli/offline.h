// Opens the store of a data directory, for commands that work on it without a server, and for one.
#ifndef TWINTREE_SERVICES_CLI_OFFLINE_H_
#define TWINTREE_SERVICES_CLI_OFFLINE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "services/cli/settings.h"
#include "services/model/result.h"
#include "services/model/schema.h"
#include "storage/entry_store.h"

namespace twintree::cli {

// What is wrong with how a command was called, or why what it was asked for failed.
struct OfflineError {
  int exit_status = 1;
  std::string message;
};

enum class OpenFor {
  kReading,   // an existing store, which a server may have open meanwhile
  kWriting,   // an existing store
  kCreating,  // an existing store, or a new one
  kServing,   // the same; without --index it gets the default set of indexes
};

struct OfflineStore {
  std::shared_ptr<const model::Schema> schema;
  std::shared_ptr<storage::EntryStore> store;
};

// Follows what says that a name of the schema is not known.
inline constexpr std::string_view kSchemaHint =
    "; if a schema file defines it, give that file with --schema";

// Is there a store in this directory? Errors: it cannot be told, for want of a permission above
// all; kUnavailable, naming the directory.
model::Result<bool> HasStore(const std::string& directory);

// Are these values of --index in order, each for another attribute? Errors: kOther, naming the
// value.
model::Status CheckIndexes(const std::vector<std::string>& texts, const model::Schema& schema);

// --data and --schema, for commands on a store that exists.
void AddDataFlags(CLI::App* command, StoreSettings* settings);

// The standard schema, and what the files add to it. Logs how many definitions were known already
// (`schema_definitions_known`), and a warning (`schema`) for each that differs.
// Errors: kOther, naming file and line.
model::Result<std::shared_ptr<const model::Schema>> LoadSchema(
    const std::vector<std::string>& files);

// Opens the store for a server, making it when it is missing. The set of indexes in force is
// logged, that indexes have to be built anew, and that the schema lacks definitions with which the
// store was used (store_definitions.h). Errors: kOther for a missing --data or a wrong
// --index; those of the store; all name what is to blame.
model::Result<std::shared_ptr<storage::EntryStore>> OpenServerStore(
    const StoreSettings& settings, std::shared_ptr<const model::Schema> schema);

// Opens the store, with the schema that LoadSchema() made of its settings; null: makes it. Logs
// what the schema lacks, too. On
// failure fills `error`: without --data the status is that of wrong usage; a
// store that another process has open is told as such.
bool OpenOffline(const StoreSettings& settings, OpenFor purpose, OfflineStore* opened,
                 OfflineError* error, std::shared_ptr<const model::Schema> schema = nullptr);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_OFFLINE_H_
