// Settings that come from environment variables.
//
// A variable that is empty is as none. Several values of a flag that may be repeated stand in one
// variable, separated by ';' (TWINTREE_SUFFIX="dc=a;dc=b").
#ifndef TWINTREE_SERVICES_CLI_ENVIRONMENT_H_
#define TWINTREE_SERVICES_CLI_ENVIRONMENT_H_

#include <initializer_list>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace twintree::cli {

// Gives every flag of `command` its environment variable, but for `only_flags`: those mean
// something else in other commands, so they come neither from the environment nor from a config
// file, which many commands may share. Call when all flags are there.
void NameEnvironment(CLI::App* command, std::initializer_list<const char*> only_flags = {});

// Cuts the variables that hold several values. Call after parsing. Throws CLI::Error for a value
// that is wrong.
void SplitEnvironmentLists(CLI::App* command);

struct UnknownVariable {
  std::string name;
  std::string meant;  // the one that was probably meant; may be empty
};

// The variables TWINTREE_... that belong to no flag of any command beside `command`.
std::vector<UnknownVariable> UnknownVariables(const CLI::App& command);

// The options of all commands beside `command`, and its own, that may come from the environment or
// a config file.
std::vector<const CLI::Option*> SharedOptions(const CLI::App& command);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_ENVIRONMENT_H_
