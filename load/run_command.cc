#include "load/run_command.h"

#include <signal.h>

#include <atomic>
#include <iostream>
#include <memory>

#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>

#include "load/report/html_report.h"
#include "load/report/json_report.h"
#include "load/report/text_report.h"
#include "load/run/optimize.h"
#include "load/run/run.h"
#include "load/run_flags.h"
#include "load/write_report.h"

namespace twintree::load {
namespace {

constexpr RunFlags::Defaults kRunDefaults = {0, 2, 10};
constexpr RunFlags::Defaults kOptimizeDefaults = {1, 1, 5};

std::atomic<bool> interrupted{false};

void Interrupt(int) { interrupted = true; }

// The first SIGINT or SIGTERM ends the measurement, so that added entries are still removed; the
// next one ends the program.
void EndOnSignals() {
  struct sigaction action {};
  action.sa_handler = Interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

RunSettings SettingsOf(const RunFlags& flags) {
  RunSettings settings = flags.Settings();
  EndOnSignals();
  settings.phase.stop = &interrupted;
  return settings;
}

bool IsGood(const RunResult& result) {
  return result.measured.WrongCount() == 0 && result.note.empty();
}

void Run(const RunFlags& flags) {
  RunProgress progress;
  progress.second = [](const SecondFigures& second) {
    std::cerr << FormatSecond(second) << std::endl;
  };
  progress.step = [](const std::string& step) { std::cerr << step << std::endl; };
  const RunResult result = RunScenario(SettingsOf(flags), progress);
  std::cout << FormatResult(result) << std::flush;
  if (!flags.json().empty()) WriteReport(flags.json(), FormatJson(result));
  if (!flags.html().empty()) WriteReport(flags.html(), FormatHtml(result));
  if (!IsGood(result)) throw CLI::RuntimeError(kWrongAnswersExit);
}

void OptimizeClients(const RunFlags& flags, int max_connections) {
  OptimizeSettings settings{SettingsOf(flags), max_connections};
  if (settings.run.phase.connections > max_connections) {
    throw CLI::ValidationError("--max-connections", "is less than --connections");
  }
  if (settings.run.phase.rate > 0) {
    throw CLI::ValidationError("--rate", "a fixed rate does not rise with the connections");
  }
  std::cout << FormatStepHead() << std::flush;
  const OptimizeResult result = Optimize(
      settings, {}, [](const RunResult& step) { std::cout << FormatStep(step) << std::flush; });
  std::cout << FormatOptimum(result) << std::flush;
  if (!flags.json().empty()) WriteReport(flags.json(), FormatJson(result));
  if (!flags.html().empty()) WriteReport(flags.html(), FormatHtml(result));
  if (!IsGood(result.steps.back())) throw CLI::RuntimeError(kWrongAnswersExit);
}

}  // namespace

void AddRunCommand(CLI::App& app) {
  const auto flags = std::make_shared<RunFlags>(kRunDefaults);
  CLI::App* command = app.add_subcommand("run", "Put load on a server and measure it");
  flags->AddTo(*command);
  command->callback([flags] { Run(*flags); });
}

void AddOptimizeCommand(CLI::App& app) {
  const auto flags = std::make_shared<RunFlags>(kOptimizeDefaults);
  const auto max_connections = std::make_shared<int>(1024);
  CLI::App* command = app.add_subcommand(
      "optimize", "Run a scenario with ever more connections until throughput stops rising");
  flags->AddTo(*command);
  command->add_option("--max-connections", *max_connections, "Most connections to try")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->callback([flags, max_connections] { OptimizeClients(*flags, *max_connections); });
}

}  // namespace twintree::load
