#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "services/cli/environment.h"
#include "services/cli/input_files.h"
#include "services/cli/settings.h"
#include "services/model/spelling.h"

namespace twintree::cli {
namespace {

using model::Error;
using model::ResultCode;
using model::Status;

Error At(const std::string& file, const YAML::Node& node, const std::string& what) {
  const YAML::Mark mark = node.Mark();
  const std::string line = mark.is_null() ? "" : ":" + std::to_string(mark.line + 1);
  return {ResultCode::kOther, file + line + ": " + what, ""};
}

// The file cannot name itself.
constexpr std::string_view kConfig = "config";

bool IsNamed(const CLI::Option& option, const std::string& name) {
  return name != kConfig && option.get_single_name() == name;
}

// Is it a flag of some command, one that no file sets?
bool IsFlagOnly(const CLI::App& command, const std::string& name) {
  const CLI::App* const root = command.get_parent() == nullptr ? &command : command.get_parent();
  const auto commands = root->get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(commands.begin(), commands.end(), [&name](const CLI::App* one) {
    return !name.empty() && one->get_option_no_throw("--" + name) != nullptr;
  });
}

// The option of this command; null when only others have it. Errors: no command has it.
model::Result<CLI::Option*> FindOption(CLI::App* command, const std::string& file,
                                       const YAML::Node& key) {
  const std::string name = key.IsScalar() ? key.Scalar() : "";
  for (CLI::Option* option : command->get_options()) {
    if (IsNamed(*option, name) && !option->get_envname().empty()) return option;
  }
  const std::vector<const CLI::Option*> shared = SharedOptions(*command);
  if (std::any_of(shared.begin(), shared.end(),
                  [&](const CLI::Option* option) { return IsNamed(*option, name); })) {
    return nullptr;
  }
  if (IsFlagOnly(*command, name)) {
    return At(file, key,
              "'" + name + "' cannot stand in a file of settings: it is a flag" +
                  (name == kConfig ? " and a variable" : "") + " only");
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : shared) {
    if (option->get_single_name() != kConfig) names.push_back(option->get_single_name());
  }
  const std::string nearest = model::NearestWord(name, names);
  return At(
      file, key,
      "unknown key '" + name + "'" + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

// An empty value has no place of its own in the file: the key's stands for it.
model::Result<std::vector<std::string>> TextsOf(const std::string& file, const YAML::Node& key,
                                                const YAML::Node& value) {
  const std::string& name = key.Scalar();
  if (value.IsNull() || (value.IsSequence() && value.size() == 0)) {
    return At(file, key, "'" + name + "' has no value");
  }
  if (value.IsScalar()) return std::vector<std::string>{value.Scalar()};
  if (!value.IsSequence()) {
    return At(file, value, "'" + name + "' must be a text or a list of texts");
  }
  std::vector<std::string> texts;
  for (const YAML::Node& item : value) {
    if (item.IsNull()) return At(file, key, "'" + name + "' has an empty value in its list");
    if (!item.IsScalar()) return At(file, item, "'" + name + "' must be a list of texts");
    texts.push_back(item.Scalar());
  }
  return texts;
}

Status ApplyKey(CLI::App* command, const std::string& file, const YAML::Node& key,
                const YAML::Node& value) {
  TT_ASSIGN_OR_RETURN(CLI::Option * option, FindOption(command, file, key));
  const std::string& name = key.Scalar();
  TT_ASSIGN_OR_RETURN(const std::vector<std::string> texts, TextsOf(file, key, value));
  if (option != nullptr && texts.size() > 1 && option->get_items_expected_max() <= 1) {
    return At(file, value, "'" + name + "' takes one value");
  }
  if (option == nullptr) return model::OkStatus();    // another command's
  if (option->count() > 0) return model::OkStatus();  // a flag or the environment has set it
  try {
    for (const std::string& text : texts) option->add_result(text);
    option->run_callback();
  } catch (const CLI::Error& error) {
    return At(file, value, "'" + name + "': " + error.what());
  }
  return model::OkStatus();
}

}  // namespace

Status ApplyConfigFile(CLI::App* command, const std::string& file) {
  if (file.empty()) return model::OkStatus();
  TT_ASSIGN_OR_RETURN(const std::string text, ReadTextFile("--config", file));
  try {
    const YAML::Node document = YAML::Load(text);
    if (document.IsNull()) return model::OkStatus();
    if (!document.IsMap()) return At(file, document, "must be a map of settings");
    std::set<std::string> seen;
    for (const auto& pair : document) {
      if (pair.first.IsScalar() && !seen.insert(pair.first.Scalar()).second) {
        return At(file, pair.first, "'" + pair.first.Scalar() + "' stands there twice");
      }
      TT_RETURN_IF_ERROR(ApplyKey(command, file, pair.first, pair.second));
    }
  } catch (const YAML::Exception& exception) {
    return Error{ResultCode::kOther,
                 file + ":" + std::to_string(exception.mark.line + 1) + ": " + exception.msg, ""};
  }
  return model::OkStatus();
}

}  // namespace twintree::cli
