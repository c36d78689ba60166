// twintree: the command line.

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "services/cli/command_line.h"
#include "services/cli/commands.h"
#include "services/cli/version.h"
#include "services/rpc/grpc_log.h"

namespace twintree::cli {
namespace {

// A command says itself what went wrong; a server sends it to its log.
void SilenceGrpc() {
  rpc::RouteGrpcLog([](std::string_view, std::string_view) {});
  rpc::RouteProtobufLog([](std::string_view, std::string_view) {});
}

int Main(int argc, char** argv) {
  SilenceGrpc();
  CLI::App app{
      "Twintree: one directory tree, two doors: gRPC and LDAP.\n"
      "Each flag of a command is also an environment variable (--root-dn: TWINTREE_ROOT_DN), "
      "where\n"
      "its help names one, and a key of the YAML file given by --config (root-dn); the flag wins,\n"
      "then the environment. Several values of a repeatable flag are separated by ';' in a\n"
      "variable, and a list in the file, which all commands may share."};
  app.name("twintree");
  app.set_version_flag("--version", VersionText());
  app.require_subcommand(1);
  const std::vector<Command> commands = {
      MakeServe(app),  MakeDirectory(app), MakeGateway(app), MakeImport(app),  MakeExport(app),
      MakeSearch(app), MakePasswd(app),    MakeCheck(app),   MakeVersion(app),
  };
  return RunCommandLine(app, commands, {argv + 1, argv + argc});
}

}  // namespace
}  // namespace twintree::cli

int main(int argc, char** argv) {
  try {
    return twintree::cli::Main(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "twintree: %s\n", exception.what());
    return twintree::cli::kExitFailed;
  }
}
