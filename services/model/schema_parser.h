// Schema descriptions as text: reading them, tolerantly, and printing them in one canonical form.
//
// Tolerated beyond RFC 4512, because real files and servers write it: fields in any order,
// keywords in any letter case, object identifiers in quotes, a list without `$` between its
// members, missing spaces around parentheses, and an empty DESC (which is dropped).
//
// Thread-safety: safe.
// Source: RFC 4512 4.1.
#ifndef TWINTREE_SERVICES_MODEL_SCHEMA_PARSER_H_
#define TWINTREE_SERVICES_MODEL_SCHEMA_PARSER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"
#include "services/model/schema.h"

namespace twintree::model {

// One field: `keyword` in upper case, and its values, unescaped.
struct DescriptionField {
  std::string keyword;
  std::vector<std::string> values;
};

// Any description: what stands first, then the fields as they come.
struct Description {
  std::string id;
  std::vector<DescriptionField> fields;

  // Null when there is no such field.
  const DescriptionField* Find(std::string_view keyword) const;
  // The field's first value, or nothing.
  std::string First(std::string_view keyword) const;
  std::vector<std::string> All(std::string_view keyword) const;
  // The fields whose keyword starts with "X-".
  std::vector<DescriptionField> Extensions() const;
};

enum class DescriptionForm {
  kAttributeType,
  kObjectClass,
  kMatchingRule,
  kMatchingRuleUse,
  kLdapSyntax,
  kNamedLdapSyntax,  // with NAME, as slapd's files have it
  kDitContentRule,
  kDitStructureRule,
  kNameForm,
};

// Reads one description. `id` is not checked, so that files may use macros for it.
// Errors: kInvalidAttributeSyntax with the reason.
Result<Description> ParseDescription(std::string_view text, DescriptionForm form);

// Is `text` a well-formed value of the syntax that belongs to `form`? The identifier must be an
// OID (or a number, for a DIT structure rule).
Status CheckDescription(std::string_view text, DescriptionForm form);

// What follows the opening parenthesis: the first component of the value, without quotes. Empty
// when there is none.
std::string_view FirstComponent(std::string_view text);

// An attribute type as it is written, before names are resolved. Empty strings: not given.
struct AttributeTypeDescription {
  std::string oid;
  std::vector<std::string> names;
  std::string description;
  bool obsolete = false;
  std::string superior;
  std::string equality;
  std::string ordering;
  std::string substring;
  std::string syntax;
  std::uint32_t max_length = 0;
  bool single_value = false;
  bool collective = false;
  bool no_user_modification = false;
  AttributeUsage usage = AttributeUsage::kUserApplications;
  std::vector<DescriptionField> extensions;

  static Result<AttributeTypeDescription> Parse(std::string_view text);
  std::string ToString() const;
};

struct ObjectClassDescription {
  std::string oid;
  std::vector<std::string> names;
  std::string description;
  bool obsolete = false;
  std::vector<std::string> superiors;
  ObjectClassKind kind = ObjectClassKind::kStructural;
  std::vector<std::string> must;
  std::vector<std::string> may;
  std::vector<DescriptionField> extensions;

  static Result<ObjectClassDescription> Parse(std::string_view text);
  std::string ToString() const;
};

// Printing of single fields, each with one space before it; nothing for an empty value.
void AppendNames(const std::vector<std::string>& names, std::string& out);
void AppendQuoted(std::string_view keyword, std::string_view value, std::string& out);
void AppendOids(std::string_view keyword, const std::vector<std::string>& oids, std::string& out);
void AppendExtensions(const std::vector<DescriptionField>& extensions, std::string& out);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SCHEMA_PARSER_H_
