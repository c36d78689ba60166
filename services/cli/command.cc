#include "services/cli/command.h"

#include <iostream>

namespace twintree::cli {

int ExitStatusOf(model::ResultCode code) {
  const int value = static_cast<int>(code);
  return value >= 0 && value < 256 ? value : kExitFailed;
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
