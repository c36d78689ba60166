#include "load/report/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "load/report/figures.h"
#include "load/scenario/operation.h"

namespace twintree::load {
namespace {

// At the end of a run some connections always wait for an answer.
constexpr double kMissedTolerated = 0.01;

std::string FormatTally(const std::string& label, const Tally& tally, Nanoseconds window) {
  std::string line =
      fmt::format("{:<12}{:>12}{:>12.1f}{:>12.1f}", label, tally.operations,
                  PerSecond(tally.operations, window), PerSecond(tally.entries, window));
  for (const auto& [percent, name] : kReportedPercentiles) {
    line += fmt::format("{:>9.3f}", Milliseconds(tally.latency.Percentile(percent)));
  }
  return line + fmt::format("{:>10.3f}\n", Milliseconds(tally.latency.max()));
}

std::string FormatTallies(const RunResult& result) {
  std::string text =
      fmt::format("{:<12}{:>12}{:>12}{:>12}{:>9}{:>9}{:>9}{:>9}{:>9}{:>10}\n", "", "operations",
                  "per second", "entries/s", "p50 ms", "p90", "p95", "p99", "p99.9", "max");
  std::size_t shown = 0;
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    const Tally& tally = result.measured.tallies[i];
    if (tally.all_operations == 0) continue;
    text += FormatTally(result.labels[i], tally, result.measured.window);
    ++shown;
  }
  if (shown != 1) text += FormatTally("all", result.measured.Total(), result.measured.window);
  return text;
}

std::string FormatCpu(const PhaseResult& result) {
  const std::uint64_t operations = result.Total().operations;
  std::string text = fmt::format("CPU per operation: client {:.1f} us",
                                 MicrosecondsPerOperation(result.client_cpu, operations));
  if (!result.servers.empty()) {
    text += fmt::format(", server {:.1f} us",
                        MicrosecondsPerOperation(result.ServerCpuTotal(), operations));
  }
  for (const ServerCpu& server : result.servers) {
    if (server.ended) {
      text += fmt::format("\n  process {} has ended", server.pid);
      continue;
    }
    text += fmt::format("\n  {} ({}): {:.1f} us, {:.0f} % of a CPU, {:.1f} MiB resident",
                        server.name, server.pid, MicrosecondsPerOperation(server.cpu, operations),
                        100 * Share(server.cpu, result.window),
                        static_cast<double>(server.resident_bytes) / (1024 * 1024));
  }
  return text + "\n";
}

std::string FormatWrong(const PhaseResult& result) {
  if (result.wrong.empty()) return "wrong answers: none\n";
  std::string text = fmt::format("WRONG ANSWERS: {}\n", result.WrongCount());
  for (const auto& [what, count] : result.wrong) text += fmt::format("  {:>10}  {}\n", count, what);
  return text;
}

// For the likeliest reason why people are not found.
std::string DescribeMissingPeople(const PhaseResult& result, std::uint64_t people) {
  const bool missing = std::any_of(result.wrong.begin(), result.wrong.end(),
                                   [](const auto& kind) { return MeansMissing(kind.first); });
  if (!missing) return {};
  return fmt::format(
      "Does the directory hold the people of generate --entries {}? If it was made with another "
      "number, give the same --entries here.",
      people);
}

}  // namespace

std::string FormatSecond(const SecondFigures& second) {
  std::string line = fmt::format("{:>6.1f} s {:>11.0f}/s", second.time, second.operations);
  if (second.entries > 0) line += fmt::format(" {:>11.0f} entries/s", second.entries);
  if (second.warmup) {
    line += "  warm-up";
  } else {
    line += fmt::format("  p50 {:.3f} ms  p99 {:.3f} ms  max {:.3f} ms", Milliseconds(second.p50),
                        Milliseconds(second.p99), Milliseconds(second.max));
  }
  if (second.wrong != 0) line += fmt::format("  {} wrong answers", second.wrong);
  return line;
}

