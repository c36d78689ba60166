#include "services/access/rule_parser.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "services/model/filter.h"
#include "services/model/spelling.h"

namespace twintree::access {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Schema;
using model::Status;

Error At(const YAML::Node& node, const std::string& what) {
  const YAML::Mark mark = node.Mark();
  const std::string line = mark.is_null() ? "" : "line " + std::to_string(mark.line + 1) + ": ";
  return Error{ResultCode::kOther, line + what, ""};
}

Result<std::string> Text(const YAML::Node& node, const std::string& key) {
  if (!node.IsScalar()) return At(node, "'" + key + "' must be a text");
  return node.Scalar();
}

// What was probably meant by a key that is unknown. In braces a comma ends a value.
std::string HintFor(const std::string& key, std::span<const std::string_view> known) {
  if (key.find('=') != std::string::npos) {
    return "; a name with commas needs quotes in braces and brackets: \"dn:cn=a,dc=b\"";
  }
  const std::string nearest = model::NearestWord(key, {known.begin(), known.end()});
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

// Each of `known` at most once, and nothing else.
template <std::size_t N>
Status OnlyKeys(const YAML::Node& map, const std::array<std::string_view, N>& known) {
  std::vector<std::string> seen;
  for (const auto& pair : map) {
    const std::string key = pair.first.IsScalar() ? pair.first.Scalar() : std::string("?");
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      return At(pair.first, "unknown key '" + key + "'" + HintFor(key, known));
    }
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
      return At(pair.first, "the key '" + key + "' is given twice");
    }
    seen.push_back(key);
  }
  return model::OkStatus();
}

Result<Rights> ParseRights(const YAML::Node& node) {
  constexpr std::array<std::pair<std::string_view, Rights>, 6> kWords = {{{"auth", kAuth},
                                                                          {"compare", kCompare},
                                                                          {"search", kSearch},
                                                                          {"read", kRead},
                                                                          {"write", kWrite},
                                                                          {"all", kAllRights}}};
  if (!node.IsSequence()) return At(node, "'rights' must be a list");
  Rights rights = 0;
  for (const YAML::Node& item : node) {
    TT_ASSIGN_OR_RETURN(const std::string word, Text(item, "rights"));
    const auto* found = std::find_if(kWords.begin(), kWords.end(),
                                     [&](const auto& each) { return each.first == word; });
    if (found == kWords.end()) {
      return At(item, "unknown right '" + word +
                          "'; known are auth, compare, search, read, write and all");
    }
    rights |= found->second;
  }
  return rights;
}

// "line 7: 'ou=People,dc=example,dc=com'": to be told when the name turns out to mean nothing.
std::string PlaceOf(const YAML::Node& node) { return At(node, "'" + node.Scalar() + "'").message; }

Result<Grant> ParseTo(const YAML::Node& node, const Schema& schema, std::vector<RuleName>* names) {
  TT_ASSIGN_OR_RETURN(const std::string text, Text(node, "to"));
  Grant grant;
  if (text == "anyone" || text == "anonymous" || text == "users" || text == "self") {
    grant.to = text == "anyone"      ? Grant::To::kAnyone
               : text == "anonymous" ? Grant::To::kAnonymous
               : text == "users"     ? Grant::To::kUsers
                                     : Grant::To::kSelf;
    return grant;
  }
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (colon == std::string::npos || (kind != "dn" && kind != "subtree" && kind != "group")) {
    return At(node,
              "'to' is anyone, anonymous, users, self, dn:NAME, subtree:NAME or group:NAME, not '" +
                  text + "'");
  }
  grant.to = kind == "dn"        ? Grant::To::kDn
             : kind == "subtree" ? Grant::To::kSubtree
                                 : Grant::To::kGroup;
  const std::string dn = text.substr(colon + 1);
  Result<model::DnKey> name = schema.NormalizeDn(dn);
  if (!name.ok()) return At(node, "'" + text + "': " + name.error().message);
  const RuleName::Use use = kind == "dn"        ? RuleName::Use::kDn
                            : kind == "subtree" ? RuleName::Use::kSubtree
                                                : RuleName::Use::kGroup;
  names->push_back({use, *name, dn, PlaceOf(node)});
  grant.name = std::move(name).value();
  return grant;
}

Result<Grant> ParseGrant(const YAML::Node& node, const Schema& schema,
                         std::vector<RuleName>* names) {
  constexpr std::array<std::string_view, 2> kKeys = {"to", "rights"};
  if (node.IsMap()) TT_RETURN_IF_ERROR(OnlyKeys(node, kKeys));
  if (!node.IsMap() || !node["to"] || !node["rights"]) {
    return At(node, "a grant has the keys 'to' and 'rights'");
  }
  TT_ASSIGN_OR_RETURN(Grant grant, ParseTo(node["to"], schema, names));
  TT_ASSIGN_OR_RETURN(grant.rights, ParseRights(node["rights"]));
  return grant;
}

