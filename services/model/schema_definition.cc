// Attribute types and object classes: from fields and to text.
#include <charconv>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "services/model/ascii.h"
#include "services/model/schema_parser.h"

namespace twintree::model {
namespace {

Error Malformed(std::string message) {
  return {ResultCode::kInvalidAttributeSyntax, std::move(message), {}};
}

std::vector<std::string_view> RequiredKeywords(DescriptionForm form) {
  switch (form) {
    case DescriptionForm::kMatchingRule: return {"SYNTAX"};
    case DescriptionForm::kMatchingRuleUse: return {"APPLIES"};
    case DescriptionForm::kDitStructureRule: return {"FORM"};
    case DescriptionForm::kNameForm: return {"OC", "MUST"};
    default: return {};
  }
}

bool IsOid(std::string_view text) { return IsKeyString(text) || IsNumericOid(text); }

// `SYNTAX 1.2.3{64}` cut in two.
Status SplitSyntax(std::string_view text, std::string& oid, std::uint32_t& max_length) {
  const std::size_t brace = text.find('{');
  oid = text.substr(0, brace);
  if (brace == std::string_view::npos) return OkStatus();
  const std::string_view bound = text.substr(brace + 1);
  const char* const end = bound.data() + bound.size();
  const auto [stop, error] = std::from_chars(bound.data(), end, max_length);
  if (error != std::errc() || stop + 1 != end || *stop != '}') {
    return Malformed("malformed bound in SYNTAX \"" + std::string(text) + "\"");
  }
  return OkStatus();
}

Status ParseUsage(std::string_view text, AttributeUsage& usage) {
  constexpr std::pair<std::string_view, AttributeUsage> kUsages[] = {
      {"userApplications", AttributeUsage::kUserApplications},
      {"directoryOperation", AttributeUsage::kDirectoryOperation},
      {"distributedOperation", AttributeUsage::kDistributedOperation},
      {"dSAOperation", AttributeUsage::kDsaOperation},
  };
  for (const auto& [name, value] : kUsages) {
    if (EqualsIgnoreCase(name, text)) {
      usage = value;
      return OkStatus();
    }
  }
  return Malformed("unknown USAGE \"" + std::string(text) + "\"");
}

Status CheckOids(const std::vector<std::string>& oids, std::string_view keyword) {
  for (const std::string& oid : oids) {
    if (!IsOid(oid))
      return Malformed(std::string(keyword) + ": \"" + oid + "\" is neither name nor OID");
  }
  return OkStatus();
}

Status CheckNames(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!IsKeyString(name)) return Malformed("\"" + name + "\" is not a valid NAME");
  }
  return OkStatus();
}

void AppendFlag(std::string_view keyword, bool value, std::string& out) {
  if (value) out.append(" ").append(keyword);
}

void AppendWord(std::string_view keyword, std::string_view value, std::string& out) {
  if (!value.empty()) out.append(" ").append(keyword).append(" ").append(value);
}

void AppendQuotedString(std::string_view value, std::string& out) {
  out.push_back('\'');
  for (char c : value) {
    if (c == '\'') {
      out.append("\\27");
    } else if (c == '\\') {
      out.append("\\5C");
    } else {
      out.push_back(c);
    }
  }
  out.push_back('\'');
}

void AppendQuotedList(std::string_view keyword, const std::vector<std::string>& values,
                      std::string& out) {
  out.append(" ").append(keyword).append(values.size() == 1 ? " " : " ( ");
  for (const std::string& value : values) {
    AppendQuotedString(value, out);
    if (values.size() > 1) out.push_back(' ');
  }
  if (values.size() > 1) out.push_back(')');
}

std::string_view UsageName(AttributeUsage usage) {
  switch (usage) {
    case AttributeUsage::kUserApplications: return "";
    case AttributeUsage::kDirectoryOperation: return "directoryOperation";
    case AttributeUsage::kDistributedOperation: return "distributedOperation";
    case AttributeUsage::kDsaOperation: return "dSAOperation";
  }
  return "";
}

}  // namespace

Status CheckDescription(std::string_view text, DescriptionForm form) {
  TT_ASSIGN_OR_RETURN(Description description, ParseDescription(text, form));
  bool id_ok = IsNumericOid(description.id);
  if (form == DescriptionForm::kDitStructureRule) {
    id_ok = description.id.find_first_not_of("0123456789") == std::string::npos;
  }
  if (!id_ok) return Malformed("\"" + description.id + "\" is not a valid identifier");
  for (std::string_view required : RequiredKeywords(form)) {
    if (description.Find(required) == nullptr) {
      return Malformed(std::string(required) + " is missing");
    }
  }
  TT_RETURN_IF_ERROR(CheckNames(description.All("NAME")));
  if (form == DescriptionForm::kAttributeType) {
    TT_RETURN_IF_ERROR(AttributeTypeDescription::Parse(text));
  }
  if (form == DescriptionForm::kObjectClass) {
    TT_RETURN_IF_ERROR(ObjectClassDescription::Parse(text));
  }
  return OkStatus();
}

