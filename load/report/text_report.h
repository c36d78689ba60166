// A run's figures as text for people.
#ifndef TWINTREE_LOAD_REPORT_TEXT_REPORT_H_
#define TWINTREE_LOAD_REPORT_TEXT_REPORT_H_

#include <string>

#include "load/run/optimize.h"
#include "load/run/phase.h"
#include "load/run/run.h"

namespace twintree::load {

// One line for a second, without a line end.
std::string FormatSecond(const SecondFigures& second);

// The whole result.
std::string FormatResult(const RunResult& result);

// A table with a line for each number of connections: its head, one line, and what came out.
std::string FormatStepHead();
std::string FormatStep(const RunResult& step);
std::string FormatOptimum(const OptimizeResult& result);

// What limits the run beside the server, in a sentence; empty if nothing does.
std::string DescribeBottleneck(const PhaseResult& result);

// That a fixed rate was not reached, in a sentence; empty if it was.
std::string DescribeMissed(const PhaseResult& result);

// What is measured and how: "search-eq on ldap://...: 32 connections, closed loop, 10 s".
std::string DescribeRun(const RunSettings& settings, const PhaseResult& result);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_REPORT_TEXT_REPORT_H_
