#include "services/cli/settings_hash.h"

#include <openssl/sha.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace twintree::cli {
namespace {

// With its length before it, so that no two lists of texts come out alike.
void Append(const std::string& text, std::string* out) {
  out->append(std::to_string(text.size())).append(":").append(text);
}

std::string Described(const CLI::Option& option) {
  std::string out;
  Append(option.get_single_name(), &out);
  if (option.count() == 0) {
    Append(option.get_default_str(), &out);
  } else {
    for (const std::string& value : option.results()) Append(value, &out);
  }
  return out;
}

}  // namespace

std::string SettingsHash(const CLI::App& command) {
  std::vector<std::string> settings;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_single_name();
    // Where settings stand is none.
    if (name != "help" && name != "config") settings.push_back(Described(*option));
  }
  std::sort(settings.begin(), settings.end());
  std::string all;
  Append(command.get_name(), &all);
  for (const std::string& setting : settings) Append(setting, &all);
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(all.data()), all.size(), digest);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hash;
  for (std::size_t i = 0; i < 8; ++i) {
    hash.push_back(kDigits[digest[i] >> 4]);
    hash.push_back(kDigits[digest[i] & 0xf]);
  }
  return hash;
}

}  // namespace twintree::cli
