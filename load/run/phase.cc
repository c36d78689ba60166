#include "load/run/phase.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "load/measure/cpu_usage.h"
#include "load/run/worker_threads.h"

namespace twintree::load {
namespace {

constexpr double kSaturated = 0.9;
// A machine with less idle time than this has no CPU left.
constexpr double kNoIdle = 0.05;
// Shorter ends of a stretch are no second of their own.
constexpr Nanoseconds kShortestSecond = 100 * kMillisecond;

// Readings of one moment.
struct CpuSample {
  Nanoseconds client = 0;
  MachineCpu machine;
  std::vector<std::optional<ProcessCpu>> servers;
};

CpuSample SampleCpu(const std::vector<pid_t>& pids) {
  CpuSample sample;
  sample.client = ReadClock(CLOCK_PROCESS_CPUTIME_ID);
  sample.machine = ReadMachineCpu();
  for (const pid_t pid : pids) sample.servers.push_back(ReadProcessCpu(pid));
  return sample;
}

void FillCpu(const std::vector<pid_t>& pids, const CpuSample& begin, const CpuSample& end,
             PhaseResult* result) {
  result->client_cpu = end.client - begin.client;
  result->machine_cpu = end.machine.total - begin.machine.total;
  result->machine_idle = end.machine.idle - begin.machine.idle;
  for (std::size_t i = 0; i < pids.size(); ++i) {
    ServerCpu server{pids[i], ReadProcessName(pids[i])};
    server.ended = !begin.servers[i] || !end.servers[i];
    if (!server.ended) server.cpu = CpuBetween(*begin.servers[i], *end.servers[i]);
    server.resident_bytes = ReadResidentBytes(pids[i]);
    result->servers.push_back(server);
  }
}

std::unique_ptr<Worker> MakeWorker(WorkerPlan plan, PhaseControl* control, std::size_t labels) {
  if (plan.target.protocol == Protocol::kGrpc) {
    return MakeGrpcWorker(std::move(plan), control, labels);
  }
  return MakeLdapWorker(std::move(plan), control, labels);
}

// Deals the connections of all groups out to the threads in turn.
std::vector<std::unique_ptr<Worker>> MakeWorkers(const PhaseSettings& settings,
                                                 const std::vector<Scenario::Group>& groups,
                                                 std::size_t labels, PhaseControl* control) {
  std::vector<ConnectionPlan> connections;
  for (const Scenario::Group& group : groups) {
    const int count = group.connections == 0 ? settings.connections : group.connections;
    for (int i = 0; i < count; ++i) {
      const std::uint64_t stream = connections.size() * static_cast<std::uint64_t>(settings.depth);
      connections.push_back({group.workload, group.paced, settings.depth, stream});
    }
  }
  const std::size_t threads =
      std::min(static_cast<std::size_t>(settings.threads), connections.size());
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::size_t i = 0; i < threads; ++i) {
    WorkerPlan plan{settings.target, settings.credentials, settings.seed, {}};
    if (settings.rate > 0) plan.pacer = Pacer::AtRate(settings.rate, i, threads);
    for (std::size_t j = i; j < connections.size(); j += threads) {
      plan.connections.push_back(connections[j]);
    }
    workers.push_back(MakeWorker(std::move(plan), control, labels));
  }
  return workers;
}

// Sums up what happened since the last time it was asked.
class SecondCounter {
 public:
  SecondCounter(const WorkerThreads& threads, std::size_t labels, Nanoseconds begin)
      : threads_(threads), labels_(labels), begin_(begin), last_(begin) {}

  SecondFigures Next(Nanoseconds now, bool warmup) {
    Tally total;
    for (const Tally& tally : threads_.Tallies(labels_)) total.Merge(tally);
    const double elapsed = Seconds(std::max<Nanoseconds>(1, now - last_));
    const Histogram latency = total.latency.Since(before_.latency);
    SecondFigures second{Seconds(now - begin_), warmup};
    second.operations =
        static_cast<double>(total.all_operations - before_.all_operations) / elapsed;
    second.entries = static_cast<double>(total.all_entries - before_.all_entries) / elapsed;
    second.p50 = latency.Percentile(50);
    second.p99 = latency.Percentile(99);
    second.max = latency.max();
    for (const auto& [what, count] : threads_.Wrong()) second.wrong += count;
    before_ = std::move(total);
    last_ = now;
    return second;
  }

