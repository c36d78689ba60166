#include "services/directory/engine/new_entry.h"

#include <algorithm>
#include <utility>

#include "services/directory/engine/schema_check.h"
#include "services/model/quotation.h"
#include "services/model/syntax.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::AttributeDescription;
using model::AttributeType;
using model::Error;
using model::Result;
using model::ResultCode;
using model::Schema;
using model::Status;

constexpr std::string_view kBinary = "binary";

Attribute* Find(std::vector<Attribute>* attributes, const AttributeDescription& description) {
  const auto found =
      std::find_if(attributes->begin(), attributes->end(),
                   [&](const Attribute& one) { return one.description.SameAs(description); });
  return found == attributes->end() ? nullptr : &*found;
}

Result<std::vector<Attribute>> ReadAttributes(std::span<const model::RawAttribute> raw,
                                              const Schema& schema) {
  std::vector<Attribute> attributes;
  attributes.reserve(raw.size() + 8);
  for (const model::RawAttribute& one : raw) {
    TT_ASSIGN_OR_RETURN(AttributeDescription description, ParseStorable(one.description, schema));
    TT_RETURN_IF_ERROR(CheckUserModifiable(description));
    if (one.values.empty()) {
      return Error{ResultCode::kProtocolError, one.description + " is given without values", {}};
    }
    if (Attribute* const same = Find(&attributes, description)) {
      same->values.AppendAll(one.values);
    } else {
      attributes.push_back({std::move(description), one.values});
    }
  }
  for (const Attribute& attribute : attributes) {
    TT_RETURN_IF_ERROR(CheckValues(attribute, schema));
  }
  return attributes;
}

// The type and key of one naming value, which were checked with the name.
struct NamingValue {
  AttributeDescription description;
  std::string key;
};

Result<NamingValue> ReadNamingValue(const model::Ava& ava, const Schema& schema) {
  const AttributeType* const type = schema.FindAttributeType(ava.type);
  if (type == nullptr) {
    return Error{ResultCode::kInvalidDnSyntax,
                 "unknown attribute type in a name: " + model::Quoted(ava.type),
                 {}};
  }
  NamingValue value;
  value.description.type = type;
  value.description.text = type->name();
  TT_ASSIGN_OR_RETURN(value.key, type->EqualityKey(ava.value));
  return value;
}

Status AddNamingValue(const model::Ava& ava, const Schema& schema,
                      std::vector<Attribute>* attributes) {
  TT_ASSIGN_OR_RETURN(NamingValue naming, ReadNamingValue(ava, schema));
  const AttributeType& type = *naming.description.type;
  TT_RETURN_IF_ERROR(CheckUserModifiable(naming.description));
  if (&type == schema.well_known().user_password) {
    return Error{ResultCode::kNamingViolation, "a password cannot name an entry", {}};
  }
  if (type.syntax->needs_binary_transfer()) {
    return Error{ResultCode::kNamingViolation,
                 type.name() + " takes the option ;binary, so it cannot name an entry",
                 {}};
  }
  Attribute* const present = Find(attributes, naming.description);
  if (present == nullptr) {
    attributes->push_back({std::move(naming.description), {ava.value}});
    return {};
  }
  if (HoldsKey(*present, naming.key)) return {};
  if (type.single_value) {
    return Error{ResultCode::kNamingViolation,
                 "the entry has another value of " + type.name() + " than its name",
                 {}};
  }
  present->values.Append(ava.value);
  return {};
}

}  // namespace

Result<AttributeDescription> ParseStorable(std::string_view text, const Schema& schema) {
  TT_ASSIGN_OR_RETURN(AttributeDescription description, AttributeDescription::Parse(text, schema));
  if (description.HasLanguageRange()) {
    return Error{ResultCode::kUndefinedAttributeType,
                 description.text + " is a range of languages, not one",
                 {}};
  }
  // RFC 4522 wants the option; clients from before it leave it out, and mean the same values.
  const auto& options = description.options;
  if (description.type->syntax->needs_binary_transfer() &&
      std::find(options.begin(), options.end(), kBinary) == options.end()) {
    return AttributeDescription::Parse(description.text + ";" + std::string(kBinary), schema);
  }
  return description;
}

Status AddRdnValues(const model::Rdn& rdn, const Schema& schema,
                    std::vector<Attribute>* attributes) {
  for (const model::Ava& ava : rdn.avas) {
    TT_RETURN_IF_ERROR(AddNamingValue(ava, schema, attributes));
  }
  return {};
}

Status CheckRdnValues(const model::Rdn& rdn, const Schema& schema,
                      std::span<const Attribute> attributes) {
  for (const model::Ava& ava : rdn.avas) {
    TT_ASSIGN_OR_RETURN(const NamingValue naming, ReadNamingValue(ava, schema));
    const Attribute* const present = FindAttribute(attributes, naming.description);
    if (present != nullptr && HoldsKey(*present, naming.key)) continue;
    return Error{ResultCode::kNotAllowedOnRdn,
                 "the entry is named by this value of " + naming.description.text,
                 {}};
  }
  return {};
}

Result<NewEntryParts> CheckNewEntry(std::string_view dn,
                                    std::span<const model::RawAttribute> attributes,
                                    const Schema& schema) {
  NewEntryParts parts;
  TT_ASSIGN_OR_RETURN(parts.dn, model::Dn::Parse(dn));
  TT_ASSIGN_OR_RETURN(parts.key, schema.NormalizeDn(parts.dn));
  if (parts.dn.empty()) {
    return Error{ResultCode::kEntryAlreadyExists, "the root DSE is always there", {}};
  }
  TT_ASSIGN_OR_RETURN(parts.attributes, ReadAttributes(attributes, schema));
  TT_RETURN_IF_ERROR(AddRdnValues(parts.dn.rdn(0), schema, &parts.attributes));
  TT_ASSIGN_OR_RETURN(parts.structural, CheckEntry(parts.attributes, schema));
  return parts;
}

}  // namespace twintree::directory
