// twintree: the command line.

#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "services/cli/commands.h"
#include "services/cli/version.h"

namespace twintree::cli {
namespace {

// CLI11 gives its own codes; people and scripts expect 0 and 2.
int ParseOutcome(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // help and version, to standard output
  std::fprintf(stderr, "twintree: %s\nSee: twintree --help, or twintree COMMAND --help\n",
               error.what());
  return kExitUsage;
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Twintree: one directory tree, two doors: gRPC and LDAP.\n"
      "Each flag of a command is also an environment variable (--root-dn: TWINTREE_ROOT_DN) and a\n"
      "key of the YAML file given by --config (root-dn); the flag wins, then the environment."};
  app.name("twintree");
  app.set_version_flag("--version", VersionText());
  app.require_subcommand(1);
  const std::vector<Command> commands = {
      MakeServe(app),  MakeDirectory(app), MakeGateway(app), MakeImport(app),  MakeExport(app),
      MakeSearch(app), MakePasswd(app),    MakeCheck(app),   MakeVersion(app),
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return ParseOutcome(app, error);
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return RunCommand(command);
  }
  return kExitUsage;
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