Status ParseAttributes(const YAML::Node& node, const Schema& schema, Rule* rule) {
  if (!node.IsSequence()) return At(node, "'attributes' must be a list");
  rule->all_attributes = false;
  for (const YAML::Node& item : node) {
    const Result<std::string> text = Text(item, "attributes");
    if (!text.ok()) return text.error();
    const std::string_view name = *text;
    if (name == "*") {
      rule->user_attributes = true;
    } else if (name == "+") {
      rule->operational_attributes = true;
    } else if (name == "entry") {
      rule->entry = true;
    } else if (name == "children") {
      rule->children = true;
    } else if (const model::AttributeType* type = schema.FindAttributeType(name)) {
      rule->attributes.push_back(type);
    } else {
      return At(item, "unknown attribute '" + *text + "'");
    }
  }
  return model::OkStatus();
}

// The first item that can be neither true nor false on any entry; null: none.
const model::Filter* UndefinedItem(const model::Filter& filter,
                                   const model::CompiledFilter& compiled) {
  if (compiled.undefined) return &filter;
  for (std::size_t i = 0; i < filter.children.size(); ++i) {
    if (const model::Filter* found = UndefinedItem(filter.children[i], compiled.children[i])) {
      return found;
    }
  }
  return nullptr;
}

std::string WhyUndefined(const model::Filter& item, const Schema& schema) {
  if (!item.attribute.empty() && !model::AttributeDescription::Parse(item.attribute, schema).ok()) {
    return "unknown attribute '" + item.attribute + "'";
  }
  if (!item.matching_rule.empty() && schema.FindMatchingRule(item.matching_rule) == nullptr) {
    return "unknown matching rule '" + item.matching_rule + "'";
  }
  return item.ToString() + " matches nothing: its attribute takes no such value or comparison";
}

Status ParseTarget(const YAML::Node& node, const Schema& schema, Rule* rule) {
  if (const YAML::Node subtree = node["subtree"]) {
    TT_ASSIGN_OR_RETURN(const std::string text, Text(subtree, "subtree"));
    Result<model::DnKey> name = schema.NormalizeDn(text);
    if (!name.ok()) return At(subtree, "'subtree': " + name.error().message);
    rule->names.push_back({RuleName::Use::kTarget, *name, text, PlaceOf(subtree)});
    rule->subtree = std::move(name).value();
  }
  if (const YAML::Node filter = node["filter"]) {
    TT_ASSIGN_OR_RETURN(const std::string text, Text(filter, "filter"));
    Result<model::Filter> parsed = model::Filter::Parse(text);
    if (!parsed.ok()) return At(filter, "'filter': " + parsed.error().message);
    rule->filter = model::CompiledFilter::Compile(*parsed, schema);
    if (const model::Filter* wrong = UndefinedItem(*parsed, *rule->filter)) {
      return At(filter, "'filter': " + WhyUndefined(*wrong, schema));
    }
  }
  if (const YAML::Node attributes = node["attributes"]) {
    TT_RETURN_IF_ERROR(ParseAttributes(attributes, schema, rule));
  }
  return model::OkStatus();
}

Result<Rule> ParseRule(const YAML::Node& node, const Schema& schema) {
  constexpr std::array<std::string_view, 4> kKeys = {"subtree", "filter", "attributes", "grant"};
  if (!node.IsMap()) return At(node, "a rule must be a map");
  TT_RETURN_IF_ERROR(OnlyKeys(node, kKeys));
  Rule rule;
  TT_RETURN_IF_ERROR(ParseTarget(node, schema, &rule));
  const YAML::Node grants = node["grant"];
  if (!grants || !grants.IsSequence()) return At(node, "a rule needs 'grant', a list");
  for (const YAML::Node& item : grants) {
    TT_ASSIGN_OR_RETURN(Grant grant, ParseGrant(item, schema, &rule.names));
    rule.grants.push_back(std::move(grant));
  }
  return rule;
}

Result<std::vector<Rule>> ParseDocument(const YAML::Node& document, const Schema& schema) {
  constexpr std::array<std::string_view, 1> kKeys = {"rules"};
  if (!document.IsMap()) return At(document, "the file must be a map with the key 'rules'");
  TT_RETURN_IF_ERROR(OnlyKeys(document, kKeys));
  const YAML::Node list = document["rules"];
  if (!list || !list.IsSequence()) return At(document, "'rules' must be a list");
  std::vector<Rule> rules;
  for (const YAML::Node& item : list) {
    const std::string number = "rule " + std::to_string(rules.size() + 1) + ": ";
    Result<Rule> rule = ParseRule(item, schema);
    if (!rule.ok()) return Error{ResultCode::kOther, number + rule.error().message, ""};
    for (RuleName& name : rule->names) name.place.insert(0, number);
    rules.push_back(std::move(rule).value());
  }
  return rules;
}

}  // namespace

Result<std::vector<Rule>> ParseRules(std::string_view yaml, const Schema& schema) {
  try {
    Result<std::vector<Rule>> rules = ParseDocument(YAML::Load(std::string(yaml)), schema);
    if (rules.ok()) return rules;
    return Error{ResultCode::kOther, "access rules: " + rules.error().message, ""};
  } catch (const YAML::Exception& exception) {
    return Error{
        ResultCode::kOther,
        "access rules: line " + std::to_string(exception.mark.line + 1) + ": " + exception.msg, ""};
  }
}

}  // namespace twintree::access
