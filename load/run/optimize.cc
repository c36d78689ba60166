#include "load/run/optimize.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace twintree::load {
namespace {

double Throughput(const RunResult& result) {
  const Nanoseconds window = result.measured.window;
  return window <= 0 ? 0
                     : static_cast<double>(result.measured.Total().operations) / Seconds(window);
}

std::optional<OptimizeEnd> EndAfter(const RunResult& result, bool rises) {
  if (result.measured.WrongCount() != 0 || !result.note.empty()) return OptimizeEnd::kWrongAnswers;
  if (result.measured.bottleneck == Bottleneck::kClientThreads) return OptimizeEnd::kClientLimit;
  if (!rises) return OptimizeEnd::kFlat;
  return std::nullopt;
}

}  // namespace

bool ThroughputWatch::Rises(double operations_per_second) {
  if (operations_per_second > highest_ || steps_ == 0) {
    highest_ = operations_per_second;
    best_ = steps_;
  }
  ++steps_;
  if (operations_per_second > level_ * kRise) {
    level_ = operations_per_second;
    flat_ = 0;
  } else {
    ++flat_;
  }
  return flat_ < kFlatSteps;
}

OptimizeResult Optimize(const OptimizeSettings& settings, const RunProgress& progress,
                        const StepSink& step) {
  OptimizeResult result;
  ThroughputWatch watch;
  RunSettings run = settings.run;
  while (run.phase.connections <= settings.max_connections) {
    result.steps.push_back(RunScenario(run, progress));
    const RunResult& last = result.steps.back();
    if (step) step(last);
    const bool rises = watch.Rises(Throughput(last));
    result.best = watch.best();
    if (const auto end = EndAfter(last, rises)) {
      result.end = *end;
      return result;
    }
    run.phase.connections *= 2;
  }
  return result;
}

std::string DescribeEnd(OptimizeEnd end) {
  switch (end) {
    case OptimizeEnd::kFlat: return "Throughput no longer rises.";
    case OptimizeEnd::kClientLimit:
      return "The client is the bottleneck: the server could do more with more --threads or "
             "another machine for the client.";
    case OptimizeEnd::kWrongAnswers: return "A step went wrong.";
    case OptimizeEnd::kMostConnections: break;
  }
  return "The greatest number of connections was reached; throughput may still rise.";
}

}  // namespace twintree::load
