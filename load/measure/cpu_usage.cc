#include "load/measure/cpu_usage.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>

namespace twintree::load {
namespace {

namespace fs = std::filesystem;

constexpr int kUserTimeField = 14;  // of /proc/PID/stat, from 1 as in proc(5)
constexpr int kNameField = 2;
constexpr int kIdleFields[] = {3, 4};  // of the line "cpu" of /proc/stat, from 0: idle, iowait
constexpr int kMachineFields = 8;      // what follows is part of the first two

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Nanoseconds TickLength() {
  static const Nanoseconds kLength = kSecond / std::max(1L, ::sysconf(_SC_CLK_TCK));
  return kLength;
}

// Takes the next word, and the spaces before it, off `text`.
std::string_view NextWord(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t\n"));
  text.remove_prefix(word.size());
  return word;
}

std::optional<std::uint64_t> NextNumber(std::string_view& text) {
  const std::string_view word = NextWord(text);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::optional<pid_t> ProcessNumber(const fs::path& folder) {
  const std::string name = folder.filename().string();
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (error != std::errc() || end != name.data() + name.size() || pid <= 0) return std::nullopt;
  return pid;
}

Nanoseconds ScheduledOfThreads(const fs::path& folder) {
  Nanoseconds sum = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder / "task", error), end; !error && it != end;
       it.increment(error)) {
    sum += ParseSchedstat(ReadFile(it->path() / "schedstat")).value_or(0);
  }
  return sum;
}

}  // namespace

std::optional<Nanoseconds> ParseProcessStat(std::string_view text) {
  const auto name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  text.remove_prefix(name_end + 1);
  for (int field = kNameField + 1; field < kUserTimeField; ++field) NextWord(text);
  const auto user = NextNumber(text);
  const auto system = NextNumber(text);
  if (!user || !system) return std::nullopt;
  return static_cast<Nanoseconds>(*user + *system) * TickLength();
}

std::optional<Nanoseconds> ParseSchedstat(std::string_view text) {
  const auto time = NextNumber(text);
  if (!time) return std::nullopt;
  return static_cast<Nanoseconds>(*time);
}

std::optional<ProcessCpu> ReadProcessCpu(pid_t pid, const fs::path& proc) {
  const fs::path folder = proc / std::to_string(pid);
  const auto ticks = ParseProcessStat(ReadFile(folder / "stat"));
  if (!ticks) return std::nullopt;
  return ProcessCpu{*ticks, ScheduledOfThreads(folder)};
}

Nanoseconds CpuBetween(const ProcessCpu& begin, const ProcessCpu& end) {
  const Nanoseconds coarse = std::max<Nanoseconds>(0, end.ticks - begin.ticks);
  const Nanoseconds exact = end.scheduled - begin.scheduled;
  // Each coarse reading may be off by one tick for user and one for system time.
  return exact >= coarse - 4 * TickLength() && exact > 0 ? exact : coarse;
}

std::uint64_t ReadResidentBytes(pid_t pid, const fs::path& proc) {
  const std::string text = ReadFile(proc / std::to_string(pid) / "statm");
  std::string_view rest = text;
  NextWord(rest);
  return NextNumber(rest).value_or(0) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string ReadProcessName(pid_t pid, const fs::path& proc) {
  std::string name = ReadFile(proc / std::to_string(pid) / "comm");
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

std::vector<pid_t> FindProcesses(std::string_view name, const fs::path& proc) {
  std::vector<pid_t> found;
  std::error_code error;
  for (fs::directory_iterator it(proc, error), end; !error && it != end; it.increment(error)) {
    const auto pid = ProcessNumber(it->path());
    if (pid && ReadProcessName(*pid, proc) == name) found.push_back(*pid);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<MachineCpu> ParseMachineStat(std::string_view text) {
  if (NextWord(text) != "cpu") return std::nullopt;
  MachineCpu machine;
  for (int field = 0; field < kMachineFields; ++field) {
    const auto ticks = NextNumber(text);
    if (!ticks) return std::nullopt;
    const Nanoseconds time = static_cast<Nanoseconds>(*ticks) * TickLength();
    machine.total += time;
    if (std::find(std::begin(kIdleFields), std::end(kIdleFields), field) != std::end(kIdleFields)) {
      machine.idle += time;
    }
  }
  return machine;
}

MachineCpu ReadMachineCpu(const fs::path& proc) {
  return ParseMachineStat(ReadFile(proc / "stat")).value_or(MachineCpu{});
}

int UsableCpus() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace twintree::load
