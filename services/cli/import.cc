#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/cli/command.h"
#include "services/cli/environment.h"
#include "services/cli/offline.h"
#include "services/cli/progress_line.h"
#include "services/cli/settings.h"
#include "services/cli/store_suffixes.h"
#include "services/cli/value_checks.h"
#include "services/import/importer.h"
#include "services/import/rejects_file.h"
#include "services/model/ldif.h"
#include "services/passwords/passwords.h"

namespace twintree::cli {

using model::Error;
using model::OkStatus;
using model::Result;
using model::ResultCode;
using model::Status;

namespace {

constexpr const char* kDescription =
    "Load LDIF into a data directory, without a server.\n\n"
    "Reads content records (entries, as slapcat and 'twintree export' write them) and change\n"
    "records (changetype: add, modify, modrdn, delete), in order. Entries are loaded in bulk and\n"
    "checked against the schema; entryUUID, createTimestamp and their like are kept when the\n"
    "file has them. Killing the import leaves the store as it was before the load.";

constexpr const char* kFooter =
    "Examples:\n"
    "  twintree import --data /var/lib/twintree people.ldif\n"
    "  slapcat | twintree import --data ./data -\n"
    "  twintree import --data ./data --continue --rejects bad.ldif dump-1.ldif.gz dump-2.ldif.gz\n"
    "\n"
    "Into an empty store, the first entry becomes the naming context; give --suffix when the file\n"
    "holds several trees. With --suffix, every suffix that the store holds has to be named too.\n"
    "Stops at the first bad record unless --continue is given; the records\n"
    "before it are kept. Exit status: 0, everything was imported; 1, something was not; 2, wrong\n"
    "usage.";

constexpr const char* kAfterAStop =
    "What stands before that record was imported. Correct it and import the rest, or import again\n"
    "with --continue (-c), which goes on behind records that cannot be imported.\n";

struct ImportFlags {
  StoreSettings store;
  std::string config;
  std::vector<std::string> files;
  bool continue_on_error = false;
  std::string rejects;
  bool allow_file_urls = false;
  bool hash_passwords = false;
  std::string password_scheme = "argon2";
  std::string root_dn{import::kDefaultActorDn};
};

void AddFlags(CLI::App* app, ImportFlags* flags) {
  app->add_option("files", flags->files,
                  "LDIF files; '-' is standard input; names that end in .gz are decompressed")
      ->type_name("FILE...");
  AddStoreFlags(app, &flags->store);
  app->add_flag("-c,--continue", flags->continue_on_error,
                "Go on behind a bad record instead of stopping there")
      ->check(TrueOrFalse());
  app->add_option("--rejects", flags->rejects,
                  "Write the records that were not imported to FILE, each below a comment that "
                  "says why")
      ->type_name("FILE");
  app->add_flag("--allow-file-urls", flags->allow_file_urls,
                "Read values of the form 'attr:< file:///path' from this machine's files")
      ->check(TrueOrFalse());
  app->add_flag("--hash-passwords", flags->hash_passwords,
                "Hash clear-text userPassword values; without it they are kept as they are")
      ->check(TrueOrFalse());
  app->add_option("--password-scheme", flags->password_scheme,
                  "What --hash-passwords makes of them")
      ->capture_default_str()
      ->transform(CLI::IsMember({"argon2", "ssha", "ssha256", "ssha512", "crypt", "clear"},
                                CLI::ignore_case))
      ->type_name("SCHEME");
  app->add_option("--root-dn", flags->root_dn,
                  "Name entered as creator of entries whose records name none")
      ->capture_default_str()
      ->type_name("DN");
  AddConfigFlag(app, &flags->config);
  NameEnvironment(app);
}

// What is wrong with how it was called, before anything is opened or made; else the schema.
Result<std::shared_ptr<const model::Schema>> CheckUsage(const ImportFlags& flags) {
  const auto wrong = [](const char* text) { return Error{ResultCode::kOther, text, ""}; };
  if (flags.files.empty()) return wrong("no LDIF file given ('-' is standard input)");
  if (flags.hash_passwords && flags.password_scheme == "clear") {
    return wrong("--hash-passwords needs another --password-scheme than 'clear'");
  }
  TT_ASSIGN_OR_RETURN(auto schema, LoadSchema(flags.store.schema_files));
  TT_RETURN_IF_ERROR(CheckSuffixes(flags.store.suffixes, *schema));
  TT_RETURN_IF_ERROR(CheckName("--root-dn", flags.root_dn, *schema));
  return schema;
}

Result<import::ImportOptions> OptionsOf(const ImportFlags& flags) {
  import::ImportOptions options;
  options.suffixes = flags.store.suffixes;
  options.continue_on_error = flags.continue_on_error;
  options.keep_rejected = !flags.rejects.empty();
  options.ldif.allow_file_urls = flags.allow_file_urls;
  options.actor_dn = flags.root_dn;
  if (flags.hash_passwords) {
    TT_ASSIGN_OR_RETURN(options.hash_passwords, passwords::ParseScheme(flags.password_scheme));
  }
  return options;
}

Result<std::vector<import::ImportInput>> OpenInputs(const std::vector<std::string>& names) {
  std::vector<import::ImportInput> inputs;
  for (const std::string& name : names) {
    TT_ASSIGN_OR_RETURN(std::unique_ptr<import::ByteSource> source, import::OpenByteSource(name));
    inputs.push_back({name == "-" ? "standard input" : name, std::move(source)});
  }
  return inputs;
}

void ShowProgress(const import::ImportProgress& progress, ProgressLine* line) {
  const auto describe = [&] {
    const double seconds = line->elapsed().count();
    const auto rate = static_cast<std::uint64_t>(
        static_cast<double>(progress.entries + progress.changes) / (seconds > 0 ? seconds : 1));
    std::string text = Counted(progress.entries, "entry");
    if (progress.changes != 0) text += ", " + Counted(progress.changes, "change");
    return text + ", " + Grouped(rate) + "/s";
  };
  if (progress.finishing) return line->Show("writing", progress.finishing, describe);
  std::optional<double> fraction;
  if (progress.total_bytes != 0) {
    fraction = static_cast<double>(progress.bytes_read) / static_cast<double>(progress.total_bytes);
  }
  line->Show("reading", fraction, describe);
}

std::string Summary(const import::ImportReport& report, double seconds) {
  std::string text = Counted(report.entries, "entry") + " imported";
  if (report.changes != 0) text += ", " + Counted(report.changes, "change") + " applied";
  if (report.rejected != 0) text += ", " + Counted(report.rejected, "record") + " rejected";
  if (report.stopped_at) {
    text += ", stopped at line " + std::to_string(report.stopped_at->line) + " of " +
            report.stopped_at->input;
  }
  const auto rate = static_cast<std::uint64_t>(
      static_cast<double>(report.entries + report.changes) / (seconds > 0.001 ? seconds : 0.001));
  const auto tenths = static_cast<std::uint64_t>(seconds * 10);
  return text + " in " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s (" +
         Grouped(rate) + "/s)";
}

// Is it about an attribute type or an object class that the schema lacks?
bool IsUnknownName(const Error& error) {
  constexpr std::array<std::string_view, 3> kSigns = {
      "attribute type \"",                // of an attribute
      "unknown attribute type ",          // in a name
      "the schema has no class of this",  // a value of objectClass
  };
  return std::any_of(kSigns.begin(), kSigns.end(), [&error](std::string_view sign) {
    return error.message.find(sign) != std::string::npos;
  });
}

// What a flag would do about a problem.
std::string_view HintFor(const Error& error) {
  if (error.message == model::kUrlsNotAllowed) {
    return "; --allow-file-urls allows those of files on this machine";
  }
  return IsUnknownName(error) ? kSchemaHint : "";
}

// What was imported, and is of less use than it looks.
void WarnOfDoubtfulValues(const CLI::App& app, const ImportFlags& flags,
                          const import::ImportReport& report) {
  if (report.passwords.clear != 0 && !flags.hash_passwords) {
    PrintError(app, "warning: " + Counted(report.passwords.clear, "userPassword value") +
                        " in clear text; --hash-passwords would have hashed them");
  }
  if (report.passwords.unverifiable != 0) {
    PrintError(app, "warning: " + Counted(report.passwords.unverifiable, "userPassword value") +
                        " of schemes that no password can be checked against here: nobody can "
                        "bind with them");
  }
  if (report.left_out_values != 0) {
    PrintError(app, "warning: " + Counted(report.left_out_values, "value") +
                        " of memberOf left out: it is derived from groups, and not kept up to "
                        "date here");
  }
}

// One run of the command.
class ImportRun {
 public:
  ImportRun(const CLI::App& app, const ImportFlags& flags) : app_(app), flags_(flags) {}

  int Run() {
    const auto schema = CheckUsage(flags_);
    if (!schema.ok()) return FailUsage(app_, schema.error().message);
    Result<import::ImportOptions> options = OptionsOf(flags_);
    if (!options.ok()) return FailUsage(app_, options.error().message);
    // Before the store, so that a wrong name does not leave a new store behind.
    Result<std::vector<import::ImportInput>> inputs = OpenInputs(flags_.files);
    if (!inputs.ok()) return FailUsage(app_, inputs.error().message);
    OfflineStore opened;
    OfflineError error;
    if (!OpenOffline(flags_.store, OpenFor::kCreating, &opened, &error, *schema)) {
      return error.exit_status == kExitUsage ? FailUsage(app_, error.message)
                                             : Fail(app_, error.message);
    }
    const Status suffixes = CheckStoredSuffixes(flags_.store.suffixes, flags_.store.data,
                                                *opened.store, *opened.schema);
    if (!suffixes.ok()) return Fail(app_, suffixes.error().message);
    const std::string doubt = DoubtAboutSuffixes(flags_.store.suffixes, **schema);
    if (!doubt.empty()) PrintError(app_, "warning: " + doubt);
    const Status rejects = OpenRejects();
    if (!rejects.ok()) return Fail(app_, rejects.error().message);
    return Import(opened, std::move(options).value(), std::move(inputs).value());
  }

 private:
  Status OpenRejects() {
    if (flags_.rejects.empty()) return OkStatus();
    TT_ASSIGN_OR_RETURN(rejects_, import::RejectsFile::Open(flags_.rejects));
    return OkStatus();
  }

  int Import(const OfflineStore& opened, import::ImportOptions options,
             std::vector<import::ImportInput> inputs) {
    import::ImportHandlers handlers;
    handlers.on_progress = [this](const import::ImportProgress& now) { ShowProgress(now, &line_); };
    handlers.on_problem = [this](const import::ImportProblem& problem) {
      line_.Clear();
      PrintError(app_, problem.ToString().append(HintFor(problem.error)));
      return rejects_ ? rejects_->Write(problem) : OkStatus();
    };
    import::Importer importer(opened.schema, opened.store, std::move(options), handlers);
    const import::ImportReport report = importer.Run(std::move(inputs));
    opened.store->Close();
    return Conclude(report);
  }

  int Conclude(const import::ImportReport& report) {
    line_.Clear();
    int exit_status = report.ok() ? kExitOk : kExitFailed;
    if (rejects_) {
      const Status written = rejects_->Commit();
      if (!written.ok()) exit_status = Fail(app_, written.error().message);
    }
    if (report.failure) PrintError(app_, report.failure->message);
    for (const std::string& input : report.empty_inputs) {
      PrintError(app_, "warning: " + input + " holds no record");
    }
    WarnOfDoubtfulValues(app_, flags_, report);
    std::cerr << Summary(report, line_.elapsed().count()) << "\n";
    if (report.stopped_at) std::cerr << kAfterAStop;
    return exit_status;
  }

  const CLI::App& app_;
  const ImportFlags& flags_;
  ProgressLine line_;
  std::optional<import::RejectsFile> rejects_;
};

}  // namespace

Command MakeImport(CLI::App& parent) {
  const auto flags = std::make_shared<ImportFlags>();
  CLI::App* const app = parent.add_subcommand("import", kDescription);
  app->footer(kFooter);
  AddFlags(app, flags.get());
  return {app, [app, flags] { return ImportRun(*app, *flags).Run(); }};
}

}  // namespace twintree::cli
