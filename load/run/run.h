// A whole run of a scenario: make ready, measure, tidy up.
//
// Errors:        throws std::runtime_error when the server cannot be reached or made ready
// Thread-safety: one run at a time
#ifndef TWINTREE_LOAD_RUN_RUN_H_
#define TWINTREE_LOAD_RUN_RUN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "load/run/phase.h"
#include "load/scenario/scenario.h"

namespace twintree::load {

struct RunSettings {
  const ScenarioInfo* scenario = nullptr;
  Population population;
  PhaseSettings phase;
  std::uint64_t prepared = 0;  // entries to add first, where the scenario consumes them
  bool keep_entries = false;   // leave what the scenario added
};

struct RunResult {
  RunSettings settings;
  std::vector<std::string> labels;
  PhaseResult measured;
  std::string note;     // what went wrong besides the answers, in a sentence; empty if nothing did
  std::string started;  // when, RFC 3339 in UTC
};

// Told what is going on: seconds of the measured phase, and a line for each step around it.
struct RunProgress {
  ProgressSink second;
  std::function<void(const std::string&)> step;
};

RunResult RunScenario(const RunSettings& settings, const RunProgress& progress);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_RUN_RUN_H_
