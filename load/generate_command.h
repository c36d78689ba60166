#ifndef LOAD_GENERATE_COMMAND_H_
#define LOAD_GENERATE_COMMAND_H_

#include <CLI/App.hpp>

namespace twintree::load {

// Adds the sub-command `generate` to `app`; it runs while `app` parses.
//
// Errors: throws CLI::RuntimeError (exit code 1) after saying on standard error which file could
//         not be written and why
void AddGenerateCommand(CLI::App& app);

}  // namespace twintree::load

#endif  // LOAD_GENERATE_COMMAND_H_
