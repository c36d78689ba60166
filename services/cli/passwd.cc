#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "services/cli/command.h"
#include "services/cli/offline.h"
#include "services/cli/password_input.h"
#include "services/cli/settings.h"
#include "services/import/record_applier.h"
#include "services/passwords/passwords.h"

namespace twintree::cli {

using model::Result;
using model::Secret;
using model::Status;

namespace {

constexpr const char* kDescription =
    "Hash a password, or set the password of an entry.\n\n"
    "Without --dn the hash is printed, for use as a userPassword value in LDIF. With --data and\n"
    "--dn it replaces the userPassword of that entry, without a server; this is how to get back\n"
    "in when a password is lost.";

constexpr const char* kFooter =
    "The password is typed twice on the terminal, or is the first line of standard input, or of\n"
    "--password-file. It is never an argument, which other users of the machine could see.\n"
    "\n"
    "Examples:\n"
    "  twintree passwd\n"
    "  twintree passwd --scheme ssha512 < password.txt\n"
    "  twintree passwd --data /var/lib/twintree --dn uid=ann,ou=People,dc=example,dc=com\n"
    "\n"
    "No server may have the store open. Exit status: 0, done; 1, failed; 2, wrong usage.";

// Who sets passwords here, as modifiersName tells.
constexpr const char* kActorDn = "cn=passwd";

struct PasswdFlags {
  StoreSettings store;
  std::string config;
  std::string scheme = "argon2";
  std::string password_file;
  std::string dn;
};

void AddFlags(CLI::App* app, PasswdFlags* flags) {
  app->add_option("--scheme", flags->scheme, "How to hash it")
      ->capture_default_str()
      ->check(CLI::IsMember({"argon2", "ssha", "ssha256", "ssha512", "crypt"}))
      ->type_name("SCHEME");
  app->add_option("--password-file", flags->password_file, "File whose first line is the password")
      ->type_name("FILE");
  AddDataFlags(app, &flags->store);
  app->add_option("--dn", flags->dn, "Entry to give the password to")->type_name("DN");
  AddConfigFlag(app, &flags->config);
  NameEnvironment(app);
}

Status SetPassword(const OfflineStore& opened, const std::string& dn, std::string hash) {
  import::RecordApplier applier(opened.schema, opened.store, {{}, kActorDn, {}});
  TT_RETURN_IF_ERROR(applier.Start());
  import::ImportRecord record;
  record.record.change = model::LdifChange::kModify;
  record.record.dn = dn;
  record.record.modifications.push_back(
      {model::ModificationKind::kReplace, {"userPassword", {std::move(hash)}}});
  return applier.Apply(&record);
}

int SetOffline(const CLI::App& app, const PasswdFlags& flags, std::string hash) {
  OfflineStore opened;
  OfflineError error;
  if (!OpenOffline(flags.store, OpenFor::kWriting, &opened, &error)) {
    return error.exit_status == kExitUsage ? FailUsage(app, error.message)
                                           : Fail(app, error.message);
  }
  const Status set = SetPassword(opened, flags.dn, std::move(hash));
  opened.store->Close();
  if (!set.ok()) {
    return Fail(app, flags.dn + ": " + set.error().message + " (" +
                         std::string(model::ResultCodeName(set.code())) + ")");
  }
  std::cerr << "The password of " << flags.dn << " is set\n";
  return kExitOk;
}

int Passwd(const CLI::App& app, const PasswdFlags& flags) {
  // --data alone may come from the environment or a config file.
  if (!flags.dn.empty() && flags.store.data.empty()) {
    return FailUsage(app, "--dn needs --data DIR, the store that holds the entry");
  }
  const Result<passwords::Scheme> scheme = passwords::ParseScheme(flags.scheme);
  if (!scheme.ok()) return FailUsage(app, scheme.error().message);
  const Result<Secret> password = ReadNewPassword(flags.password_file);
  if (!password.ok()) return Fail(app, password.error().message);
  Result<std::string> hash = passwords::Hash(*scheme, *password);
  if (!hash.ok()) return Fail(app, hash.error().message);
  if (!flags.dn.empty()) return SetOffline(app, flags, std::move(hash).value());
  std::cout << *hash << "\n" << std::flush;
  return std::cout ? kExitOk : Fail(app, "cannot write to standard output");
}

}  // namespace

Command MakePasswd(CLI::App& parent) {
  const auto flags = std::make_shared<PasswdFlags>();
  CLI::App* const app = parent.add_subcommand("passwd", kDescription);
  app->footer(kFooter);
  AddFlags(app, flags.get());
  return {app, [app, flags] { return Passwd(*app, *flags); }};
}

}  // namespace twintree::cli
