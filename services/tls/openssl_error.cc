#include "services/tls/openssl_error.h"

#include <openssl/err.h>

#include <fstream>
#include <string_view>
#include <system_error>

namespace twintree::tls {
namespace {

// Nobody has more certificates than fit into these.
constexpr std::size_t kMostLines = 100'000;

// Is there the first line of a block whose label ends like that?
bool HoldsBlock(const std::string& file, std::string_view label_end) {
  std::ifstream input(file, std::ios::binary);
  std::string line;
  for (std::size_t count = 0; count < kMostLines && std::getline(input, line); ++count) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.starts_with("-----BEGIN ") && line.ends_with(label_end)) return true;
  }
  return false;
}

std::string ReasonOf(unsigned long code) {  // NOLINT(google-runtime-int): OpenSSL's type
  if (code == 0) return "unknown error";
  if (ERR_SYSTEM_ERROR(code)) return std::generic_category().message(ERR_GET_REASON(code));
  const char* const reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : "error " + std::to_string(code);
}

}  // namespace

std::string TakeError() {
  const unsigned long code = ERR_get_error();  // NOLINT(google-runtime-int): OpenSSL's type
  ERR_clear_error();
  return ReasonOf(code);
}

model::Error TakeFileError(const std::string& what, const std::string& file, PemContent expected) {
  const bool of_system = ERR_SYSTEM_ERROR(ERR_peek_error());
  std::string reason = TakeError();
  const bool is_key = expected == PemContent::kPrivateKey;
  if (!of_system && !HoldsBlock(file, is_key ? "PRIVATE KEY-----" : "CERTIFICATE-----")) {
    reason = is_key ? "it holds no PEM private key" : "it holds no PEM certificate";
  }
  return {model::ResultCode::kOther, what + " " + file + ": " + reason, ""};
}

}  // namespace twintree::tls
