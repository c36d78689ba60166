#include "services/model/schema_file.h"

#include <cstddef>
#include <optional>

#include "services/model/ascii.h"
#include "services/model/base64.h"

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

std::string_view TakeLine(std::string_view* text) {
  const std::size_t end = text->find('\n');
  std::string_view line = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool IsLdif(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = TakeLine(&text);
    if (Trim(line).empty() || line.front() == '#' || line.front() == ' ') continue;
    const std::string name = ToLowerCopy(line.substr(0, line.find(':')));
    return line.find(':') != std::string_view::npos && (name == "dn" || name == "version");
  }
  return false;
}

// The statement that an attribute of the entry stands for; empty: none.
std::string_view KeywordOf(std::string_view attribute) {
  std::string name = ToLowerCopy(attribute.substr(0, attribute.find(';')));
  if (name.starts_with("olc")) name.erase(0, 3);
  for (const std::string_view keyword :
       {"attributetypes", "objectclasses", "objectidentifier", "ldapsyntaxes", "ditcontentrules"}) {
    if (name == keyword) return keyword;
  }
  return {};
}

// The place in an order, as slapd's configuration writes it before a value: `{12}`.
std::string_view WithoutNumber(std::string_view value) {
  if (!value.starts_with('{')) return value;
  const std::size_t end = value.find_first_not_of("0123456789", 1);
  return end != std::string_view::npos && value[end] == '}' ? value.substr(end + 1) : value;
}

void AppendLdifLine(std::string_view line, int number, std::vector<SchemaStatement>* statements) {
  const std::size_t colon = line.find(':');
  if (line.starts_with('#') || colon == std::string_view::npos) return;
  const std::string_view keyword = KeywordOf(line.substr(0, colon));
  if (keyword.empty()) return;
  std::string_view value = line.substr(colon + 1);
  std::optional<std::string> decoded;
  if (value.starts_with(':')) {
    decoded = DecodeBase64(Trim(value.substr(1)));
    value = decoded ? std::string_view(*decoded) : std::string_view();
  }
  statements->push_back(
      {number, std::string(keyword), std::string(Trim(WithoutNumber(Trim(value))))});
}

std::vector<SchemaStatement> SplitLdif(std::string_view text) {
  std::vector<SchemaStatement> statements;
  std::string line;
  int first = 1;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view physical = TakeLine(&text);
    if (physical.starts_with(' ')) {
      line.append(physical.substr(1));
      continue;
    }
    AppendLdifLine(line, first, &statements);
    line = physical;
    first = number;
  }
  AppendLdifLine(line, first, &statements);
  return statements;
}

}  // namespace

std::vector<SchemaStatement> SplitSchemaFile(std::string_view text) {
  if (IsLdif(text)) return SplitLdif(text);
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
  const auto [macro, is_new] = oids_.emplace(ToLowerCopy(name), oid);
  if (!is_new && macro->second != oid) {
    return Error{ResultCode::kOther,
                 "the macro \"" + std::string(name) + "\" is " + macro->second + " already",
                 {}};
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
