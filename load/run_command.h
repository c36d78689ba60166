#ifndef LOAD_RUN_COMMAND_H_
#define LOAD_RUN_COMMAND_H_

#include <CLI/App.hpp>

namespace twintree::load {

// Add the sub-commands `run` and `optimize` to `app`; they run while `app` parses.
//
// Errors: throw CLI::ParseError for wrong flags, std::runtime_error when there is no server to
//         measure or a report cannot be written, CLI::RuntimeError with kWrongAnswersExit when
//         answers were wrong
void AddRunCommand(CLI::App& app);
void AddOptimizeCommand(CLI::App& app);

}  // namespace twintree::load

#endif  // LOAD_RUN_COMMAND_H_
