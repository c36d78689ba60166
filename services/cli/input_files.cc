#include "services/cli/input_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "services/log/log.h"

namespace twintree::cli {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Secret;

namespace {

Error CannotRead(const std::string& path, int error) {
  return {ResultCode::kOther, "cannot read '" + path + "': " + std::strerror(error), ""};
}

}  // namespace

Error Named(const std::string& flag, const Error& error) {
  return {error.code, flag + ": " + error.message, ""};
}

Result<std::string> ReadTextFile(const std::string& path) {
  constexpr std::streamsize kMost = 16 << 20;
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return CannotRead(path, errno);
  std::string text(static_cast<std::size_t>(kMost) + 1, '\0');
  file.read(text.data(), kMost + 1);
  if (file.bad()) return CannotRead(path, errno);
  if (file.gcount() > kMost)
    return Error{ResultCode::kOther, "'" + path + "' is longer than 16 MiB", ""};
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

Result<std::string> ReadTextFile(const std::string& flag, const std::string& path) {
  Result<std::string> text = ReadTextFile(path);
  if (!text.ok()) return Named(flag, text.error());
  return text;
}

Result<Secret> ReadSecretFile(const std::string& flag, const std::string& path) {
  constexpr std::size_t kMost = 64 << 10;
  TT_ASSIGN_OR_RETURN(std::string text, ReadTextFile(flag, path));
  if (!text.empty() && text.back() == '\n') text.pop_back();
  if (!text.empty() && text.back() == '\r') text.pop_back();
  const std::string name = flag + ": '" + path + "'";
  if (text.empty()) return Error{ResultCode::kOther, name + " holds no secret: it is empty", ""};
  if (text.size() > kMost) return Error{ResultCode::kOther, name + " is longer than 64 KiB", ""};
  return Secret(std::move(text));
}

void WarnOfReadableSecret(const std::string& flag, const std::string& path) {
  struct stat status {};
  if (path.empty() || stat(path.c_str(), &status) != 0 || (status.st_mode & S_IROTH) == 0) return;
  log::Warning("secret_readable_by_everybody")
      .With("setting", flag)
      .With("file", path)
      .With("remedy", "chmod o= " + path);
}

model::Status CheckReadable(const std::string& flag, const std::string& path) {
  if (path.empty()) return model::OkStatus();
  struct stat status {};
  int error = access(path.c_str(), R_OK) == 0 ? 0 : errno;
  if (error == 0 && stat(path.c_str(), &status) != 0) error = errno;
  if (error == 0 && S_ISDIR(status.st_mode)) error = EISDIR;
  if (error != 0) return Named(flag, CannotRead(path, error));
  return model::OkStatus();
}

}  // namespace twintree::cli
