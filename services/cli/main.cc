// twintree: the command line.

#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "services/cli/command.h"
#include "services/cli/commands.h"
#include "services/cli/settings.h"
#include "services/cli/version.h"

namespace twintree::cli {
namespace {

constexpr int kUsageError = 2;

int UsageError(const std::string& message) {
  std::fprintf(stderr, "twintree: %s\n", message.c_str());
  return kUsageError;
}

// CLI11 gives its own codes; people and scripts expect 0 and 2.
int ParseOutcome(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // help and version, to standard output
  return UsageError(std::string(error.what()) +
                    "\nTry 'twintree --help' or 'twintree COMMAND --help'.");
}

int RunCommand(Command& command) {
  const CLI::Option* config = command.app->get_option_no_throw("--config");
  if (config != nullptr && config->count() > 0) {
    const model::Status status = ApplyConfigFile(command.app, config->as<std::string>());
    if (!status.ok()) return UsageError(status.error().message);
  }
  return command.run();
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Twintree: one directory tree, two doors: gRPC and LDAP.\n"
      "Each flag of a command is also an environment variable (--root-dn: TWINTREE_ROOT_DN) and a\n"
      "key of the YAML file given by --config (root-dn); the flag wins, then the environment."};
  app.name("twintree");
  app.set_version_flag("--version", VersionText());
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  std::vector<Command> commands = AllCommands(app);
  for (Command& command : commands) NameEnvironment(command.app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return ParseOutcome(app, error);
  }
  for (Command& command : commands) {
    if (command.app->parsed()) return RunCommand(command);
  }
  return UsageError("no command");
}

}  // namespace
}  // namespace twintree::cli

int main(int argc, char** argv) {
  try {
    return twintree::cli::Main(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "twintree: %s\n", exception.what());
    return 1;
  }
}
