#include "services/cli/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "services/model/spelling.h"

namespace twintree::cli {
namespace {

constexpr std::string_view kPrefix = "TWINTREE_";
constexpr char kSeparator = ';';

std::string VariableOf(const std::string& flag) {
  std::string variable(kPrefix);
  for (const char c : flag) {
    const auto octet = static_cast<unsigned char>(c);
    variable.push_back(c == '-' ? '_' : static_cast<char>(std::toupper(octet)));
  }
  return variable;
}

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(kSeparator), text.size());
    if (end > 0) pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

// TWINTREE_ROOT_DM: root-dm.
std::string FlagOf(std::string_view variable) {
  std::string flag(variable.substr(kPrefix.size()));
  for (char& c : flag) {
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return flag;
}

std::string MeantVariable(std::string_view name, const std::vector<const CLI::Option*>& known) {
  std::vector<std::string> flags;
  flags.reserve(known.size());
  for (const CLI::Option* option : known) flags.push_back(option->get_single_name());
  const std::string nearest = model::NearestWord(FlagOf(name), flags);
  return nearest.empty() ? "" : VariableOf(nearest);
}

// Has the option the value of its variable, and no other?
bool IsFromEnvironment(const CLI::Option& option) {
  if (option.get_envname().empty() || option.results().size() != 1) return false;
  const char* const value = std::getenv(option.get_envname().c_str());
  return value != nullptr && option.results().front() == value;
}

}  // namespace

void NameEnvironment(CLI::App* command, std::initializer_list<const char*> only_flags) {
  for (CLI::Option* option : command->get_options()) {
    const std::string name = option->get_single_name();
    if (option->get_lnames().empty() || name == "help") continue;
    if (std::find(only_flags.begin(), only_flags.end(), "--" + name) != only_flags.end()) continue;
    option->envname(VariableOf(name));
  }
}

void SplitEnvironmentLists(CLI::App* command) {
  for (CLI::Option* option : command->get_options()) {
    if (option->get_items_expected_max() <= 1 || !IsFromEnvironment(*option)) continue;
    const std::vector<std::string> pieces = Split(option->results().front());
    option->clear();
    for (const std::string& piece : pieces) option->add_result(piece);
    option->run_callback();
  }
}

std::vector<const CLI::Option*> SharedOptions(const CLI::App& command) {
  const CLI::App* root = &command;
  while (root->get_parent() != nullptr) root = root->get_parent();
  std::vector<const CLI::Option*> shared;
  for (const CLI::App* one : root->get_subcommands([](const CLI::App*) { return true; })) {
    for (const CLI::Option* option : one->get_options()) {
      if (!option->get_envname().empty()) shared.push_back(option);
    }
  }
  return shared;
}

std::vector<UnknownVariable> UnknownVariables(const CLI::App& command) {
  const std::vector<const CLI::Option*> known = SharedOptions(command);
  std::vector<UnknownVariable> unknown;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    if (!name.starts_with(kPrefix)) continue;
    const bool is_known = std::any_of(known.begin(), known.end(), [name](const CLI::Option* one) {
      return one->get_envname() == name;
    });
    if (!is_known) unknown.push_back({std::string(name), MeantVariable(name, known)});
  }
  return unknown;
}

}  // namespace twintree::cli
