// How many connections a server can make use of: a scenario with more and more of them, until
// throughput no longer rises.
//
// Errors: as RunScenario
#ifndef TWINTREE_LOAD_RUN_OPTIMIZE_H_
#define TWINTREE_LOAD_RUN_OPTIMIZE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "load/run/run.h"

namespace twintree::load {

struct OptimizeSettings {
  RunSettings run;  // its connections are those of the first step; each step has twice as many
  int max_connections = 1024;
};

enum class OptimizeEnd {
  kFlat,          // two steps in a row brought nothing
  kClientLimit,   // the client itself was the bottleneck
  kWrongAnswers,  // or a step that did not come to its end
  kMostConnections,
};

struct OptimizeResult {
  std::vector<RunResult> steps;
  std::size_t best = 0;  // index of the step with the highest throughput
  OptimizeEnd end = OptimizeEnd::kMostConnections;
};

// Decides, step by step, whether to go on.
class ThroughputWatch {
 public:
  // Throughput rises if it is higher than the best before by this factor.
  static constexpr double kRise = 1.03;
  static constexpr int kFlatSteps = 2;

  // True while it makes sense to go on after a step with this many operations a second.
  bool Rises(double operations_per_second);
  std::size_t best() const { return best_; }

 private:
  std::size_t steps_ = 0;
  std::size_t best_ = 0;
  double highest_ = 0;
  double level_ = 0;  // what a step must exceed to count as a rise
  int flat_ = 0;
};

using StepSink = std::function<void(const RunResult&)>;

OptimizeResult Optimize(const OptimizeSettings& settings, const RunProgress& progress,
                        const StepSink& step);

// The end in a sentence.
std::string DescribeEnd(OptimizeEnd end);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_RUN_OPTIMIZE_H_
