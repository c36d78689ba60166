#include <iostream>

#include "services/cli/commands.h"
#include "services/cli/version.h"

namespace twintree::cli {

Command MakeVersion(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("version", "Prints what this build is");
  return {app, [] {
            std::cout << VersionText() << "\n";
            return std::cout.flush() ? kExitOk : kExitFailed;
          }};
}

}  // namespace twintree::cli
