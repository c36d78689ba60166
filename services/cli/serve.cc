// serve and directory: the engine with its doors.

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "services/cli/addresses.h"
#include "services/cli/certificate_figures.h"
#include "services/cli/commands.h"
#include "services/cli/directory_parts.h"
#include "services/cli/environment.h"
#include "services/cli/grpc_door.h"
#include "services/cli/input_files.h"
#include "services/cli/ldap_door.h"
#include "services/cli/server_process.h"
#include "services/cli/settings.h"
#include "services/cli/settings_hash.h"
#include "services/cli/state_figures.h"
#include "services/cli/tls_files.h"
#include "services/log/log.h"

namespace twintree::cli {
namespace {

using model::Status;

constexpr std::chrono::milliseconds kProbeInterval{2000};

struct ServeSettings {
  StoreSettings store;
  IdentitySettings identity;
  TlsSettings tls;
  LdapSettings ldap;
  GrpcSettings grpc;
  ProcessSettings process;
  std::string config_file;
};

// Everything that runs; destroyed from the doors inwards.
struct Serving {
  DirectoryParts parts;
  std::unique_ptr<rpc::GrpcServer> grpc;
  std::unique_ptr<ldap::LdapServer> ldap;

  // Both doors close at once, and what is under way in either has the whole time.
  void Drain(const ServerProcess& process) {
    std::future<void> grpc_drained;
    if (grpc != nullptr) {
      grpc_drained = std::async(std::launch::async | std::launch::deferred,
                                [&] { grpc->Drain(process.drain_time_left()); });
    }
    if (ldap != nullptr) ldap->Drain(process.drain_time_left());
    if (grpc_drained.valid()) grpc_drained.get();
    parts.password_executor->Stop();
    parts.executor->Stop();
    parts.store->Close();
  }
};

struct Figures {
  std::shared_ptr<metrics::DirectoryMetrics> directory =
      std::make_shared<metrics::DirectoryMetrics>();
  std::shared_ptr<metrics::LdapMetrics> ldap = std::make_shared<metrics::LdapMetrics>();
  std::shared_ptr<metrics::GrpcMetrics> grpc = std::make_shared<metrics::GrpcMetrics>();
  std::shared_ptr<StateFigures> state = std::make_shared<StateFigures>();
  std::shared_ptr<CertificateFigures> certificates = std::make_shared<CertificateFigures>();

