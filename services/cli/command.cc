#include "services/cli/command.h"

#include <iostream>
#include <string>

#include "services/cli/settings.h"

namespace twintree::cli {

int RunCommand(const Command& command) {
  const CLI::Option* const config = command.app->get_option_no_throw("--config");
  if (config != nullptr && config->count() > 0) {
    const model::Status status = ApplyConfigFile(command.app, config->as<std::string>());
    if (!status.ok()) return FailUsage(*command.app, status.error().message);
  }
  return command.run();
}

void PrintError(const CLI::App& app, std::string_view message) {
  std::cerr << "twintree " << app.get_name() << ": " << message << "\n";
}

int Fail(const CLI::App& app, std::string_view message) {
  PrintError(app, message);
  return kExitFailed;
}

int FailUsage(const CLI::App& app, std::string_view message) {
  PrintError(app, message);
  std::cerr << "See: twintree " << app.get_name() << " --help\n";
  return kExitUsage;
}

}  // namespace twintree::cli