  Nanoseconds last() const { return last_; }

 private:
  const WorkerThreads& threads_;
  const std::size_t labels_;
  const Nanoseconds begin_;
  Nanoseconds last_;
  Tally before_;
};

Nanoseconds After(Nanoseconds moment, Nanoseconds time) {
  return time > kNever - moment ? kNever : moment + time;
}

// Watches the threads until the window is over or they end; fills in what it saw.
void Watch(const PhaseSettings& settings, const Window& window, std::size_t labels,
           WorkerThreads& threads, const ProgressSink& progress, PhaseResult* result) {
  SecondCounter seconds(threads, labels, window.begin - settings.warmup);
  const auto emit = [&](Nanoseconds now, bool warmup) {
    result->seconds.push_back(seconds.Next(now, warmup));
    if (progress) progress(result->seconds.back());
  };
  bool ended = false;
  while (!ended && Now() < window.begin) {
    const Nanoseconds next = std::min(seconds.last() + kSecond, window.begin);
    ended = threads.WaitUntil(next);
    if (Now() - seconds.last() >= kShortestSecond) emit(Now(), true);
  }
  const CpuSample begin = SampleCpu(settings.server_pids);
  while (!ended && Now() < window.end) {
    const Nanoseconds next = std::min(seconds.last() + kSecond, window.end);
    ended = threads.WaitUntil(next);
    if (Now() - seconds.last() >= kShortestSecond) emit(Now(), false);
  }
  const bool early = Now() < window.end;
  const CpuSample end = SampleCpu(settings.server_pids);
  FillCpu(settings.server_pids, begin, end, result);
  const Nanoseconds last = early ? threads.Last() : window.end;
  result->window = std::max<Nanoseconds>(0, last - window.begin);
}

}  // namespace

std::uint64_t PhaseResult::WrongCount() const {
  std::uint64_t count = 0;
  for (const auto& [what, times] : wrong) count += times;
  return count;
}

Tally PhaseResult::Total() const {
  Tally total;
  for (const Tally& tally : tallies) total.Merge(tally);
  return total;
}

Nanoseconds PhaseResult::ServerCpuTotal() const {
  Nanoseconds total = 0;
  for (const ServerCpu& server : servers) total += server.cpu;
  return total;
}

Bottleneck FindBottleneck(const PhaseResult& result) {
  if (result.busiest_thread >= kSaturated) return Bottleneck::kClientThreads;
  if (result.machine_cpu <= 0) return Bottleneck::kNone;
  const double idle = Seconds(result.machine_idle) / Seconds(result.machine_cpu);
  const Nanoseconds left = result.client_cpu + result.machine_idle;
  const bool takes_what_is_left = Seconds(result.client_cpu) >= kSaturated * Seconds(left);
  return idle < kNoIdle && takes_what_is_left ? Bottleneck::kMachine : Bottleneck::kNone;
}

PhaseResult RunPhase(const PhaseSettings& settings, const std::vector<Scenario::Group>& groups,
                     const std::vector<std::string>& labels, const ProgressSink& progress) {
  PhaseControl control;
  control.stop = settings.stop;
  if (settings.operations != 0) {
    control.budget = static_cast<std::int64_t>(settings.operations);
  }
  auto workers = MakeWorkers(settings, groups, labels.size(), &control);
  for (const auto& worker : workers) worker->Connect();
  control.window.begin = Now() + settings.warmup;
  control.window.end = After(control.window.begin, settings.duration);
  for (const auto& worker : workers) worker->recorder().SetWindow(control.window);

  PhaseResult result;
  WorkerThreads threads(std::move(workers));
  threads.Start();
  Watch(settings, control.window, labels.size(), threads, progress, &result);
  threads.Join();
  result.tallies = threads.Tallies(labels.size());
  result.wrong = threads.Wrong();
  result.busiest_thread = threads.Busiest();
  result.missed = threads.Missed();
  result.bottleneck = FindBottleneck(result);
  return result;
}

}  // namespace twintree::load
