// From an add request to an entry that the schema allows.
//
// Source: RFC 4511 4.7; RFC 4512 2.3-2.5.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_NEW_ENTRY_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_NEW_ENTRY_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/attribute.h"
#include "services/model/dn.h"
#include "services/model/schema.h"

namespace twintree::directory {

// An entry that fits the schema, and has no operational attributes of the server's yet.
struct NewEntryParts {
  model::Dn dn;
  model::DnKey key;
  std::vector<model::Attribute> attributes;  // each description once
  const model::ObjectClass* structural = nullptr;
};

// Reads and checks the parts that depend on nothing but the schema. Values that the RDN names are
// added where they are missing; attributes given twice are put together.
// Errors: kInvalidDnSyntax, kUndefinedAttributeType, kInvalidAttributeSyntax, kProtocolError (an
// attribute without values), kAttributeOrValueExists, kConstraintViolation, kObjectClassViolation,
// kNamingViolation (an RDN that contradicts the attributes or cannot name an entry).
model::Result<NewEntryParts> CheckNewEntry(std::string_view dn,
                                           std::span<const model::RawAttribute> attributes,
                                           const model::Schema& schema);

// Adds the values of `rdn` that `attributes` lack.
// Errors: kConstraintViolation for an attribute that only the server sets; kNamingViolation.
model::Status AddRdnValues(const model::Rdn& rdn, const model::Schema& schema,
                           std::vector<model::Attribute>* attributes);

// Does the entry hold every value of its RDN?
// Errors: kNotAllowedOnRdn.
model::Status CheckRdnValues(const model::Rdn& rdn, const model::Schema& schema,
                             std::span<const model::Attribute> attributes);

// A description that an entry may hold: with ;binary where the type's syntax requires that, whether
// it was given or not.
// Errors: those of AttributeDescription::Parse; kUndefinedAttributeType for a language range.
model::Result<model::AttributeDescription> ParseStorable(std::string_view text,
                                                         const model::Schema& schema);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_NEW_ENTRY_H_
