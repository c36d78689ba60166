#include "storage/sqlite/store_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "storage/sqlite/private_file.h"
#include "storage/sqlite/sqlite_error.h"

namespace twintree::storage::sqlite {

namespace {

std::string HolderIn(int file) {
  std::array<char, 32> text{};
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  if (size <= 0) return "another process";
  std::string pid(text.data(), static_cast<std::size_t>(size));
  while (!pid.empty() && pid.back() == '\n') pid.pop_back();
  return "process " + pid;
}

}  // namespace

model::Result<std::unique_ptr<StoreLock>> StoreLock::Acquire(const std::string& path) {
  TT_RETURN_IF_ERROR(MakePrivateFile(path));
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return SystemError(errno, "cannot open " + path);
  std::unique_ptr<StoreLock> lock(new StoreLock(file));
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return SystemError(errno, "cannot lock " + path);
    return model::Error{model::ResultCode::kBusy,
                        "it is in use by " + HolderIn(file) + "; stop that one first", ""};
  }
  const std::string pid = std::to_string(getpid()) + "\n";
  // The number only serves messages: failing to write it is no reason to fail.
  if (ftruncate(file, 0) == 0) static_cast<void>(!pwrite(file, pid.data(), pid.size(), 0));
  return lock;
}

StoreLock::~StoreLock() { close(file_); }

}  // namespace twintree::storage::sqlite
