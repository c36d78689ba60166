#include "services/cli/command.h"

#include <iostream>

namespace twintree::cli {

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
