// Imports LDIF into a store: content and change records, from any number of inputs.
//
//   Importer importer(schema, store, options, handlers);
//   ImportReport report = importer.Run(std::move(inputs));
//
// Records take effect in the order in which they stand. Entries are loaded in bulk until the first
// record that deletes, modifies or renames; from there on each record is a change of its own, made
// as root. Reading, preparing (schema check, password hashing) and storing run side by side;
// memory is bounded, but for 20 to 40 octets for each entry whose record has an entryUUID, since no
// other may have the same.
//
// Errors: a record that is wrong is a problem of its own: it has no effect, and the import stops
// there, or goes on with the next one. Records before it are kept. A failure of the store or of an
// input ends the import; if the store fails while it loads, nothing of that load is kept. The
// report says what is in the store afterwards. Killing the process leaves the store without the
// load, or with all of it.
//
// Source: RFC 2849.
#ifndef TWINTREE_SERVICES_IMPORT_IMPORTER_H_
#define TWINTREE_SERVICES_IMPORT_IMPORTER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/import/chunk_reader.h"
#include "services/import/entry_builder.h"
#include "services/model/ldif.h"
#include "services/model/result.h"
#include "services/model/schema.h"
#include "services/passwords/passwords.h"
#include "storage/entry_store.h"

namespace twintree::import {

// Who makes an import, unless it is told otherwise. Needs no entry.
inline constexpr std::string_view kDefaultActorDn = "cn=import";

struct ImportOptions {
  // Naming contexts besides those that the store has. When there are none at all, the first entry
  // becomes one.
  std::vector<std::string> suffixes;
  // Goes on behind a record that is wrong.
  bool continue_on_error = false;
  // Gives problems the text of their records.
  bool keep_rejected = false;
  model::LdifOptions ldif;
  // What clear-text passwords become; nullopt: they are kept as they are.
  std::optional<passwords::Scheme> hash_passwords;
  // Stands in creatorsName and modifiersName, where the records do not say.
  std::string actor_dn{kDefaultActorDn};
  // Threads that prepare entries; 0: one a core.
  std::size_t threads = 0;
  // How much of an input a thread prepares at a time; 0: as is best.
  std::size_t chunk_bytes = 0;
  // The time of entries whose records do not say; empty: the system's.
  std::function<std::chrono::system_clock::time_point()> now;
};

// A record that was not applied.
struct ImportProblem {
  std::string input;       // its name
  std::uint64_t line = 0;  // of what is wrong, or of the record's first line
  std::string dn;          // empty when it could not be read
  model::Error error;
  std::string record;           // as it stands in the input; see keep_rejected
  bool record_complete = true;  // false: it was too long to be kept

  // "people.ldif:8: cn=a,dc=b: what is wrong (resultCodeName)"
  std::string ToString() const;
};

struct ImportProgress {
  std::uint64_t entries = 0;
  std::uint64_t changes = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t total_bytes = 0;  // 0: not known
  // All is read and the load is being finished: how much of that is done, 0 to 1.
  std::optional<double> finishing;
};

struct ImportReport {
  std::uint64_t entries = 0;   // added
  std::uint64_t changes = 0;   // entries modified, renamed or deleted
  std::uint64_t rejected = 0;  // records that had no effect for what is wrong with them
  // userPassword values of all records that were applied. With hash_passwords none in clear text is
  // in the store.
  PasswordCounts passwords;
  // Values of memberOf in entries that were added; they are not in the store.
  std::uint64_t left_out_values = 0;
  // Names of inputs that were read to their end and held no record.
  std::vector<std::string> empty_inputs;
  // Where it stopped for a record, when it did.
  std::optional<ImportProblem> stopped_at;
  // Why it ended early, when the store or an input failed.
  std::optional<model::Error> failure;

  bool ok() const { return rejected == 0 && !failure; }
};

struct ImportHandlers {
  // Called for each problem; an error ends the import. May be empty.
  std::function<model::Status(const ImportProblem&)> on_problem;
  // Called often; may be empty.
  std::function<void(const ImportProgress&)> on_progress;
};

// Thread-safety: confined; the handlers are called on the thread that runs it.
class Importer {
 public:
  Importer(std::shared_ptr<const model::Schema> schema, std::shared_ptr<storage::EntryStore> store,
           ImportOptions options, ImportHandlers handlers);

  // Nothing else may write to the store meanwhile.
  ImportReport Run(std::vector<ImportInput> inputs);

 private:
  class Pipeline;

  const std::shared_ptr<const model::Schema> schema_;
  const std::shared_ptr<storage::EntryStore> store_;
  const ImportOptions options_;
  const ImportHandlers handlers_;
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_IMPORTER_H_
