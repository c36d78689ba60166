#include "load/run/run.h"

#include <sys/random.h>

#include <array>
#include <ctime>
#include <stdexcept>
#include <string_view>

namespace twintree::load {
namespace {

// Connections and depth of steps that are not measured: enough for a server that commits writes in
// groups.
constexpr int kStepConnections = 8;
constexpr int kStepDepth = 8;

std::string RandomName() {
  std::array<unsigned char, 6> octets{};
  if (::getrandom(octets.data(), octets.size(), 0) != static_cast<ssize_t>(octets.size())) {
    throw std::runtime_error("the system gives no random numbers");
  }
  std::string name = "load-";
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const unsigned char octet : octets) {
    name += kDigits[octet >> 4];
    name += kDigits[octet & 15];
  }
  return name;
}

std::string TimeNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

// Runs a step to its end. The first thing that went wrong; empty if nothing did.
std::string RunStep(const Scenario::Step& step, const Scenario& scenario, PhaseSettings settings) {
  settings.warmup = 0;
  settings.duration = kNever;
  settings.operations = 0;
  settings.rate = 0;
  settings.server_pids.clear();
  settings.stop = nullptr;  // what was begun is tidied up
  settings.threads = 1;
  settings.connections = step.single ? 1 : kStepConnections;
  settings.depth = step.single ? 1 : kStepDepth;
  const PhaseResult result =
      RunPhase(settings, {{step.workload, 0, false}}, scenario.labels(), nullptr);
  return result.wrong.empty() ? "" : result.wrong.begin()->first;
}

}  // namespace

RunResult RunScenario(const RunSettings& settings, const RunProgress& progress) {
  Scenario scenario(*settings.scenario, {settings.population, RandomName(), settings.prepared});
  RunResult result{settings, {}, {}, {}, TimeNow()};
  const auto prepare = scenario.Prepare();
  if (!prepare.empty() && progress.step) {
    progress.step("making ready: " + std::to_string(settings.prepared) + " entries below " +
                  scenario.container_dn());
  }
  for (const Scenario::Step& step : prepare) {
    const std::string problem = RunStep(step, scenario, settings.phase);
    if (!problem.empty()) {
      throw std::runtime_error("cannot add below " + scenario.container_dn() + ": " + problem);
    }
  }
  result.labels = scenario.labels();
  result.measured = RunPhase(settings.phase, scenario.groups(), result.labels, progress.second);
  if (settings.phase.stop != nullptr && *settings.phase.stop) {
    result.note = "Interrupted before its end.";
  } else if (result.measured.wrong.empty() && result.measured.Total().operations == 0) {
    result.note = "No operation ended in the time measured: measure for longer.";
  }
  if (settings.keep_entries) return result;
  const auto clean = scenario.Clean();
  if (!clean.empty() && progress.step) {
    progress.step("tidying up: " + std::to_string(scenario.own_entries()) + " entries");
  }
  for (const Scenario::Step& step : clean) {
    const std::string problem = RunStep(step, scenario, settings.phase);
    if (!problem.empty() && result.note.empty()) {
      result.note = "Not all of " + scenario.container_dn() + " could be removed: " + problem + ".";
    }
  }
  return result;
}

}  // namespace twintree::load
