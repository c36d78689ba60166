// One stretch of load: threads, window, CPU, second by second.
//
// Errors:        RunPhase throws std::runtime_error when it cannot connect or a thread cannot go on
// Thread-safety: one phase at a time
#ifndef TWINTREE_LOAD_RUN_PHASE_H_
#define TWINTREE_LOAD_RUN_PHASE_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "load/client/target.h"
#include "load/client/worker.h"
#include "load/measure/clock.h"
#include "load/measure/recorder.h"
#include "load/scenario/scenario.h"

namespace twintree::load {

struct PhaseSettings {
  Target target;
  Credentials credentials;
  int threads = 1;
  int connections = 32;
  int depth = 1;
  double rate = 0;  // operations a second; 0: closed loop
  Nanoseconds warmup = 0;
  Nanoseconds duration = kNever;  // kNever: until nothing is left to do
  std::uint64_t operations = 0;   // in the window; 0: no limit
  std::uint64_t seed = 1;
  std::vector<pid_t> server_pids;
  // Set from outside to end the phase early; may be null.
  const std::atomic<bool>* stop = nullptr;
};

// What a second looked like.
struct SecondFigures {
  double time = 0;  // seconds since the phase began, at the end of this second
  bool warmup = false;
  double operations = 0;  // a second
  double entries = 0;     // a second
  Nanoseconds p50 = 0;    // of operations that ended in it; 0 in the warm-up
  Nanoseconds p99 = 0;
  Nanoseconds max = 0;
  std::uint64_t wrong = 0;
};
using ProgressSink = std::function<void(const SecondFigures&)>;

struct ServerCpu {
  pid_t pid = 0;
  std::string name;
  Nanoseconds cpu = 0;               // used in the window
  std::uint64_t resident_bytes = 0;  // at its end
  bool ended = false;                // the process was gone by then
};

// What keeps the client from asking for more.
enum class Bottleneck {
  kNone,
  kClientThreads,  // a thread of the client is at its CPU's limit
  kMachine,        // no CPU of the machine is left: the client takes it from the server
};

struct PhaseResult {
  Nanoseconds window = 0;      // how long it really was
  std::vector<Tally> tallies;  // by label
  WrongAnswers wrong;
  std::uint64_t missed = 0;  // operations of a fixed rate that never began
  std::vector<SecondFigures> seconds;
  Nanoseconds client_cpu = 0;  // of the whole process, in the window
  double busiest_thread = 0;   // CPU of it over time, 0 to 1
  std::vector<ServerCpu> servers;
  Nanoseconds machine_cpu = 0;  // of all CPUs together, whether used or not
  Nanoseconds machine_idle = 0;
  Bottleneck bottleneck = Bottleneck::kNone;

  std::uint64_t WrongCount() const;
  Tally Total() const;
  Nanoseconds ServerCpuTotal() const;
};

// Whether the figures say that the client itself was the limit: a thread that is busy for 90 % of
// the time or more, or a machine of which nobody else leaves it more than it takes.
Bottleneck FindBottleneck(const PhaseResult& result);

// Groups that run together, with the names that operations are counted under.
PhaseResult RunPhase(const PhaseSettings& settings, const std::vector<Scenario::Group>& groups,
                     const std::vector<std::string>& labels, const ProgressSink& progress);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_RUN_PHASE_H_
