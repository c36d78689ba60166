// A run's figures as an HTML page with plots, which stands alone: no script, no other file.
#ifndef TWINTREE_LOAD_REPORT_HTML_REPORT_H_
#define TWINTREE_LOAD_REPORT_HTML_REPORT_H_

#include <string>

#include "load/run/optimize.h"
#include "load/run/run.h"

namespace twintree::load {

std::string FormatHtml(const RunResult& result);
std::string FormatHtml(const OptimizeResult& result);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_REPORT_HTML_REPORT_H_
