#include "load/report/html_report.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "load/report/figures.h"
#include "load/report/svg_plot.h"
#include "load/report/text_report.h"

namespace twintree::load {
namespace {

constexpr std::string_view kStyle =
    "body { font-family: sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em;"
    " color: #222; }\n"
    "table { border-collapse: collapse; margin: 1em 0; }\n"
    "td, th { padding: .25em .8em; text-align: right; border-bottom: 1px solid #ddd; }\n"
    "td:first-child, th:first-child { text-align: left; }\n"
    ".warning { background: #fdecea; padding: .6em 1em; }\n"
    "svg { display: block; max-width: 100%; height: auto; margin: 1.5em 0; }\n";

// Places of percentiles on an axis on which each nine takes as much room.
constexpr std::pair<double, std::string_view> kPercentileLabels[] = {
    {1, "0 %"}, {2, "50 %"}, {10, "90 %"}, {100, "99 %"}, {1000, "99.9 %"}, {10000, "99.99 %"},
};

double PercentilePlace(double percent) { return 100 / (100 - percent); }

std::string Page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}</body>\n"
      "</html>\n",
      EscapeMarkup(title), kStyle, body);
}

std::string Row(const std::vector<std::string>& cells, std::string_view tag = "td") {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, cell);
  return row + "</tr>\n";
}

std::string Warning(const std::string& text) {
  return text.empty() ? "" : "<p class=\"warning\">" + EscapeMarkup(text) + "</p>\n";
}

std::string TallyRow(const std::string& name, const Tally& tally, Nanoseconds window) {
  std::vector<std::string> cells = {EscapeMarkup(name), std::to_string(tally.operations),
                                    fmt::format("{:.1f}", PerSecond(tally.operations, window)),
                                    fmt::format("{:.1f}", PerSecond(tally.entries, window))};
  for (const auto& [percent, label] : kReportedPercentiles) {
    cells.push_back(fmt::format("{:.3f}", Milliseconds(tally.latency.Percentile(percent))));
  }
  cells.push_back(fmt::format("{:.3f}", Milliseconds(tally.latency.max())));
  return Row(cells);
}

std::string TallyTable(const RunResult& result) {
  std::string table = "<table>\n" + Row({"", "operations", "operations/s", "entries/s", "p50 ms",
                                         "p90", "p95", "p99", "p99.9", "max"},
                                        "th");
  std::size_t rows = 0;
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    const Tally& tally = result.measured.tallies[i];
    if (tally.all_operations == 0) continue;
    table += TallyRow(result.labels[i], tally, result.measured.window);
    ++rows;
  }
  if (rows != 1) table += TallyRow("all", result.measured.Total(), result.measured.window);
  return table + "</table>\n";
}

std::string CpuTable(const PhaseResult& result) {
  const std::uint64_t operations = result.Total().operations;
  std::string table =
      "<table>\n" + Row({"process", "CPU us/operation", "CPUs", "resident MiB"}, "th");
  const auto row = [&](const std::string& name, Nanoseconds cpu, const std::string& memory) {
    table +=
        Row({EscapeMarkup(name), fmt::format("{:.1f}", MicrosecondsPerOperation(cpu, operations)),
             fmt::format("{:.2f}", Share(cpu, result.window)), memory});
  };
  row("client", result.client_cpu, "");
  for (const ServerCpu& server : result.servers) {
    row(fmt::format("{} ({}){}", server.name, server.pid, server.ended ? ", ended" : ""),
        server.cpu,
        fmt::format("{:.1f}", static_cast<double>(server.resident_bytes) / (1024 * 1024)));
  }
  return table + "</table>\n";
}

std::string WrongTable(const PhaseResult& result) {
  if (result.wrong.empty()) return "<p>Every answer was right.</p>\n";
  std::string table = "<table class=\"warning\">\n" + Row({"wrong answer", "times"}, "th");
  for (const auto& [what, count] : result.wrong) {
    table += Row({EscapeMarkup(what), std::to_string(count)});
  }
  return table + "</table>\n";
}

std::string ThroughputPlot(const PhaseResult& result) {
  Series operations{"operations", {}};
  Series entries{"entries", {}};
  for (const SecondFigures& second : result.seconds) {
    operations.points.emplace_back(second.time, second.operations);
    entries.points.emplace_back(second.time, second.entries);
  }
  Plot plot{"Throughput", {"seconds, warm-up included"}, {"per second"}, {operations}};
  const Tally total = result.Total();
  if (total.entries > 2 * total.operations) plot.series.push_back(entries);
  return FormatSvg(plot);
}