std::string DescribeRun(const RunSettings& settings, const PhaseResult& result) {
  const PhaseSettings& phase = settings.phase;
  std::string text =
      fmt::format("{} on {}: {} connection{}", settings.scenario->name, phase.target.url,
                  phase.connections, phase.connections == 1 ? "" : "s");
  if (settings.scenario->adders != 0) {
    text += fmt::format(" and {} that add", settings.scenario->adders);
  }
  if (phase.depth != 1) text += fmt::format(", {} operations on each", phase.depth);
  text += phase.rate > 0 ? fmt::format(", {:g} operations/s", phase.rate) : ", closed loop";
  text += fmt::format(", {:.1f} s", Seconds(result.window));
  if (phase.warmup > 0) text += fmt::format(" after {:g} s of warm-up", Seconds(phase.warmup));
  return text + fmt::format(", {} people", settings.population.people);
}

std::string DescribeBottleneck(const PhaseResult& result) {
  switch (result.bottleneck) {
    case Bottleneck::kNone: break;
    case Bottleneck::kClientThreads:
      return fmt::format(
          "The client is the bottleneck: one of its threads used {:.0f} % of a CPU. Give it more "
          "--threads, or another machine.",
          100 * result.busiest_thread);
    case Bottleneck::kMachine: {
      const double client = Share(result.client_cpu, result.machine_cpu);
      const double server = Share(result.ServerCpuTotal(), result.machine_cpu);
      const double idle = Share(result.machine_idle, result.machine_cpu);
      return fmt::format(
          "The machine has no CPU left: {:.0f} % client, {:.0f} % {}. Trust CPU per operation "
          "rather "
          "than operations per second.",
          100 * client, 100 * (result.servers.empty() ? 1 - client - idle : server),
          result.servers.empty()
              ? "server and others"
              : fmt::format("server, {:.0f} % others", 100 * (1 - client - server - idle)));
    }
  }
  return {};
}

std::string FormatResult(const RunResult& result) {
  const PhaseResult& measured = result.measured;
  std::string text = "\n" + DescribeRun(result.settings, measured) + "\n";
  text += FormatTallies(result);
  text += FormatCpu(measured);
  text += FormatWrong(measured);
  for (const std::string& sentence :
       {DescribeMissingPeople(measured, result.settings.population.people),
        DescribeMissed(measured), DescribeBottleneck(measured), result.note}) {
    if (!sentence.empty()) text += sentence + "\n";
  }
  return text;
}

std::string DescribeMissed(const PhaseResult& result) {
  const auto begun = static_cast<double>(result.Total().latency.count());
  if (static_cast<double>(result.missed) <= kMissedTolerated * begun) return {};
  return fmt::format(
      "The rate was not reached: {} operations could not begin before the end, because every "
      "connection waited for an answer.",
      result.missed);
}

std::string FormatStepHead() {
  return fmt::format("{:>11}{:>14}{:>12}{:>10}{:>10}{:>14}{:>14}{:>8}\n", "connections",
                     "operations/s", "entries/s", "p50 ms", "p99 ms", "client us/op",
                     "server us/op", "wrong");
}

std::string FormatStep(const RunResult& step) {
  const PhaseResult& measured = step.measured;
  const Tally total = measured.Total();
  const std::string server =
      measured.servers.empty()
          ? "-"
          : fmt::format("{:.1f}",
                        MicrosecondsPerOperation(measured.ServerCpuTotal(), total.operations));
  return fmt::format("{:>11}{:>14.1f}{:>12.1f}{:>10.3f}{:>10.3f}{:>14.1f}{:>14}{:>8}\n",
                     step.settings.phase.connections, PerSecond(total.operations, measured.window),
                     PerSecond(total.entries, measured.window),
                     Milliseconds(total.latency.Percentile(50)),
                     Milliseconds(total.latency.Percentile(99)),
                     MicrosecondsPerOperation(measured.client_cpu, total.operations), server,
                     measured.WrongCount());
}

std::string FormatOptimum(const OptimizeResult& result) {
  if (result.steps.empty()) return {};
  const RunResult& best = result.steps[result.best];
  std::string text = fmt::format("{} Best: {} connections.\n", DescribeEnd(result.end),
                                 best.settings.phase.connections);
  const RunResult& last = result.steps.back();
  if (!last.measured.wrong.empty()) {
    text += FormatWrong(last.measured);
    const std::string hint = DescribeMissingPeople(last.measured, last.settings.population.people);
    if (!hint.empty()) text += hint + "\n";
  }
  const std::string bottleneck = DescribeBottleneck(best.measured);
  if (!bottleneck.empty()) text += bottleneck + "\n";
  return last.note.empty() ? text : text + last.note + "\n";
}

}  // namespace twintree::load
