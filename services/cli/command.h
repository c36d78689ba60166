// The commands of the executable: each is made by one function, chosen while flags are parsed, and
// run afterwards.
//
// A MakeX(parent) function adds the command X with all its flags, their environment variables and
// --config to `parent`. Its `run` reads the settings, which RunCommandLine() has gathered from
// flags, environment and config file.
//
// Exit status: 0, done; 1, it failed, and standard error says why; 2, wrong usage. `search` and
// `passwd` end with the LDAP result code of what they asked for; see ExitStatusOf().
#ifndef TWINTREE_SERVICES_CLI_COMMAND_H_
#define TWINTREE_SERVICES_CLI_COMMAND_H_

#include <functional>
#include <string_view>

#include <CLI/CLI.hpp>

#include "services/model/result.h"

namespace twintree::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;
  bool is_server = false;  // tells what is doubtful in its log
};

Command MakeImport(CLI::App& parent);
Command MakeExport(CLI::App& parent);
Command MakeCheck(CLI::App& parent);
Command MakePasswd(CLI::App& parent);

// What tells scripts what the directory said, as the LDAP tools' status does: the result code if it
// is below 256, else kExitFailed.
int ExitStatusOf(model::ResultCode code);

// "twintree import: MESSAGE" on standard error.
void PrintError(const CLI::App& app, std::string_view message);
// The same, and the status to end with.
int Fail(const CLI::App& app, std::string_view message);
int FailUsage(const CLI::App& app, std::string_view message);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_COMMAND_H_
