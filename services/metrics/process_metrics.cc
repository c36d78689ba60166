#include "services/metrics/process_metrics.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "services/metrics/families.h"
#include "services/metrics/names.h"

namespace twintree::metrics {
namespace {

// The fields of /proc/self/stat after the command, which is in parentheses and may hold spaces.
// Index 0 is field 3 of proc(5), the state.
std::vector<std::string> StatFields() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t end = line.rfind(')');
  if (end == std::string::npos) return {};
  std::istringstream rest(line.substr(end + 1));
  std::vector<std::string> fields;
  for (std::string field; rest >> field;) fields.push_back(std::move(field));
  return fields;
}

double BootTime() {
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("btime ", 0) == 0) return std::stod(line.substr(6));
  }
  return 0;
}

double OpenFiles() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/fd"), &closedir);
  if (folder == nullptr) return 0;
  int count = 0;
  while (readdir(folder.get()) != nullptr) ++count;
  return count - 3;  // ".", ".." and the folder itself
}

double MostFiles() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<double>(limit.rlim_cur) : 0;
}

}  // namespace

ProcessMetrics::ProcessMetrics(BuildInfo build, std::string config_hash,
                               std::function<bool()> ready)
    : build_(std::move(build)), config_hash_(std::move(config_hash)), ready_(std::move(ready)) {}

std::vector<prometheus::MetricFamily> ProcessMetrics::Collect() const {
  std::vector<prometheus::MetricFamily> families;
  auto info =
      Family(names::kBuildInfo, "What is running; always 1.", prometheus::MetricType::Gauge);
  AddGauge(&info,
           {{"version", build_.version},
            {"revision", build_.revision},
            {"grpc", build_.grpc},
            {"sqlite", build_.sqlite},
            {"role", build_.role}},
           1);
  families.push_back(std::move(info));
  auto config = Family(names::kConfigHash, "Hash of the settings in effect; always 1.",
                       prometheus::MetricType::Gauge);
  AddGauge(&config, {{"hash", config_hash_}}, 1);
  families.push_back(std::move(config));
  families.push_back(
      GaugeFamily(names::kReady, "1 when the process takes requests, else 0.", ready_() ? 1 : 0));
  families.push_back(GaugeFamily(names::kProcessOpenFds, "Open file descriptors.", OpenFiles()));
  families.push_back(
      GaugeFamily(names::kProcessMaxFds, "Limit of open file descriptors.", MostFiles()));

  const std::vector<std::string> stat = StatFields();
  constexpr std::size_t kUserTime = 11, kSystemTime = 12, kThreads = 17, kStart = 19, kVirtual = 20,
                        kResident = 21;
  if (stat.size() <= kResident) return families;
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
  families.push_back(
      CounterFamily(names::kProcessCpu, "CPU time used, user and system.",
                    (std::stod(stat[kUserTime]) + std::stod(stat[kSystemTime])) / ticks));
  families.push_back(GaugeFamily(names::kProcessThreads, "Threads.", std::stod(stat[kThreads])));
  families.push_back(GaugeFamily(names::kProcessStart, "Start time since the epoch.",
                                 BootTime() + std::stod(stat[kStart]) / ticks));
  families.push_back(
      GaugeFamily(names::kProcessVirtual, "Virtual memory.", std::stod(stat[kVirtual])));
  families.push_back(
      GaugeFamily(names::kProcessResident, "Resident memory.", std::stod(stat[kResident]) * page));
  return families;
}

}  // namespace twintree::metrics
