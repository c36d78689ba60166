// From the arguments of the process to the status it ends with.
#ifndef TWINTREE_SERVICES_CLI_COMMAND_LINE_H_
#define TWINTREE_SERVICES_CLI_COMMAND_LINE_H_

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "services/cli/command.h"

namespace twintree::cli {

// Parses the arguments (without the program's name), and runs the command that they name. What is
// wrong is told on standard error, with the command. `--flag=` is the flag with an empty value.
int RunCommandLine(CLI::App& app, const std::vector<Command>& commands,
                   const std::vector<std::string>& arguments);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_COMMAND_LINE_H_
