#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "services/cli/command.h"
#include "services/cli/environment.h"
#include "services/cli/offline.h"
#include "services/cli/progress_line.h"
#include "services/cli/settings.h"
#include "services/cli/store_definitions.h"
#include "services/cli/value_checks.h"
#include "services/import/schema_audit.h"
#include "storage/index.h"

namespace twintree::cli {

using model::Result;
using model::Status;

namespace {

constexpr const char* kDescription =
    "Verify the store of a data directory.\n\n"
    "Compares entries, hierarchy and indexes with each other, and every entry with the schema.\n"
    "Problems of the store are errors; entries that the schema does not allow (it may have been\n"
    "changed since they were added) are warnings. When there are none, definitions of --schema\n"
    "files that are no longer given are forgotten, so that starts no longer warn of them.\n"
    "Prints the set of indexes in force, too.";

constexpr const char* kFooter =
    "Examples:\n"
    "  twintree check --data /var/lib/twintree\n"
    "  twintree check --data /var/lib/twintree --rebuild     build all indexes anew\n"
    "\n"
    "No server may have the store open. Exit status: 0, sound (there may be warnings); 1, "
    "problems\n"
    "were found, or the check failed; 2, wrong usage. With --rebuild the status is that of the\n"
    "store as it was found; run it again to see that the problems are gone.";

struct CheckFlags {
  StoreSettings store;
  std::string config;
  bool rebuild = false;
  std::size_t max_problems = 100;
};

void AddFlags(CLI::App* app, CheckFlags* flags) {
  AddDataFlags(app, &flags->store);
  app->add_flag("--rebuild", flags->rebuild, "Build the indexes anew from the entries")
      ->check(TrueOrFalse());
  app->add_option("--max-problems", flags->max_problems,
                  "Print at most this many problems, and as many warnings")
      ->capture_default_str()
      ->check(WholeNumber(1))
      ->type_name("N");
  AddConfigFlag(app, &flags->config);
  NameEnvironment(app);
}

Result<import::SchemaAudit> Audit(const OfflineStore& opened, std::size_t max_findings) {
  TT_ASSIGN_OR_RETURN(std::unique_ptr<storage::ReadTransaction> reader, opened.store->Read());
  return import::AuditSchema(
      *opened.schema, reader.get(), max_findings, [](const import::SchemaFinding& finding) {
        std::cout << "warning: " << finding.dn << ": " << finding.what << "\n";
      });
}

int Check(const CLI::App& app, const CheckFlags& flags) {
  OfflineStore opened;
  OfflineError error;
  if (!OpenOffline(flags.store, OpenFor::kWriting, &opened, &error)) {
    return error.exit_status == kExitUsage ? FailUsage(app, error.message)
                                           : Fail(app, error.message);
  }
  std::uint64_t problems = 0;
  const Status checked = opened.store->Check(flags.rebuild, flags.max_problems,
                                             [&problems](const storage::StoreProblem& problem) {
                                               ++problems;
                                               std::cout << "problem: " << problem.what << "\n";
                                             });
  if (!checked.ok()) return Fail(app, checked.error().message);
  const Result<import::SchemaAudit> audit = Audit(opened, flags.max_problems);
  if (!audit.ok()) return Fail(app, audit.error().message);
  if (audit->findings == 0) {
    const Result<std::size_t> forgotten = ForgetMissingDefinitions(*opened.store, *opened.schema);
    if (!forgotten.ok()) return Fail(app, forgotten.error().message);
    if (*forgotten > 0) {
      std::cout << Counted(*forgotten, "missing schema definition")
                << " forgotten, as no entry needs more than the schema has\n";
    }
  }
  const bool maybe_more = problems >= flags.max_problems;
  std::cout << Counted(audit->entries, "entry") << ", "
            << (problems == 0 ? "no problems" : Counted(problems, "problem"))
            << (maybe_more ? " or more" : "") << ", "
            << (audit->findings == 0 ? "no warnings" : Counted(audit->findings, "warning"))
            << (flags.rebuild ? "; indexes built anew" : "") << "\n"
            << "indexes: " << storage::Describe(opened.store->indexes()) << "\n";
  return problems == 0 ? kExitOk : kExitFailed;
}

}  // namespace

Command MakeCheck(CLI::App& parent) {
  const auto flags = std::make_shared<CheckFlags>();
  CLI::App* const app = parent.add_subcommand("check", kDescription);
  app->footer(kFooter);
  AddFlags(app, flags.get());
  return {app, [app, flags] { return Check(*app, *flags); }};
}

}  // namespace twintree::cli
