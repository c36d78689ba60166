#include "load/run_flags.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>

#include "load/generate.h"
#include "load/measure/cpu_usage.h"

namespace twintree::load {
namespace {

constexpr int kMaxConnections = 100'000;
constexpr int kMaxDepth = 1024;  // as many as the LDAP client has slots for
constexpr int kMaxThreads = 1024;
constexpr double kMaxSeconds = 1e6;
// Entries for each strand that renames, so that none waits for another.
constexpr std::uint64_t kRenamedPerStrand = 2;

// The server on the same machine needs CPUs too.
int DefaultThreads() { return std::clamp(UsableCpus() / 2, 1, 4); }

Nanoseconds ToNanoseconds(double seconds) {
  return static_cast<Nanoseconds>(seconds * static_cast<double>(kSecond));
}

std::vector<std::string> ScenarioNames() {
  std::vector<std::string> names;
  for (const ScenarioInfo& info : AllScenarios()) names.emplace_back(info.name);
  return names;
}

std::string ScenarioList() {
  std::string text = "Scenarios:\n";
  for (const ScenarioInfo& info : AllScenarios()) {
    text += "  " + std::string(info.name);
    text.append(info.name.size() < 16 ? 16 - info.name.size() : 1, ' ');
    text += std::string(info.summary) + "\n";
  }
  return text;
}

std::string ConnectionsHelp(int connections) {
  return connections == 0
             ? "Connections (default: what the scenario says)"
             : "Connections to begin with (default: " + std::to_string(connections) + ")";
}

std::string ReadFirstLine(const std::string& flag, const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw CLI::ValidationError(flag, "cannot read " + path);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

}  // namespace

void RunFlags::AddTo(CLI::App& command) {
  command.add_option("scenario", scenario_, "What to do; see below")
      ->required()
      ->check(CLI::IsMember(ScenarioNames()))
      ->type_name("SCENARIO");
  command.add_option("--target", target_, "ldap://HOST:PORT, ldapi:///PATH or grpc://HOST:PORT")
      ->required()
      ->type_name("URL");
  AddLoadFlags(command);
  AddDirectoryFlags(command);
  AddReportFlags(command);
  command.footer(ScenarioList());
}

void RunFlags::AddLoadFlags(CLI::App& command) {
  command.add_option("--connections", connections_, ConnectionsHelp(defaults_.connections))
      ->check(CLI::Range(1, kMaxConnections));
  command.add_option("--depth", depth_, "Operations under way at a time on each connection")
      ->capture_default_str()
      ->check(CLI::Range(1, kMaxDepth));
  command
      .add_option("--rate", rate_,
                  "Operations to begin a second, whether or not the server keeps up; latency "
                  "then counts from the moment at which one was due (default: each begins when "
                  "the one before has ended)")
      ->check(CLI::Range(0.001, 1e9));
  command
      .add_option("--warmup", warmup_,
                  "Seconds before the measurement (default: " +
                      std::to_string(static_cast<int>(defaults_.warmup_seconds)) +
                      ", but 0 for delete)")
      ->check(CLI::Range(0.0, kMaxSeconds));
  command.add_option("--duration", duration_, "Seconds of the measurement")
      ->capture_default_str()
      ->check(CLI::Range(0.001, kMaxSeconds));
  command
      .add_option("--operations", operations_, "End after so many operations, if that is sooner")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
  command.add_option("--threads", threads_, "Threads of the client (default: half of the CPUs)")
      ->check(CLI::Range(1, kMaxThreads));
  command
      .add_option("--prepare", prepared_,
                  "Entries to add first, for delete; it ends when they are used up")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1}, kMaxEntries));
  command.add_flag("--keep-entries", keep_entries_, "Leave the entries that the scenario added");
}

void RunFlags::AddDirectoryFlags(CLI::App& command) {
  command.add_option("--entries", population_.people, "People that generate made")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1}, kMaxEntries));
  command.add_option("--seed", population_.seed, "Chooses values and the order of operations")
      ->capture_default_str();
  command.add_option("--base", population_.base, "Suffix of the directory")->capture_default_str();
  command.add_option("--bind-dn", bind_dn_, "Who binds on each connection first (default: nobody)");
  command.add_option("--password-file", password_file_, "File with the password of --bind-dn");
}

void RunFlags::AddReportFlags(CLI::App& command) {
  command
      .add_option("--server-pids", server_pids_,
                  "Processes of the server on this machine, to count their CPU")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  command
      .add_option("--server-name", server_names_,
                  "The same by the name of the program, as ps -o comm shows it")
      ->delimiter(',');
  command.add_option("--json", json_, "File for the figures as JSON");
  command.add_option("--html", html_, "File for a report with plots");
}

RunSettings RunFlags::Settings() const {
  RunSettings settings;
  settings.scenario = FindScenario(scenario_);
  settings.population = population_;
  PhaseSettings& phase = settings.phase;
  try {
    phase.target = ParseTarget(target_);
  } catch (const std::invalid_argument& error) {
    throw CLI::ValidationError("--target", error.what());
  }
  if (settings.scenario->binds && depth_ != 1) {
    throw CLI::ValidationError(
        "--depth", "must be 1 for " + scenario_ + ", in which a connection changes who is bound");
  }
  phase.credentials = ReadCredentials();
  phase.connections = settings.scenario->connections;
  if (defaults_.connections != 0) phase.connections = defaults_.connections;
  if (connections_ != 0) phase.connections = connections_;
  phase.depth = depth_;
  phase.threads = threads_ == 0 ? DefaultThreads() : threads_;
  phase.rate = rate_;
  // A warm-up would use up what was prepared.
  const double default_warmup = settings.scenario->consumes ? 0 : defaults_.warmup_seconds;
  phase.warmup = ToNanoseconds(warmup_ < 0 ? default_warmup : warmup_);
  phase.duration = ToNanoseconds(duration_);
  phase.operations = operations_;
  phase.seed = population_.seed;
  phase.server_pids = ServerPids();
  if (settings.scenario->consumes) {
    settings.prepared = prepared_;
  } else if (settings.scenario->name == "rename") {
    settings.prepared = kRenamedPerStrand * static_cast<std::uint64_t>(phase.connections) *
                        static_cast<std::uint64_t>(phase.depth);
  }
  settings.keep_entries = keep_entries_;
  return settings;
}

Credentials RunFlags::ReadCredentials() const {
  if (bind_dn_.empty() != password_file_.empty()) {
    throw CLI::ValidationError(bind_dn_.empty() ? "--bind-dn" : "--password-file",
                               "--bind-dn and --password-file go together");
  }
  if (bind_dn_.empty()) return {};
  return {bind_dn_, ReadFirstLine("--password-file", password_file_)};
}

std::vector<pid_t> RunFlags::ServerPids() const {
  std::vector<pid_t> pids = server_pids_;
  for (const pid_t pid : pids) {
    if (!ReadProcessCpu(pid)) {
      throw CLI::ValidationError("--server-pids", "no process " + std::to_string(pid));
    }
  }
  for (const std::string& name : server_names_) {
    const auto found = FindProcesses(name);
    if (found.empty()) throw CLI::ValidationError("--server-name", "no process " + name);
    pids.insert(pids.end(), found.begin(), found.end());
  }
  return pids;
}

}  // namespace twintree::load
