// twintree-load: makes test data for, and load on, a directory server.

#include <exception>
#include <iostream>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "load/generate_command.h"
#include "load/run_command.h"

namespace {

constexpr int kFailed = 1;
constexpr int kUsageError = 2;

int Run(int argc, char** argv) {
  CLI::App app("Makes test data for, and load on, a directory server", "twintree-load");
  // Not required here, since CLI11 would then complain of a missing one without naming a wrong one.
  app.require_subcommand(0, 1);
  twintree::load::AddGenerateCommand(app);
  twintree::load::AddRunCommand(app);
  twintree::load::AddOptimizeCommand(app);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw CLI::RequiredError("A subcommand");
  } catch (const CLI::RuntimeError& failure) {
    return failure.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "twintree-load: " << error.what() << "\n";
    return kFailed;
  }
}
