// Whether attributes and whole entries are what the schema allows.
//
// Source: RFC 4512 2.3-2.5, 4.1; RFC 4511 4.6, 4.7.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_SCHEMA_CHECK_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_SCHEMA_CHECK_H_

#include <span>
#include <string>
#include <vector>

#include "services/model/attribute.h"
#include "services/model/schema.h"

namespace twintree::directory {

// The values of one attribute: that their syntax allows them, that their equality rule can compare
// them, so that each can be found and deleted by value, that object classes are known, and that no
// two are equal (or, for a type without equality rule, the same).
// Errors: kInvalidAttributeSyntax, kAttributeOrValueExists.
model::Status CheckValues(const model::Attribute& attribute, const model::Schema& schema);

// Attributes that only the server may set, and memberOf, which it would have to.
// Errors: kConstraintViolation.
model::Status CheckUserModifiable(const model::AttributeDescription& description);

// The classes that values of objectClass name.
// Errors: kInvalidAttributeSyntax for an unknown one.
model::Result<std::vector<const model::ObjectClass*>> ResolveClasses(const model::ValueList& names,
                                                                     const model::Schema& schema);

// A whole entry whose values were checked one by one: object classes, required and allowed
// attributes, single values. Returns the structural class.
// Errors: kObjectClassViolation, kConstraintViolation (several values of a single-valued type),
// kInvalidAttributeSyntax (unknown class).
model::Result<const model::ObjectClass*> CheckEntry(std::span<const model::Attribute> attributes,
                                                    const model::Schema& schema);

// Null when absent.
const model::Attribute* FindAttribute(std::span<const model::Attribute> attributes,
                                      const model::AttributeDescription& description);
const model::Attribute* FindAttribute(std::span<const model::Attribute> attributes,
                                      const model::AttributeType& type);
// Does the attribute hold a value equal to the one whose equality key is `key`?
bool HoldsKey(const model::Attribute& attribute, std::string_view key);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_SCHEMA_CHECK_H_
