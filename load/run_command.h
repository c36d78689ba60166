#ifndef LOAD_RUN_COMMAND_H_
#define LOAD_RUN_COMMAND_H_

#include <CLI/App.hpp>

namespace twintree::load {

// Adds the sub-command `run` to `app`; it runs while `app` parses.
//
// Errors: throws CLI::ParseError for wrong flags, std::runtime_error when there is no server to
//         measure, CLI::RuntimeError with exit code 3 when answers were wrong
void AddRunCommand(CLI::App& app);

}  // namespace twintree::load

#endif  // LOAD_RUN_COMMAND_H_
