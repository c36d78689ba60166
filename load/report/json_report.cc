#include "load/report/json_report.h"

#include <nlohmann/json.hpp>

#include "load/report/figures.h"

namespace twintree::load {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr int kIndent = 2;

Json LatencyJson(const Histogram& latency) {
  Json json = {{"mean", latency.Mean() / 1e3}};
  for (const auto& [percent, name] : kReportedPercentiles) {
    json[std::string(name)] = Microseconds(latency.Percentile(percent));
  }
  json["max"] = Microseconds(latency.max());
  return json;
}

Json TallyJson(const Tally& tally, Nanoseconds window) {
  return {{"operations", tally.operations},
          {"operations_per_second", PerSecond(tally.operations, window)},
          {"entries", tally.entries},
          {"entries_per_second", PerSecond(tally.entries, window)},
          {"latency_us", LatencyJson(tally.latency)}};
}

Json OperationsJson(const RunResult& result) {
  Json json = Json::object();
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    const Tally& tally = result.measured.tallies[i];
    if (tally.all_operations == 0) continue;
    json[result.labels[i]] = TallyJson(tally, result.measured.window);
  }
  return json;
}

Json ServerJson(const ServerCpu& server, std::uint64_t operations) {
  return {{"pid", server.pid},
          {"name", server.name},
          {"us_per_operation", MicrosecondsPerOperation(server.cpu, operations)},
          {"cpu_seconds", Seconds(server.cpu)},
          {"resident_bytes", server.resident_bytes},
          {"ended", server.ended}};
}

Json CpuJson(const PhaseResult& result) {
  const std::uint64_t operations = result.Total().operations;
  const Nanoseconds server = result.ServerCpuTotal();
  Json servers = Json::array();
  for (const ServerCpu& process : result.servers) {
    servers.push_back(ServerJson(process, operations));
  }
  return {{"client_us_per_operation", MicrosecondsPerOperation(result.client_cpu, operations)},
          {"server_us_per_operation",
           result.servers.empty() ? Json() : Json(MicrosecondsPerOperation(server, operations))},
          {"busiest_client_thread", result.busiest_thread},
          {"machine_idle", Share(result.machine_idle, result.machine_cpu)},
          {"client_share_of_machine", Share(result.client_cpu, result.machine_cpu)},
          {"server_share_of_machine", Share(server, result.machine_cpu)},
          {"servers", servers}};
}

Json SecondsJson(const std::vector<SecondFigures>& seconds) {
  Json json = Json::array();
  for (const SecondFigures& second : seconds) {
    json.push_back({{"time", second.time},
                    {"warmup", second.warmup},
                    {"operations_per_second", second.operations},
                    {"entries_per_second", second.entries},
                    {"p50_us", Microseconds(second.p50)},
                    {"p99_us", Microseconds(second.p99)},
                    {"max_us", Microseconds(second.max)},
                    {"wrong_answers", second.wrong}});
  }
  return json;
}

const char* BottleneckName(Bottleneck bottleneck) {
  switch (bottleneck) {
    case Bottleneck::kNone: break;
    case Bottleneck::kClientThreads: return "client";
    case Bottleneck::kMachine: return "machine";
  }
  return "none";
}

const char* EndName(OptimizeEnd end) {
  switch (end) {
    case OptimizeEnd::kFlat: return "flat";
    case OptimizeEnd::kClientLimit: return "client";
    case OptimizeEnd::kWrongAnswers: return "wrong answers";
    case OptimizeEnd::kMostConnections: break;
  }
  return "most connections";
}

Json RunJson(const RunResult& result) {
  const PhaseSettings& phase = result.settings.phase;
  const PhaseResult& measured = result.measured;
  Json wrong = Json::object();
  for (const auto& [what, count] : measured.wrong) wrong[what] = count;
  return {{"tool", "twintree-load"},
          {"format", kFormat},
          {"started", result.started},
          {"scenario", result.settings.scenario->name},
          {"target", phase.target.url},
          {"connections", phase.connections},
          {"depth", phase.depth},
          {"threads", phase.threads},
          {"rate", phase.rate > 0 ? Json(phase.rate) : Json()},
          {"warmup_seconds", Seconds(phase.warmup)},
          {"seconds_measured", Seconds(measured.window)},
          {"people", result.settings.population.people},
          {"seed", result.settings.population.seed},
          {"total", TallyJson(measured.Total(), measured.window)},
          {"operations", OperationsJson(result)},
          {"cpu", CpuJson(measured)},
          {"wrong_answers", wrong},
          {"missed", measured.missed},
          {"bottleneck", BottleneckName(measured.bottleneck)},
          {"note", result.note},
          {"by_second", SecondsJson(measured.seconds)}};
}

// Diagnostic messages of a server may hold anything: what is not UTF-8 is replaced.
std::string Dump(const Json& json) {
  return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string FormatJson(const RunResult& result) { return Dump(RunJson(result)); }

std::string FormatJson(const OptimizeResult& result) {
  Json steps = Json::array();
  for (const RunResult& step : result.steps) steps.push_back(RunJson(step));
  const int best = result.steps.empty() ? 0 : result.steps[result.best].settings.phase.connections;
  return Dump({{"tool", "twintree-load"},
               {"format", kFormat},
               {"best_connections", best},
               {"end", EndName(result.end)},
               {"steps", steps}});
}

}  // namespace twintree::load
