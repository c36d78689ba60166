// How much memory this process may use.
#ifndef TWINTREE_SERVICES_CLI_MEMORY_LIMIT_H_
#define TWINTREE_SERVICES_CLI_MEMORY_LIMIT_H_

#include <cstddef>
#include <filesystem>

namespace twintree::cli {

// The machine's memory, or the limit of the control group (version 1 or 2) in which the process
// runs, or of a group above it, where that is less; 0 if nothing can be read. In bytes. `root` is
// where proc and sys are mounted.
std::size_t MemoryLimit(const std::filesystem::path& root = "/");

// What the caches may take unless told otherwise: an eighth of the memory limit, but at least 16
// MiB and at most 4 GiB. Where there is less memory than data, the system's page cache makes more
// of it: entries are packed there.
std::size_t DefaultCacheBytes(std::size_t memory_limit);

// What gRPC may keep of messages that are not complete: an eighth too, at least 128 MiB and at most
// 512 MiB.
std::size_t DefaultTransportBytes(std::size_t memory_limit);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_MEMORY_LIMIT_H_