Result<AttributeTypeDescription> AttributeTypeDescription::Parse(std::string_view text) {
  TT_ASSIGN_OR_RETURN(Description fields, ParseDescription(text, DescriptionForm::kAttributeType));
  AttributeTypeDescription type;
  type.oid = fields.id;
  type.names = fields.All("NAME");
  type.description = fields.First("DESC");
  type.obsolete = fields.Find("OBSOLETE") != nullptr;
  type.superior = fields.First("SUP");
  type.equality = fields.First("EQUALITY");
  type.ordering = fields.First("ORDERING");
  type.substring = fields.First("SUBSTR");
  type.single_value = fields.Find("SINGLE-VALUE") != nullptr;
  type.collective = fields.Find("COLLECTIVE") != nullptr;
  type.no_user_modification = fields.Find("NO-USER-MODIFICATION") != nullptr;
  type.extensions = fields.Extensions();
  TT_RETURN_IF_ERROR(CheckNames(type.names));
  TT_RETURN_IF_ERROR(SplitSyntax(fields.First("SYNTAX"), type.syntax, type.max_length));
  if (fields.Find("USAGE") != nullptr) {
    TT_RETURN_IF_ERROR(ParseUsage(fields.First("USAGE"), type.usage));
  }
  if (type.superior.empty() && type.syntax.empty()) return Malformed("SUP or SYNTAX is missing");
  if (type.collective && type.single_value) {
    return Malformed("a COLLECTIVE attribute cannot be SINGLE-VALUE");
  }
  return type;
}

std::string AttributeTypeDescription::ToString() const {
  std::string out = "( " + oid;
  AppendNames(names, out);
  AppendQuoted("DESC", description, out);
  AppendFlag("OBSOLETE", obsolete, out);
  AppendWord("SUP", superior, out);
  AppendWord("EQUALITY", equality, out);
  AppendWord("ORDERING", ordering, out);
  AppendWord("SUBSTR", substring, out);
  AppendWord("SYNTAX", syntax, out);
  if (max_length != 0) out.append("{").append(std::to_string(max_length)).append("}");
  AppendFlag("SINGLE-VALUE", single_value, out);
  AppendFlag("COLLECTIVE", collective, out);
  AppendFlag("NO-USER-MODIFICATION", no_user_modification, out);
  AppendWord("USAGE", UsageName(usage), out);
  AppendExtensions(extensions, out);
  return out + " )";
}

Result<ObjectClassDescription> ObjectClassDescription::Parse(std::string_view text) {
  TT_ASSIGN_OR_RETURN(Description fields, ParseDescription(text, DescriptionForm::kObjectClass));
  ObjectClassDescription object_class;
  object_class.oid = fields.id;
  object_class.names = fields.All("NAME");
  object_class.description = fields.First("DESC");
  object_class.obsolete = fields.Find("OBSOLETE") != nullptr;
  object_class.superiors = fields.All("SUP");
  object_class.must = fields.All("MUST");
  object_class.may = fields.All("MAY");
  object_class.extensions = fields.Extensions();
  TT_RETURN_IF_ERROR(CheckNames(object_class.names));
  TT_RETURN_IF_ERROR(CheckOids(object_class.superiors, "SUP"));
  TT_RETURN_IF_ERROR(CheckOids(object_class.must, "MUST"));
  TT_RETURN_IF_ERROR(CheckOids(object_class.may, "MAY"));
  const bool abstract = fields.Find("ABSTRACT") != nullptr;
  const bool auxiliary = fields.Find("AUXILIARY") != nullptr;
  const bool structural = fields.Find("STRUCTURAL") != nullptr;
  if (abstract + auxiliary + structural > 1) return Malformed("the class is given two kinds");
  if (abstract) object_class.kind = ObjectClassKind::kAbstract;
  if (auxiliary) object_class.kind = ObjectClassKind::kAuxiliary;
  return object_class;
}

std::string ObjectClassDescription::ToString() const {
  std::string out = "( " + oid;
  AppendNames(names, out);
  AppendQuoted("DESC", description, out);
  AppendFlag("OBSOLETE", obsolete, out);
  AppendOids("SUP", superiors, out);
  AppendFlag("ABSTRACT", kind == ObjectClassKind::kAbstract, out);
  AppendFlag("STRUCTURAL", kind == ObjectClassKind::kStructural, out);
  AppendFlag("AUXILIARY", kind == ObjectClassKind::kAuxiliary, out);
  AppendOids("MUST", must, out);
  AppendOids("MAY", may, out);
  AppendExtensions(extensions, out);
  return out + " )";
}

void AppendNames(const std::vector<std::string>& names, std::string& out) {
  if (!names.empty()) AppendQuotedList("NAME", names, out);
}

void AppendQuoted(std::string_view keyword, std::string_view value, std::string& out) {
  if (value.empty()) return;
  out.append(" ").append(keyword).push_back(' ');
  AppendQuotedString(value, out);
}

void AppendOids(std::string_view keyword, const std::vector<std::string>& oids, std::string& out) {
  if (oids.empty()) return;
  out.append(" ").append(keyword).append(oids.size() == 1 ? " " : " ( ");
  for (std::size_t i = 0; i < oids.size(); ++i) {
    if (i > 0) out.append(" $ ");
    out.append(oids[i]);
  }
  if (oids.size() > 1) out.append(" )");
}

void AppendExtensions(const std::vector<DescriptionField>& extensions, std::string& out) {
  for (const DescriptionField& extension : extensions) {
    AppendQuotedList(extension.keyword, extension.values, out);
  }
}

}  // namespace twintree::model
