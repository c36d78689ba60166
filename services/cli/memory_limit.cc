#include "services/cli/memory_limit.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace twintree::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kLeastCache = std::uint64_t{16} << 20;
constexpr std::uint64_t kMostCache = std::uint64_t{4} << 30;
constexpr std::uint64_t kLeastTransport = std::uint64_t{128} << 20;
constexpr std::uint64_t kMostTransport = std::uint64_t{512} << 20;

// "MemTotal:       24576000 kB"
std::uint64_t MachineMemory(const fs::path& root) {
  std::ifstream in(root / "proc/meminfo");
  for (std::string name; in >> name;) {
    std::uint64_t kibibytes = 0;
    if (name == "MemTotal:" && in >> kibibytes) return kibibytes * 1024;
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return kNoLimit;
}

std::uint64_t NumberIn(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  return in >> number ? number : kNoLimit;  // "max" is no number
}

// The least limit from the group `path` up to the top of the hierarchy that is mounted at `mount`.
// In a container the mount is the container's own group, and `path` may not exist below it.
std::uint64_t LeastLimit(const fs::path& mount, const fs::path& path, const char* file) {
  std::uint64_t least = NumberIn(mount / file);
  for (fs::path group = path.relative_path(); !group.empty(); group = group.parent_path()) {
    least = std::min(least, NumberIn(mount / group / file));
  }
  return least;
}

// Lines of /proc/self/cgroup: "0::/path" of version 2, "8:memory:/path" of version 1.
std::uint64_t ControlGroupLimit(const fs::path& root) {
  std::uint64_t least = kNoLimit;
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path = line.substr(second + 1);
    if (controllers.empty()) {
      least = std::min(least, LeastLimit(root / "sys/fs/cgroup", path, "memory.max"));
    } else if (controllers == "memory") {
      least =
          std::min(least, LeastLimit(root / "sys/fs/cgroup/memory", path, "memory.limit_in_bytes"));
    }
  }
  return least;
}

}  // namespace

std::size_t MemoryLimit(const fs::path& root) {
  const std::uint64_t limit = std::min(MachineMemory(root), ControlGroupLimit(root));
  return limit == kNoLimit ? 0 : limit;
}

std::size_t DefaultCacheBytes(std::size_t memory_limit) {
  return std::clamp<std::uint64_t>(memory_limit / 8, kLeastCache, kMostCache);
}

std::size_t DefaultTransportBytes(std::size_t memory_limit) {
  return std::clamp<std::uint64_t>(memory_limit / 8, kLeastTransport, kMostTransport);
}

}  // namespace twintree::cli
