// CPU time of processes and of the machine, from /proc.
//
// Thread-safety: safe
// Source:        proc(5); Documentation/scheduler/sched-stats.rst of the kernel
#ifndef TWINTREE_LOAD_MEASURE_CPU_USAGE_H_
#define TWINTREE_LOAD_MEASURE_CPU_USAGE_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/measure/clock.h"

namespace twintree::load {

// What a process used up to a moment.
//
// The kernel tells it twice: `ticks` in steps of (usually) 10 ms, for all threads that ever were;
// `scheduled` in nanoseconds, for the threads there are.
struct ProcessCpu {
  Nanoseconds ticks = 0;
  Nanoseconds scheduled = 0;
};

// utime + stime of the text of /proc/PID/stat; nullopt if that is not what it is. The command's
// name in it may hold any octets, parentheses and spaces too.
std::optional<Nanoseconds> ParseProcessStat(std::string_view text);
// First number of the text of a schedstat file.
std::optional<Nanoseconds> ParseSchedstat(std::string_view text);

// nullopt when there is no such process.
std::optional<ProcessCpu> ReadProcessCpu(pid_t pid, const std::filesystem::path& proc = "/proc");

// Used between two readings: the exact figure, unless threads that ended in between make it fall
// short of the coarse one.
Nanoseconds CpuBetween(const ProcessCpu& begin, const ProcessCpu& end);

// Resident memory in bytes; 0 when there is no such process.
std::uint64_t ReadResidentBytes(pid_t pid, const std::filesystem::path& proc = "/proc");

// Name of the process's program as the kernel knows it (15 octets at most); empty when there is no
// such process.
std::string ReadProcessName(pid_t pid, const std::filesystem::path& proc = "/proc");

// Processes whose name is `name`, in ascending order.
std::vector<pid_t> FindProcesses(std::string_view name,
                                 const std::filesystem::path& proc = "/proc");

// Time that all CPUs of the machine had, and what of it nobody used.
struct MachineCpu {
  Nanoseconds total = 0;
  Nanoseconds idle = 0;
};
std::optional<MachineCpu> ParseMachineStat(std::string_view text);
// Zeros where the kernel tells nothing.
MachineCpu ReadMachineCpu(const std::filesystem::path& proc = "/proc");

// CPUs that this process may run on.
int UsableCpus();

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_MEASURE_CPU_USAGE_H_
