// The commands that run or ask servers; command.h has those on a data directory.
#ifndef TWINTREE_SERVICES_CLI_COMMANDS_H_
#define TWINTREE_SERVICES_CLI_COMMANDS_H_

#include <CLI/CLI.hpp>

#include "services/cli/command.h"

namespace twintree::cli {

Command MakeServe(CLI::App& parent);
Command MakeDirectory(CLI::App& parent);
Command MakeGateway(CLI::App& parent);
Command MakeSearch(CLI::App& parent);
Command MakeVersion(CLI::App& parent);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_COMMANDS_H_