std::string LatencyOverTimePlot(const PhaseResult& result) {
  Series median{"p50", {}};
  Series p99{"p99", {}};
  Series max{"max", {}};
  for (const SecondFigures& second : result.seconds) {
    if (second.warmup) continue;
    median.points.emplace_back(second.time, Milliseconds(second.p50));
    p99.points.emplace_back(second.time, Milliseconds(second.p99));
    max.points.emplace_back(second.time, Milliseconds(second.max));
  }
  return FormatSvg({"Latency over time",
                    {"seconds"},
                    {"milliseconds", AxisScale::kLogarithmic},
                    {median, p99, max}});
}

Series PercentileSeries(const std::string& name, const Histogram& latency) {
  Series series{name, {}};
  for (const double percent :
       {0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 97.5, 99.0, 99.5, 99.75, 99.9, 99.95, 99.99}) {
    // Beyond the last value there is nothing to show.
    if (PercentilePlace(percent) > static_cast<double>(latency.count())) break;
    series.points.emplace_back(PercentilePlace(percent), Milliseconds(latency.Percentile(percent)));
  }
  return series;
}

std::string PercentilePlot(const RunResult& result) {
  Plot plot{"Latency by percentile",
            {"operations that took no longer", AxisScale::kLogarithmic},
            {"milliseconds", AxisScale::kLogarithmic},
            {}};
  for (const auto& [place, label] : kPercentileLabels) plot.x.labels.emplace_back(place, label);
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    const Histogram& latency = result.measured.tallies[i].latency;
    if (latency.count() != 0) plot.series.push_back(PercentileSeries(result.labels[i], latency));
  }
  return FormatSvg(plot);
}

std::string StepRow(const RunResult& step) {
  const Tally total = step.measured.Total();
  return Row(
      {std::to_string(step.settings.phase.connections),
       fmt::format("{:.1f}", PerSecond(total.operations, step.measured.window)),
       fmt::format("{:.3f}", Milliseconds(total.latency.Percentile(50))),
       fmt::format("{:.3f}", Milliseconds(total.latency.Percentile(99))),
       fmt::format("{:.1f}", MicrosecondsPerOperation(step.measured.client_cpu, total.operations)),
       step.measured.servers.empty()
           ? ""
           : fmt::format("{:.1f}", MicrosecondsPerOperation(step.measured.ServerCpuTotal(),
                                                            total.operations)),
       std::to_string(step.measured.WrongCount())});
}

std::string StepPlots(const OptimizeResult& result) {
  Series throughput{"operations/s", {}};
  Series median{"p50", {}};
  Series p99{"p99", {}};
  Axis connections{"connections", AxisScale::kLogarithmic, {}};
  for (const RunResult& step : result.steps) {
    const double x = step.settings.phase.connections;
    const Tally total = step.measured.Total();
    connections.labels.emplace_back(x, ShortNumber(x));
    throughput.points.emplace_back(x, PerSecond(total.operations, step.measured.window));
    median.points.emplace_back(x, Milliseconds(total.latency.Percentile(50)));
    p99.points.emplace_back(x, Milliseconds(total.latency.Percentile(99)));
  }
  return FormatSvg({"Throughput by connections", connections, {"operations/s"}, {throughput}}) +
         FormatSvg({"Latency by connections",
                    connections,
                    {"milliseconds", AxisScale::kLogarithmic},
                    {median, p99}});
}

}  // namespace

std::string FormatHtml(const RunResult& result) {
  const PhaseResult& measured = result.measured;
  std::string body = "<p>" + EscapeMarkup(DescribeRun(result.settings, measured)) + "; begun " +
                     result.started + ".</p>\n";
  body += Warning(DescribeBottleneck(measured)) + Warning(DescribeMissed(measured)) +
          Warning(result.note);
  body += TallyTable(result) + CpuTable(measured) + WrongTable(measured);
  body += ThroughputPlot(measured) + LatencyOverTimePlot(measured) + PercentilePlot(result);
  return Page(fmt::format("twintree-load: {}", result.settings.scenario->name), body);
}

std::string FormatHtml(const OptimizeResult& result) {
  if (result.steps.empty()) return Page("twintree-load: optimize", "");
  const RunSettings& settings = result.steps.front().settings;
  std::string body = fmt::format("<p>{} on {}, {} people. {} Best: {} connections.</p>\n",
                                 settings.scenario->name, EscapeMarkup(settings.phase.target.url),
                                 settings.population.people, EscapeMarkup(DescribeEnd(result.end)),
                                 result.steps[result.best].settings.phase.connections);
  body += "<table>\n" + Row({"connections", "operations/s", "p50 ms", "p99 ms",
                             "client CPU us/operation", "server CPU us/operation", "wrong answers"},
                            "th");
  for (const RunResult& step : result.steps) body += StepRow(step);
  body += "</table>\n" + StepPlots(result);
  return Page(fmt::format("twintree-load: optimize {}", settings.scenario->name), body);
}

}  // namespace twintree::load
