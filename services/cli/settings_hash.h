// A name for what a process is configured to do.
#ifndef TWINTREE_SERVICES_CLI_SETTINGS_HASH_H_
#define TWINTREE_SERVICES_CLI_SETTINGS_HASH_H_

#include <string>

#include <CLI/CLI.hpp>

namespace twintree::cli {

// 16 hexadecimal digits, the same for processes whose settings are, wherever each comes from. Files
// count by their names alone, so no secret is in it. Call when everything has been parsed.
std::string SettingsHash(const CLI::App& command);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_SETTINGS_HASH_H_
