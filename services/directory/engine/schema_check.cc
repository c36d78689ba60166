#include "services/directory/engine/schema_check.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "services/model/matching_rule.h"
#include "services/model/quotation.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::AttributeType;
using model::Error;
using model::ObjectClass;
using model::ObjectClassKind;
using model::Result;
using model::ResultCode;
using model::Schema;
using model::Status;

constexpr std::string_view kMemberOf = "1.2.840.113556.1.2.102";

Error Violation(std::string message) {
  return Error{ResultCode::kObjectClassViolation, std::move(message), {}};
}

Error Duplicate(const Attribute& attribute) {
  return Error{ResultCode::kAttributeOrValueExists,
               attribute.description.text + ": a value is given twice",
               {}};
}

Status CheckAllowed(std::span<const Attribute> attributes,
                    std::span<const ObjectClass* const> classes, const Schema& schema) {
  std::vector<bool> allowed(schema.attribute_types().size(), false);
  for (const ObjectClass* one : classes) {
    if (one == schema.well_known().extensible_object) return {};
    for (const AttributeType* type : one->must) allowed[type->index] = true;
    for (const AttributeType* type : one->may) allowed[type->index] = true;
  }
  for (const Attribute& attribute : attributes) {
    const AttributeType* const type = attribute.description.type;
    // What the schema no longer knows was allowed once, and can be deleted.
    if (type == nullptr || attribute.values.empty()) continue;
    if (type->operational() || allowed[type->index]) continue;
    return Violation("no object class of the entry allows " + type->name());
  }
  return {};
}

Status CheckRequired(std::span<const Attribute> attributes,
                     std::span<const ObjectClass* const> classes, const Schema& schema) {
  std::vector<bool> present(schema.attribute_types().size(), false);
  for (const Attribute& attribute : attributes) {
    if (attribute.description.type == nullptr || attribute.values.empty()) continue;
    present[attribute.description.type->index] = true;
  }
  for (const ObjectClass* one : classes) {
    for (const AttributeType* type : one->must) {
      if (present[type->index]) continue;
      return Violation("object class " + one->name() + " requires " + type->name());
    }
  }
  return {};
}

Status CheckSingleValues(std::span<const Attribute> attributes) {
  for (const Attribute& attribute : attributes) {
    const AttributeType* const type = attribute.description.type;
    if (type == nullptr || !type->single_value || attribute.values.size() < 2) continue;
    return Error{
        ResultCode::kConstraintViolation, attribute.description.text + " takes one value only", {}};
  }
  return {};
}

// Every abstract class has to be there for the sake of another one.
Status CheckAbstractClasses(std::span<const ObjectClass* const> classes, const Schema& schema) {
  for (const ObjectClass* one : classes) {
    if (one->kind != ObjectClassKind::kAbstract || one == schema.well_known().top) continue;
    const bool used = std::any_of(classes.begin(), classes.end(), [one](const ObjectClass* other) {
      return other->kind != ObjectClassKind::kAbstract && other->IsSubclassOf(*one);
    });
    if (!used) return Violation("abstract class " + one->name() + " stands by itself");
  }
  return {};
}

// An equality rule cannot compare the value, though the syntax allows it.
Error NotComparable(const AttributeType& type, const Error& reason) {
  return Error{reason.code, type.name() + ": " + reason.message, {}};
}

Status CheckSyntax(const Attribute& attribute, const Schema& schema) {
  const AttributeType& type = *attribute.description.type;
  for (std::string_view value : attribute.values) {
    TT_RETURN_IF_ERROR(type.Validate(value));
  }
  if (&type == schema.well_known().object_class) {
    TT_RETURN_IF_ERROR(ResolveClasses(attribute.values, schema));
  }
  return {};
}

Status CheckOnlyKey(const Attribute& attribute) {
  const AttributeType& type = *attribute.description.type;
  if (type.equality == nullptr) return {};
  const Status status = type.equality->CheckKey(attribute.values.front());
  return status.ok() ? status : NotComparable(type, status.error());
}

Status CheckKeys(const Attribute& attribute) {
  const AttributeType& type = *attribute.description.type;
  std::unordered_set<std::string> seen;
  seen.reserve(attribute.values.size());
  for (std::string_view value : attribute.values) {
    if (type.equality == nullptr) {
      if (!seen.emplace(value).second) return Duplicate(attribute);
      continue;
    }
    Result<std::string> key = type.EqualityKey(value);
    if (!key.ok()) return NotComparable(type, key.error());
    if (!seen.insert(*std::move(key)).second) return Duplicate(attribute);
  }
  return {};
}

}  // namespace

Status CheckValues(const Attribute& attribute, const Schema& schema) {
  if (attribute.values.empty()) return {};
  TT_RETURN_IF_ERROR(CheckSyntax(attribute, schema));
  // What is alone equals no other; it only has to be comparable.
  return attribute.values.size() == 1 ? CheckOnlyKey(attribute) : CheckKeys(attribute);
}

Status CheckUserModifiable(const model::AttributeDescription& description) {
  if (!description.type->no_user_modification) return {};
  if (description.type->oid == kMemberOf) {
    return Error{
        ResultCode::kConstraintViolation, "memberOf is derived from groups and not kept here", {}};
  }
  return Error{
      ResultCode::kConstraintViolation, description.text + " is set by the server only", {}};
}

Result<std::vector<const ObjectClass*>> ResolveClasses(const model::ValueList& names,
                                                       const Schema& schema) {
  std::vector<const ObjectClass*> classes;
  classes.reserve(names.size());
  for (std::string_view name : names) {
    const ObjectClass* const found = schema.FindObjectClass(name);
    if (found == nullptr) {
      return Error{ResultCode::kInvalidAttributeSyntax,
                   "objectClass: the schema has no class of this name: " + model::Quoted(name),
                   {}};
    }
    classes.push_back(found);
  }
  return classes;
}

Result<const ObjectClass*> CheckEntry(std::span<const Attribute> attributes, const Schema& schema) {
  const Attribute* const names = FindAttribute(attributes, *schema.well_known().object_class);
  if (names == nullptr || names->values.empty()) {
    return Violation("the entry has no objectClass");
  }
  TT_ASSIGN_OR_RETURN(std::vector<const ObjectClass*> classes,
                      ResolveClasses(names->values, schema));
  TT_ASSIGN_OR_RETURN(const ObjectClass* structural, schema.StructuralClassOf(classes));
  TT_RETURN_IF_ERROR(CheckAbstractClasses(classes, schema));
  TT_RETURN_IF_ERROR(CheckRequired(attributes, classes, schema));
  TT_RETURN_IF_ERROR(CheckAllowed(attributes, classes, schema));
  TT_RETURN_IF_ERROR(CheckSingleValues(attributes));
  return structural;
}

const Attribute* FindAttribute(std::span<const Attribute> attributes,
                               const model::AttributeDescription& description) {
  for (const Attribute& attribute : attributes) {
    if (attribute.description.SameAs(description)) return &attribute;
  }
  return nullptr;
}

const Attribute* FindAttribute(std::span<const Attribute> attributes, const AttributeType& type) {
  for (const Attribute& attribute : attributes) {
    if (attribute.description.type == &type && attribute.description.options.empty()) {
      return &attribute;
    }
  }
  return nullptr;
}

bool HoldsKey(const Attribute& attribute, std::string_view key) {
  const model::MatchingRule* const rule = attribute.description.type->equality;
  return rule != nullptr &&
         std::any_of(attribute.values.begin(), attribute.values.end(),
                     [&](std::string_view value) { return rule->Equals(value, key); });
}

}  // namespace twintree::directory
