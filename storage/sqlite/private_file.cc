#include "storage/sqlite/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "storage/sqlite/sqlite_error.h"

namespace twintree::storage::sqlite {

model::Status MakePrivateFile(const std::string& path) {
  constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly);
  if (file < 0 && errno == EEXIST) {
    WithdrawFromOthers(path);
    return model::OkStatus();
  }
  if (file < 0) return SystemError(errno, "cannot open " + path);
  const int reason = fchmod(file, kOwnerOnly) == 0 ? 0 : errno;
  close(file);
  if (reason != 0) return SystemError(reason, "cannot set the mode of " + path);
  return model::OkStatus();
}

void WithdrawFromOthers(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || (status.st_mode & S_IRWXO) == 0) return;
  // Fails for a file of another user, who answers for its mode.
  static_cast<void>(!chmod(path.c_str(), status.st_mode & 07777 & ~S_IRWXO));
}

}  // namespace twintree::storage::sqlite
