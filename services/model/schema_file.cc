#include "services/model/schema_file.h"

#include <cstddef>

#include "services/model/ascii.h"

namespace twintree::model {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

SchemaStatement StartStatement(std::string_view text, int line) {
  const std::size_t end = text.find_first_of(" \t(");
  SchemaStatement statement;
  statement.line = line;
  statement.keyword = ToLowerCopy(text.substr(0, end));
  if (end != std::string_view::npos) statement.body = Trim(text.substr(end));
  return statement;
}

}  // namespace

std::vector<SchemaStatement> SplitSchemaFile(std::string_view text) {
  std::vector<SchemaStatement> statements;
  bool in_comment = false;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::string_view content = Trim(line);
    if (content.empty()) continue;
    const bool continues = kBlanks.find(line.front()) != std::string_view::npos;
    if (!continues) in_comment = content.front() == '#';
    if (in_comment) continue;
    if (continues && !statements.empty()) {
      statements.back().body.append(" ").append(content);
    } else {
      statements.push_back(StartStatement(content, line_number));
    }
  }
  return statements;
}

Status OidMacros::Define(std::string_view body) {
  const std::size_t name_end = body.find_first_of(kBlanks);
  const std::string_view name = body.substr(0, name_end);
  const std::string oid =
      name_end == std::string_view::npos ? "" : Expand(Trim(body.substr(name_end)));
  if (!IsKeyString(name) || !IsNumericOid(oid)) {
    return Error{ResultCode::kOther, "objectidentifier takes a name and an OID", {}};
  }
  if (!oids_.emplace(ToLowerCopy(name), oid).second) {
    return Error{
        ResultCode::kOther, "the macro \"" + std::string(name) + "\" is defined twice", {}};
  }
  return OkStatus();
}

std::string OidMacros::Expand(std::string_view text) const {
  const std::size_t colon = text.find(':');
  const auto macro = oids_.find(ToLowerCopy(text.substr(0, colon)));
  if (macro == oids_.end()) return std::string(text);
  if (colon == std::string_view::npos) return macro->second;
  return macro->second + "." + std::string(text.substr(colon + 1));
}

}  // namespace twintree::model
