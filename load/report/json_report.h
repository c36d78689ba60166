// A run's figures as JSON for machines.
//
// Shape:  one object; "format" rises when a field changes its meaning or goes. Times are in the
// unit
//         that their name ends with. A run:
//           {"tool", "format", "started", "scenario", "target", "connections", "depth", "threads",
//            "rate", "warmup_seconds", "seconds_measured", "people", "seed",
//            "total": TALLY, "operations": {NAME: TALLY, ...},
//            "cpu": {"client_us_per_operation", "server_us_per_operation", "busiest_client_thread",
//                    "machine_idle", "client_share_of_machine", "server_share_of_machine",
//                    "servers": [{"pid", "name", "us_per_operation", "cpu_seconds",
//                                 "resident_bytes", "ended"}, ...]},
//            "wrong_answers": {WHAT: COUNT, ...}, "missed", "bottleneck", "note",
//            "by_second": [{"time", "warmup", "operations_per_second", "entries_per_second",
//                           "p50_us", "p99_us", "max_us", "wrong_answers"}, ...]}
//         TALLY: {"operations", "operations_per_second", "entries", "entries_per_second",
//                 "latency_us": {"mean", "p50", "p90", "p95", "p99", "p99.9", "max"}}
//         "rate" is null in a closed loop, "server_us_per_operation" without known processes;
//         "bottleneck" is "none", "client" or "machine".
#ifndef TWINTREE_LOAD_REPORT_JSON_REPORT_H_
#define TWINTREE_LOAD_REPORT_JSON_REPORT_H_

#include <string>

#include "load/run/optimize.h"
#include "load/run/run.h"

namespace twintree::load {

std::string FormatJson(const RunResult& result);

// {"tool", "format", "best_connections", "end", "steps": [run, ...]}
std::string FormatJson(const OptimizeResult& result);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_REPORT_JSON_REPORT_H_
