#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "services/cli/settings.h"

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

Status ApplyKey(CLI::App* command, const std::string& file, const YAML::Node& key,
                const YAML::Node& value) {
  const std::string name = key.IsScalar() ? key.Scalar() : "";
  CLI::Option* option = name.empty() || name == "config" || name == "help"
                            ? nullptr
                            : command->get_option_no_throw("--" + name);
  if (option == nullptr) return At(file, key, "unknown key '" + name + "'");
  std::vector<std::string> texts;
  if (value.IsScalar()) {
    texts.push_back(value.Scalar());
  } else if (value.IsSequence()) {
    for (const YAML::Node& item : value) {
      if (!item.IsScalar()) return At(file, item, "'" + name + "' must be a list of texts");
      texts.push_back(item.Scalar());
    }
  } else {
    return At(file, value, "'" + name + "' must be a text or a list of texts");
  }
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
  TT_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(file));
  try {
    const YAML::Node document = YAML::Load(text);
    if (document.IsNull()) return model::OkStatus();
    if (!document.IsMap()) return At(file, document, "must be a map of settings");
    for (const auto& pair : document) {
      TT_RETURN_IF_ERROR(ApplyKey(command, file, pair.first, pair.second));
    }
  } catch (const YAML::Exception& exception) {
    return Error{ResultCode::kOther,
                 file + ":" + std::to_string(exception.mark.line + 1) + ": " + exception.msg, ""};
  }
  return model::OkStatus();
}

}  // namespace twintree::cli