  std::vector<std::shared_ptr<prometheus::Collectable>> All(bool with_ldap) const {
    std::vector<std::shared_ptr<prometheus::Collectable>> all = {directory, grpc, state,
                                                                 certificates};
    if (with_ldap) all.push_back(ldap);
    return all;
  }
};

struct Plan {
  rpc::GrpcServerOptions grpc;
  DirectoryPlan directory;
};

// What is wrong with how it was called, before anything is opened; else what to open.
model::Result<Plan> MakePlan(const ServeSettings& settings, bool with_ldap) {
  Plan plan;
  TT_RETURN_IF_ERROR(CheckListenAddress("--http-listen", settings.process.http_listen));
  if (with_ldap) TT_RETURN_IF_ERROR(CheckLdapSettings(settings.ldap, settings.tls));
  TT_ASSIGN_OR_RETURN(plan.grpc, PlanGrpcDoor(settings.grpc, settings.tls));
  TT_ASSIGN_OR_RETURN(plan.directory, PlanDirectory(settings.store, settings.identity));
  return plan;
}

Status Open(Plan plan, const ServeSettings& settings, bool with_ldap, const Figures& figures,
            Serving* serving) {
  TT_ASSIGN_OR_RETURN(serving->parts,
                      OpenDirectory(std::move(plan.directory), settings.store, settings.identity,
                                    ThreadCount(settings.process), figures.directory));
  figures.state->Watch(serving->parts.store, serving->parts.engine);
  TT_ASSIGN_OR_RETURN(serving->grpc, StartGrpcDoor(std::move(plan.grpc), serving->parts.counted,
                                                   serving->parts.engine, figures.grpc));
  if (with_ldap) {
    TT_ASSIGN_OR_RETURN(serving->ldap, StartLdapDoor(settings.ldap, settings.tls, settings.process,
                                                     serving->parts.counted, figures.ldap));
    figures.certificates->Watch(
        "server", [ldap = serving->ldap.get()] { return ldap->certificate_not_after(); });
  } else {
    figures.certificates->WatchFile("server", settings.tls.certificate_file);
  }
  return model::OkStatus();
}

Status Serve(Plan plan, const ServeSettings& settings, const std::string& role, bool with_ldap) {
  const Figures figures;
  ServerProcess process(role, settings.process);
  TT_RETURN_IF_ERROR(process.Start(figures.All(with_ldap)));
  WarnOfReadableSecret("--tls-key", settings.tls.key_file);
  WarnUnlessValid(settings.tls);
  WarnOfReadableSecret("--gateway-token-file", settings.grpc.gateway_token_file);
  Serving serving;
  TT_RETURN_IF_ERROR(
      process.Run([&] { return Open(std::move(plan), settings, with_ldap, figures, &serving); }));
  process.health().Watch(
      [store = serving.parts.store] { return Health::Finding::Of(store->Probe()); }, kProbeInterval,
      false, [&](bool ready) { serving.grpc->SetServing(ready); });
  process.WaitForStop([&] {
    serving.parts.access->Reload(*serving.parts.engine);
    if (serving.ldap != nullptr) {
      serving.ldap->ReloadCertificate();
    } else {
      WarnUnlessValid(settings.tls);  // gRPC reads the files on its own
    }
  });
  serving.Drain(process);
  figures.state->Forget();
  figures.certificates->Forget();
  return model::OkStatus();
}

Command MakeServer(CLI::App& parent, const std::string& name, const std::string& about,
                   bool with_ldap) {
  const auto settings = std::make_shared<ServeSettings>();
  CLI::App* app = parent.add_subcommand(name, about);
  AddStoreFlags(app, &settings->store);
  AddIdentityFlags(app, &settings->identity);
  if (with_ldap) AddLdapFlags(app, &settings->ldap);
  AddGrpcFlags(app, &settings->grpc);
  AddTlsFlags(app, &settings->tls);
  AddProcessFlags(app, &settings->process);
  AddConfigFlag(app, &settings->config_file);
  NameEnvironment(app);
  const auto run = [app, settings, name, with_ldap] {
    ConfigureLog(settings->process);
    model::Result<Plan> plan = MakePlan(*settings, with_ldap);
    if (!plan.ok()) return FailUsage(*app, plan.error().message);
    settings->process.unknown_variables = UnknownVariables(*app);
    settings->process.config_hash = SettingsHash(*app);
    const Status status = Serve(std::move(plan).value(), *settings, name, with_ldap);
    return status.ok() ? kExitOk : Fail(*app, status.error().message);
  };
  return {app, run, true};
}

}  // namespace

Command MakeServe(CLI::App& parent) {
  Command command =
      MakeServer(parent, "serve",
                 "Runs everything in one process: LDAP, gRPC and metrics over one directory", true);
  command.app->footer(
      "Example, a directory of your own on a laptop (the password without a newline at its end,\n"
      "which ldapadd -y would send along):\n"
      "  (umask 077; printf secret > root.pw)\n"
      "  twintree serve --data ./data --suffix dc=example,dc=com \\\n"
      "      --root-dn cn=admin,dc=example,dc=com --root-password-file root.pw\n"
      "\n"
      "In another terminal its first entry, and a look at it:\n"
      "  printf 'dn: dc=example,dc=com\\nobjectClass: domain\\ndc: example\\n' |\n"
      "      ldapadd -x -H ldap://127.0.0.1:1389 -D cn=admin,dc=example,dc=com -y root.pw\n"
      "  ldapsearch -x -H ldap://127.0.0.1:1389 -D cn=admin,dc=example,dc=com -y root.pw \\\n"
      "      -b dc=example,dc=com");
  return command;
}

Command MakeDirectory(CLI::App& parent) {
  Command command =
      MakeServer(parent, "directory",
                 "Runs the directory without LDAP: gRPC, for services and for gateways", false);
  command.app->footer(
      "Example, with a gateway in front:\n"
      "  (umask 077; head -c 32 /dev/urandom | base64 > token)\n"
      "  twintree directory --data ./data --suffix dc=example,dc=com --gateway-token-file token &\n"
      "  twintree gateway --directory 127.0.0.1:8389 --gateway-token-file token \\\n"
      "      --http-listen 127.0.0.1:9390");
  return command;
}

}  // namespace twintree::cli
