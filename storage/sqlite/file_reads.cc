#include "storage/sqlite/file_reads.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace twintree::storage::sqlite {
namespace {

// Read at a time, so that somebody who waits for a page waits for no more than this.
constexpr std::size_t kPrefetchStep = std::size_t{256} << 10;

// Lines of /proc/self/maps: "7f00a000-7f00b000 r--s 00000000 fe:00 1234   /path".
void AdviseMapsOf(const struct stat& file) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long long begin = 0;  // NOLINT(google-runtime-int): what sscanf takes
    unsigned long long end = 0;    // NOLINT(google-runtime-int)
    unsigned long long inode = 0;  // NOLINT(google-runtime-int)
    unsigned int major_number = 0;
    unsigned int minor_number = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx %*s %*x %x:%x %llu", &begin, &end, &major_number,
                    &minor_number, &inode) != 5) {
      continue;
    }
    if (inode != file.st_ino || makedev(major_number, minor_number) != file.st_dev) continue;
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_RANDOM);
  }
}

// Names in /proc/self/fd are numbers.
void AdviseDescriptorsOf(const struct stat& file) {
  std::error_code error;
  std::filesystem::directory_iterator at("/proc/self/fd", error);
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    const int fd = std::atoi(at->path().filename().c_str());
    struct stat opened {};
    if (fstat(fd, &opened) != 0) continue;
    if (opened.st_ino != file.st_ino || opened.st_dev != file.st_dev) continue;
    posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
  }
}

}  // namespace

void AdviseRandomReads(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return;
  AdviseMapsOf(file);
  AdviseDescriptorsOf(file);
}

Prefetch::Prefetch(std::string path, std::uint64_t at_most) {
  if (at_most == 0) return;
  thread_ = std::thread([this, path = std::move(path), at_most] { Run(path, at_most); });
}

Prefetch::~Prefetch() {
  stopping_.store(true);
  if (thread_.joinable()) thread_.join();
}

void Prefetch::Run(const std::string& path, std::uint64_t at_most) {
  // Signals belong to the main thread.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct stat file {};
  if (fstat(fd, &file) == 0 && static_cast<std::uint64_t>(file.st_size) <= at_most) {
    posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);  // nothing beyond what is asked for
    const auto buffer = std::make_unique_for_overwrite<char[]>(kPrefetchStep);
    for (off_t at = 0; at < file.st_size && !stopping_.load();) {
      const ssize_t count = pread(fd, buffer.get(), kPrefetchStep, at);
      if (count <= 0) break;
      at += count;
    }
  }
  close(fd);
}

}  // namespace twintree::storage::sqlite
