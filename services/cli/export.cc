#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "services/cli/command.h"
#include "services/cli/environment.h"
#include "services/cli/offline.h"
#include "services/cli/progress_line.h"
#include "services/cli/settings.h"
#include "services/cli/value_checks.h"
#include "services/import/exporter.h"
#include "services/import/output_file.h"

namespace twintree::cli {

using model::Result;

namespace {

constexpr const char* kDescription =
    "Write the entries of a data directory as LDIF.\n\n"
    "Parents come before their children, so the file can be imported as it is; an import of it\n"
    "gives the same entries, and with --operational also their entryUUIDs, times and creators.\n"
    "The export shows one state of the store; a server may be running meanwhile.";

constexpr const char* kFooter =
    "Examples:\n"
    "  twintree export --data /var/lib/twintree --operational --output backup.ldif.gz\n"
    "  twintree export --data ./data --base ou=People,dc=example,dc=com | less\n"
    "\n"
    "The file holds password hashes: it is made readable for its owner only, and appears under\n"
    "its name when it is complete. Exit status: 0, complete; 1, not complete (a full disk, for\n"
    "example); 2, wrong usage.";

struct ExportFlags {
  StoreSettings store;
  std::string config;
  import::ExportOptions options;
  std::string output = "-";
};

void AddFlags(CLI::App* app, ExportFlags* flags) {
  AddDataFlags(app, &flags->store);
  app->add_option("--base", flags->options.base_dn,
                  "Entry to export with everything below it; default: all entries")
      ->type_name("DN");
  app->add_flag("--operational", flags->options.operational,
                "Operational attributes too: entryUUID, createTimestamp, creatorsName, ...")
      ->check(TrueOrFalse());
  app->add_option("-o,--output", flags->output,
                  "File to write; '-' is standard output; a name that ends in .gz is compressed")
      ->capture_default_str()
      ->type_name("FILE");
  AddConfigFlag(app, &flags->config);
  // A search may have another base in the same environment, and a part is no backup.
  NameEnvironment(app, {"--base", "--output"});
}

int FailWith(const CLI::App& app, const model::Error& error) { return Fail(app, error.message); }

int Export(const CLI::App& app, const ExportFlags& flags) {
  OfflineStore opened;
  OfflineError error;
  if (!OpenOffline(flags.store, OpenFor::kReading, &opened, &error)) {
    return error.exit_status == kExitUsage ? FailUsage(app, error.message)
                                           : Fail(app, error.message);
  }
  Result<std::unique_ptr<storage::ReadTransaction>> reader = opened.store->Read();
  if (!reader.ok()) return FailWith(app, reader.error());
  Result<std::unique_ptr<import::OutputFile>> output = import::OutputFile::Open(flags.output);
  if (!output.ok()) return FailWith(app, output.error());
  ProgressLine line;
  import::Exporter exporter(*opened.schema, reader->get(), flags.options);
  const Result<std::uint64_t> entries = exporter.Run(
      [&](std::string_view piece) { return (*output)->Write(piece); },
      [&](std::uint64_t count) {
        line.Show("writing", std::nullopt, [count] { return Counted(count, "entry"); });
      });
  line.Clear();
  if (!entries.ok()) return FailWith(app, entries.error());
  const model::Status committed = (*output)->Commit();
  if (!committed.ok()) return FailWith(app, committed.error());
  std::cerr << Counted(*entries, "entry") << " exported\n";
  return kExitOk;
}

}  // namespace

Command MakeExport(CLI::App& parent) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App* const app = parent.add_subcommand("export", kDescription);
  app->footer(kFooter);
  AddFlags(app, flags.get());
  return {app, [app, flags] { return Export(*app, *flags); }};
}

}  // namespace twintree::cli
