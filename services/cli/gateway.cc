// gateway: the LDAP door in front of a directory in another process.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "services/cli/addresses.h"
#include "services/cli/certificate_figures.h"
#include "services/cli/commands.h"
#include "services/cli/environment.h"
#include "services/cli/health.h"
#include "services/cli/input_files.h"
#include "services/cli/ldap_door.h"
#include "services/cli/server_process.h"
#include "services/cli/settings.h"
#include "services/cli/settings_hash.h"
#include "services/cli/tls_files.h"
#include "services/log/log.h"
#include "services/metrics/counting_directory.h"
#include "services/rpc/credentials.h"
#include "services/rpc/remote_directory.h"

namespace twintree::cli {
namespace {

using model::Error;
using model::ResultCode;
using model::Status;

constexpr std::chrono::milliseconds kProbeInterval{250};

// In which a connection that is being made is no reason for a warning.
constexpr std::chrono::milliseconds kPatience{2000};

constexpr std::size_t kMaxStreams = 8;

struct GatewaySettings {
  std::string directory;
  std::string token_file;
  std::string directory_ca_file;
  std::string directory_name;
  std::string certificate_file;
  std::string key_file;
  TlsSettings tls;
  LdapSettings ldap;
  ProcessSettings process;
  std::string config_file;
};

Status CheckConnectionFiles(const GatewaySettings& settings) {
  TT_RETURN_IF_ERROR(CheckReadable("--directory-ca", settings.directory_ca_file));
  TT_RETURN_IF_ERROR(CheckReadable("--directory-cert", settings.certificate_file));
  TT_RETURN_IF_ERROR(CheckReadable("--directory-key", settings.key_file));
  const Status ca = rpc::CheckTlsFiles({settings.directory_ca_file, "", "", ""});
  if (!ca.ok()) return Named("--directory-ca", ca.error());
  const Status pair = rpc::CheckTlsFiles({"", settings.certificate_file, settings.key_file, ""});
  if (!pair.ok()) return Named("--directory-cert and --directory-key", pair.error());
  return model::OkStatus();
}

// What the settings of the connection come to, with the token read; nothing is opened.
model::Result<rpc::RemoteDirectoryOptions> PlanConnection(const GatewaySettings& settings) {
  rpc::RemoteDirectoryOptions options;
  options.target = settings.directory;
  options.streams = std::clamp<std::size_t>(ThreadCount(settings.process) / 2, 1, kMaxStreams);
  if (!settings.token_file.empty()) {
    TT_ASSIGN_OR_RETURN(options.token, ReadSecretFile("--gateway-token-file", settings.token_file));
  }
  if (!settings.directory_ca_file.empty()) {
    TT_RETURN_IF_ERROR(CheckConnectionFiles(settings));
    options.tls = rpc::ClientTls{settings.directory_ca_file, settings.certificate_file,
                                 settings.key_file, settings.directory_name};
  }
  return options;
}

model::Result<std::shared_ptr<rpc::RemoteDirectory>> Connect(rpc::RemoteDirectoryOptions options) {
  options.on_change = [](bool reachable, const std::string& reason) {
    if (reachable) {
      log::Info("directory_reachable");
    } else {
      log::Warning("directory_lost").With("reason", reason);
    }
  };
  TT_ASSIGN_OR_RETURN(auto remote, rpc::RemoteDirectory::Make(std::move(options)));
  return std::shared_ptr<rpc::RemoteDirectory>(std::move(remote));
}

Status CheckUsage(const GatewaySettings& settings) {
  const auto wrong = [](const char* text) { return Error{ResultCode::kOther, text, ""}; };
  if (settings.directory.empty()) return wrong("--directory is missing");
  if (settings.certificate_file.empty() != settings.key_file.empty()) {
    return wrong("--directory-cert and --directory-key belong together");
  }
  if (settings.directory_ca_file.empty() &&
      (!settings.certificate_file.empty() || !settings.directory_name.empty())) {
    return wrong("--directory-cert and --directory-name need --directory-ca");
  }
  if (settings.token_file.empty() && settings.certificate_file.empty()) {
    return wrong("a directory takes gateways with --gateway-token-file or --directory-cert");
  }
  TT_RETURN_IF_ERROR(CheckServerAddress("--directory", settings.directory));
  TT_RETURN_IF_ERROR(CheckListenAddress("--http-listen", settings.process.http_listen));
  return CheckLdapSettings(settings.ldap, settings.tls);
}

// How the connection is. `patient`: that no attempt has ended yet is nothing to worry about.
Health::Finding FindingOf(const rpc::RemoteDirectory& remote, const GatewaySettings& settings,
                          bool patient) {
  if (remote.connected()) return {};
  const std::string why = remote.WhyUnreachable();
  if (why.empty() && patient) return {"connecting to the directory at " + settings.directory, true};
  if (why.starts_with(rpc::kRefusedByDirectory)) return {why + " (" + settings.directory + ")"};
  return {"the directory at " + settings.directory + " is not reachable: " +
          WithTlsHint(why.empty() ? "no answer yet" : why, "--directory-ca",
                      !settings.directory_ca_file.empty())};
}

Status Serve(rpc::RemoteDirectoryOptions connection, const GatewaySettings& settings) {
  const auto figures = std::make_shared<metrics::DirectoryMetrics>();
  const auto ldap_figures = std::make_shared<metrics::LdapMetrics>();
  const auto certificates = std::make_shared<CertificateFigures>();
  ServerProcess process("gateway", settings.process);
  TT_RETURN_IF_ERROR(process.Start({figures, ldap_figures, certificates}));
  WarnOfReadableSecret("--tls-key", settings.tls.key_file);
  WarnUnlessValid(settings.tls);
  WarnUnlessValid({settings.certificate_file, settings.key_file, ""});
  WarnOfReadableSecret("--directory-key", settings.key_file);
  WarnOfReadableSecret("--gateway-token-file", settings.token_file);
  TT_ASSIGN_OR_RETURN(const auto remote, Connect(std::move(connection)));
  TT_ASSIGN_OR_RETURN(
      const auto ldap,
      StartLdapDoor(settings.ldap, settings.tls, settings.process,
                    std::make_shared<metrics::CountingDirectory>(remote, figures), ldap_figures));
  certificates->Watch("server", [&ldap] { return ldap->certificate_not_after(); });
  certificates->WatchFile("client", settings.certificate_file);
  const auto patient_until = std::chrono::steady_clock::now() + kPatience;
  const auto probe = [remote, &settings, patient_until] {
    const bool patient = std::chrono::steady_clock::now() < patient_until;
    return FindingOf(*remote, settings, patient);
  };
  process.health().Watch(probe, kProbeInterval, true, [](bool) {});
  process.WaitForStop([&ldap] { ldap->ReloadCertificate(); });
  ldap->Drain(process.drain_time_left());
  certificates->Forget();
  return model::OkStatus();
}

}  // namespace

Command MakeGateway(CLI::App& parent) {
  const auto settings = std::make_shared<GatewaySettings>();
  CLI::App* app = parent.add_subcommand(
      "gateway", "Runs the LDAP door alone, in front of a directory; keeps no state");
  app->add_option("--directory", settings->directory,
                  "The directory's gRPC address, or a gRPC name such as dns:///directory:8389")
      ->type_name("HOST:PORT");
  app->add_option("--gateway-token-file", settings->token_file,
                  "Secret that directory and gateways share")
      ->type_name("FILE");
  app->add_option(
         "--directory-ca", settings->directory_ca_file,
         "Authorities of the directory's certificate, PEM; without it plain text is spoken")
      ->type_name("FILE");
  app->add_option("--directory-name", settings->directory_name,
                  "Name expected in the directory's certificate, if not the host's")
      ->type_name("NAME");
  app->add_option("--directory-cert", settings->certificate_file,
                  "Certificate to show to the directory, PEM")
      ->type_name("FILE");
  app->add_option("--directory-key", settings->key_file, "Its private key, PEM")->type_name("FILE");
  AddLdapFlags(app, &settings->ldap);
  AddTlsFlags(app, &settings->tls);
  AddProcessFlags(app, &settings->process);
  AddConfigFlag(app, &settings->config_file);
  NameEnvironment(app);
  app->footer(
      "Example:\n"
      "  twintree gateway --directory 127.0.0.1:8389 --gateway-token-file token \\\n"
      "      --ldap-listen 0.0.0.0:1389 --http-listen 127.0.0.1:9390");
  const auto run = [app, settings] {
    ConfigureLog(settings->process);
    const Status usage = CheckUsage(*settings);
    if (!usage.ok()) return FailUsage(*app, usage.error().message);
    auto connection = PlanConnection(*settings);
    if (!connection.ok()) return FailUsage(*app, connection.error().message);
    settings->process.unknown_variables = UnknownVariables(*app);
    settings->process.config_hash = SettingsHash(*app);
    const Status status = Serve(std::move(connection).value(), *settings);
    return status.ok() ? kExitOk : Fail(*app, status.error().message);
  };
  return {app, run, true};
}

}  // namespace twintree::cli
