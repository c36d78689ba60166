#include "load/run_command.h"

#include <iostream>
#include <memory>

#include <CLI/Error.hpp>

#include "load/report/text_report.h"
#include "load/run/run.h"
#include "load/run_flags.h"

namespace twintree::load {
namespace {

constexpr int kWrongAnswers = 3;

void Run(const RunFlags& flags) {
  const RunSettings settings = flags.Settings();
  RunProgress progress;
  progress.second = [](const SecondFigures& second) {
    std::cerr << FormatSecond(second) << std::endl;
  };
  progress.step = [](const std::string& step) { std::cerr << step << std::endl; };
  const RunResult result = RunScenario(settings, progress);
  std::cout << FormatResult(result) << std::flush;
  if (result.measured.WrongCount() != 0 || !result.note.empty()) {
    throw CLI::RuntimeError(kWrongAnswers);
  }
}

}  // namespace

void AddRunCommand(CLI::App& app) {
  const auto flags = std::make_shared<RunFlags>();
  CLI::App* command = app.add_subcommand("run", "Put load on a server and measure it");
  flags->AddTo(*command);
  command->callback([flags] { Run(*flags); });
}

}  // namespace twintree::load
