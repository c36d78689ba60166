#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "services/cli/addresses.h"
#include "services/cli/command.h"
#include "services/cli/environment.h"
#include "services/cli/input_files.h"
#include "services/cli/offline.h"
#include "services/cli/password_input.h"
#include "services/cli/settings.h"
#include "services/import/record_applier.h"
#include "services/passwords/passwords.h"
#include "services/rpc/directory_client.h"

namespace twintree::cli {

using model::Result;
using model::Secret;
using model::Status;

namespace {

constexpr const char* kDescription =
    "Hash a password, or set the password of an entry.\n\n"
    "By itself it prints the hash, for use as a userPassword value in LDIF. With --server it sets\n"
    "the password of --bind-dn, or of --dn when --bind-dn may do that, and the server hashes it.\n"
    "With --data and --dn it replaces the userPassword of that entry without a server; this is "
    "how\n"
    "to get back in when a password is lost.";

constexpr const char* kFooter =
    "The password is typed twice on the terminal, or is the first line of standard input, or of\n"
    "--password-file. It is never an argument, which other users of the machine could see.\n"
    "\n"
    "Examples:\n"
    "  twintree passwd\n"
    "  twintree passwd --scheme ssha512 < password.txt\n"
    "  twintree passwd --server localhost:8389 --bind-dn uid=ann,ou=People,dc=example,dc=com \\\n"
    "      --bind-password-file old.txt\n"
    "  twintree passwd --data /var/lib/twintree --dn uid=ann,ou=People,dc=example,dc=com\n"
    "\n"
    "With --data no server may have the store open. Exit status: 0, done; the LDAP result code\n"
    "when an entry's password cannot be set (32: no such entry); 1, failed otherwise; 2, wrong "
    "usage.";

// Who sets passwords here, as modifiersName tells.
constexpr const char* kActorDn = "cn=passwd";

struct PasswdFlags {
  StoreSettings store;
  std::string config;
  std::string scheme = "argon2";
  std::string password_file;
  std::string dn;
  std::string server;
  std::string ca_file;
  std::string bind_dn;
  std::string bind_password_file;
  std::uint32_t timeout_seconds = 30;
  bool data_is_flag = false;
  bool scheme_is_flag = false;
};

void AddFlags(CLI::App* app, PasswdFlags* flags) {
  app->add_option("--scheme", flags->scheme, "How to hash it; a server chooses by itself")
      ->capture_default_str()
      ->transform(
          CLI::IsMember({"argon2", "ssha", "ssha256", "ssha512", "crypt"}, CLI::ignore_case))
      ->type_name("SCHEME");
  app->add_option("--password-file", flags->password_file, "File whose first line is the password")
      ->type_name("FILE");
  app->add_option("--dn", flags->dn, "Entry to give the password to")->type_name("DN");
  AddDataFlags(app, &flags->store);
  app->add_option("--server", flags->server, "The gRPC address of the directory to ask")
      ->type_name("HOST:PORT");
  app->add_option("--tls-ca", flags->ca_file,
                  "Authorities of the server's certificate, PEM; without it plain text is spoken")
      ->type_name("FILE");
  app->add_option("-D,--bind-dn", flags->bind_dn, "Who asks the server")->type_name("DN");
  app->add_option("-y,--bind-password-file", flags->bind_password_file,
                  "File with the present password of --bind-dn")
      ->type_name("FILE");
  AddTimeoutFlag(app, &flags->timeout_seconds);
  AddConfigFlag(app, &flags->config);
  // In other commands these are whom a search asks, and as whom.
  NameEnvironment(app, {"--password-file", "--dn", "--server"});
  // A store that the environment names is no flag.
  app->parse_complete_callback([app, flags] {
    flags->data_is_flag = app->count("--data") > 0 && std::getenv("TWINTREE_DATA") == nullptr;
    flags->scheme_is_flag = app->count("--scheme") > 0 && std::getenv("TWINTREE_SCHEME") == nullptr;
  });
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

int ReportSet(const CLI::App& app, const PasswdFlags& flags, const std::string& dn,
              const Status& set) {
  if (!set.ok()) {
    const std::string reason = WithTlsHint(set.error().message, "--tls-ca", !flags.ca_file.empty());
    PrintError(app,
               dn + ": " + reason + " (" + std::string(model::ResultCodeName(set.code())) + ")");
    return ExitStatusOf(set.code());
  }
  std::cerr << "The password of " << dn << " is set\n";
  return kExitOk;
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
  return ReportSet(app, flags, flags.dn, set);
}

Result<std::unique_ptr<rpc::DirectoryClient>> MakeClient(const PasswdFlags& flags) {
  rpc::DirectoryClientOptions options;
  TT_RETURN_IF_ERROR(CheckServerAddress("--server", flags.server));
  TT_RETURN_IF_ERROR(CheckReadable("--tls-ca", flags.ca_file));
  options.target = flags.server;
  if (!flags.ca_file.empty()) options.tls = rpc::ClientTls{flags.ca_file, "", "", ""};
  options.bind_dn = flags.bind_dn;
  options.timeout = std::chrono::seconds(flags.timeout_seconds);
  TT_ASSIGN_OR_RETURN(options.password,
                      ReadSecretFile("--bind-password-file", flags.bind_password_file));
  auto client = rpc::DirectoryClient::Make(std::move(options));
  if (!client.ok()) return Named("--tls-ca", client.error());
  return client;
}

Status SetByServer(const PasswdFlags& flags, rpc::DirectoryClient* client, Secret password) {
  directory::ModifyPasswordRequest request;
  request.user = flags.dn;
  request.new_password = std::move(password);
  return client->ChangePassword(request).status();
}

int Print(const CLI::App& app, const std::string& hash) {
  std::cout << hash << "\n" << std::flush;
  return std::cout ? kExitOk : Fail(app, "cannot write to standard output");
}

// What is wrong with how the flags go together; empty when nothing is.
std::string Misuse(const PasswdFlags& flags) {
  if (flags.server.empty()) {
    // --data alone may come from the environment or a config file.
    if (flags.dn.empty() || !flags.store.data.empty()) return "";
    return "--dn needs --data DIR, the store that holds the entry, or --server HOST:PORT";
  }
  if (flags.data_is_flag) return "--server and --data exclude each other";
  if (flags.scheme_is_flag) {
    return "--scheme cannot be chosen with --server: the server hashes the password";
  }
  if (flags.bind_dn.empty() || flags.bind_password_file.empty()) {
    return "--server needs --bind-dn and --bind-password-file";
  }
  return "";
}

int Passwd(const CLI::App& app, const PasswdFlags& flags) {
  const std::string misuse = Misuse(flags);
  if (!misuse.empty()) return FailUsage(app, misuse);
  const Result<passwords::Scheme> scheme = passwords::ParseScheme(flags.scheme);
  if (!scheme.ok()) return FailUsage(app, scheme.error().message);
  std::unique_ptr<rpc::DirectoryClient> client;
  if (!flags.server.empty()) {
    auto made = MakeClient(flags);
    if (!made.ok()) return FailUsage(app, made.error().message);
    client = std::move(made).value();
  }
  Result<Secret> password = ReadNewPassword(flags.password_file);
  if (!password.ok()) {
    return flags.password_file.empty() ? Fail(app, password.error().message)
                                       : FailUsage(app, password.error().message);
  }
  if (client != nullptr) {
    return ReportSet(app, flags, flags.dn.empty() ? flags.bind_dn : flags.dn,
                     SetByServer(flags, client.get(), std::move(password).value()));
  }
  Result<std::string> hash = passwords::Hash(*scheme, *password);
  if (!hash.ok()) return Fail(app, hash.error().message);
  if (flags.dn.empty()) return Print(app, *hash);
  return SetOffline(app, flags, std::move(hash).value());
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
