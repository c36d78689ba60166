#include "services/model/ldif_url.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "services/model/ascii.h"

namespace twintree::model {
namespace {

Error BadUrl(std::string message) {
  return Error{ResultCode::kProtocolError, std::move(message), ""};
}

std::optional<std::string> DecodePercent(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.push_back(text[i]);
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    if (digits.size() < 2 || HexValue(digits[0]) < 0 || HexValue(digits[1]) < 0) return {};
    decoded.push_back(static_cast<char>(HexValue(digits[0]) * 16 + HexValue(digits[1])));
    i += 2;
  }
  return decoded;
}

// The path of file:/path, file:///path or file://localhost/path.
std::optional<std::string> PathOf(std::string_view url) {
  constexpr std::string_view kScheme = "file:";
  constexpr std::string_view kLocalHost = "localhost";
  if (!EqualsIgnoreCase(url.substr(0, kScheme.size()), kScheme)) return {};
  url.remove_prefix(kScheme.size());
  if (url.starts_with("//")) {
    url.remove_prefix(2);
    if (EqualsIgnoreCase(url.substr(0, kLocalHost.size()), kLocalHost)) {
      url.remove_prefix(kLocalHost.size());
    }
  }
  if (!url.starts_with('/')) return {};
  std::optional<std::string> path = DecodePercent(url);
  if (path && path->find('\0') != std::string::npos) return {};
  return path;
}

}  // namespace

Result<std::string> ReadFileUrl(std::string_view url, std::size_t max_bytes) {
  const std::optional<std::string> path = PathOf(url);
  if (!path) return BadUrl("not the URL of a local file");
  std::error_code error;
  const auto type = std::filesystem::status(*path, error).type();
  if (type == std::filesystem::file_type::not_found) return BadUrl("no such file: " + *path);
  if (error) return BadUrl("cannot read " + *path + ": " + error.message());
  if (type != std::filesystem::file_type::regular) return BadUrl("no regular file: " + *path);
  const std::uintmax_t size = std::filesystem::file_size(*path, error);
  if (error) return BadUrl("cannot read " + *path + ": " + error.message());
  if (size > max_bytes) return BadUrl("the file is too long: " + *path);
  errno = 0;
  std::ifstream file(*path, std::ios::binary);
  if (!file) return BadUrl("cannot read " + *path + ": " + std::strerror(errno));
  std::string octets(static_cast<std::size_t>(size), '\0');
  if (!file.read(octets.data(), static_cast<std::streamsize>(octets.size()))) {
    return BadUrl("cannot read " + *path);
  }
  return octets;
}

}  // namespace twintree::model
