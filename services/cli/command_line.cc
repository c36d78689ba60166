#include "services/cli/command_line.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "services/cli/environment.h"
#include "services/cli/settings.h"
#include "services/model/spelling.h"

namespace twintree::cli {
namespace {

// CLI11 takes the next argument for the value that is missing in `--flag=`.
std::vector<std::string> WithEmptyValues(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  bool only_values = false;  // behind --
  for (const std::string& argument : arguments) {
    only_values = only_values || argument == "--";
    const bool is_empty = !only_values && argument.size() > 3 && argument.starts_with("--") &&
                          argument.find('=') == argument.size() - 1;
    result.push_back(is_empty ? argument.substr(0, argument.size() - 1) : argument);
    if (is_empty) result.emplace_back();
  }
  return result;
}

// What is wrong, with the variable that says so: CLI11 names the flag, which nobody has written
// then.
std::string WithVariable(const CLI::App& command, const std::string& message,
                         const std::vector<std::string>& arguments) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string flag = "--" + option->get_single_name();
    if (option->get_envname().empty() || message.find(flag) == std::string::npos) continue;
    const bool is_flag =
        std::any_of(arguments.begin(), arguments.end(),
                    [&flag](const std::string& argument) { return argument.starts_with(flag); });
    if (is_flag || std::getenv(option->get_envname().c_str()) == nullptr) continue;
    return message + " (in the variable " + option->get_envname() + ")";
  }
  return message;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string nearest = model::NearestWord(word, candidates);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

// What was not expected, in the order in which it was given, and the flag that the first misspelt
// one is near to.
std::string Unexpected(const CLI::App& app, const CLI::App& command,
                       const std::vector<std::string>& arguments) {
  std::vector<std::string> extras = app.remaining(true);
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  std::string text = extras.size() == 1 ? "unexpected argument:" : "unexpected arguments:";
  std::string hint;
  for (const std::string& argument : arguments) {
    const auto extra = std::find(extras.begin(), extras.end(), argument);
    if (extra == extras.end()) continue;
    extras.erase(extra);
    text.append(" ").append(argument);
    if (!hint.empty() || !argument.starts_with("--")) continue;
    hint = DidYouMean(argument.substr(0, argument.find('=')), flags);
  }
  return text + hint;
}

std::string NoSuchCommand(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(one->get_name());
  }
  return "there is no command '" + word + "'" + DidYouMean(word, names);
}

// CLI11 gives its own codes; people and scripts expect 0 and 2.
int ParseOutcome(const CLI::App& app, const CLI::ParseError& error,
                 const std::vector<std::string>& arguments) {
  if (error.get_exit_code() == 0) return app.exit(error);  // help and version, to standard output
  const std::vector<const CLI::App*> parsed =
      app.get_subcommands([](const CLI::App* one) { return one->parsed(); });
  if (!parsed.empty()) {
    const CLI::App& command = *parsed.front();
    const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    return FailUsage(command, is_extra ? Unexpected(app, command, WithEmptyValues(arguments))
                                       : WithVariable(command, error.what(), arguments));
  }
  const auto word = std::find_if(arguments.begin(), arguments.end(),
                                 [](const std::string& one) { return !one.starts_with('-'); });
  std::cerr << "twintree: " << (word == arguments.end() ? error.what() : NoSuchCommand(app, *word))
            << "\nSee: twintree --help, or twintree COMMAND --help\n";
  return kExitUsage;
}

// Applies what the environment and the config file say beside the flags.
model::Status ApplyOtherSources(CLI::App* app) {
  try {
    SplitEnvironmentLists(app);
  } catch (const CLI::Error& error) {
    return model::Error{model::ResultCode::kOther, error.what(), ""};
  }
  const CLI::Option* const config = app->get_option_no_throw("--config");
  if (config == nullptr || config->count() == 0) return model::OkStatus();
  return ApplyConfigFile(app, config->as<std::string>());
}

int RunCommand(const Command& command) {
  const model::Status status = ApplyOtherSources(command.app);
  if (!status.ok()) return FailUsage(*command.app, status.error().message);
  if (!command.is_server) {
    for (const UnknownVariable& variable : UnknownVariables(*command.app)) {
      const std::string hint =
          variable.meant.empty() ? "" : "; did you mean " + variable.meant + "?";
      PrintError(*command.app,
                 "warning: the environment variable " + variable.name + " is no setting" + hint);
    }
  }
  return command.run();
}

}  // namespace

int RunCommandLine(CLI::App& app, const std::vector<Command>& commands,
                   const std::vector<std::string>& arguments) {
  std::vector<std::string> reversed = WithEmptyValues(arguments);
  std::reverse(reversed.begin(), reversed.end());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    return ParseOutcome(app, error, arguments);
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return RunCommand(command);
  }
  return kExitUsage;
}

}  // namespace twintree::cli
