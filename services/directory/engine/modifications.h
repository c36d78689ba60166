// Modifications bound to the schema, and what they do to the attributes of an entry.
//
// Source: RFC 4511 4.6; RFC 4525 (increment).
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_MODIFICATIONS_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_MODIFICATIONS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "services/directory/engine/password_values.h"
#include "services/directory/engine/relations.h"
#include "services/model/attribute.h"
#include "services/model/schema.h"

namespace twintree::directory {

struct BoundModification {
  model::ModificationKind kind = model::ModificationKind::kReplace;
  model::Attribute attribute;  // the values to add, delete, put or increment by
  // For values of userPassword that came as clear text: their numbers in PasswordMatches. Empty for
  // everything else, as long as the values otherwise.
  std::vector<std::optional<std::size_t>> clear;
};

// Reads and checks what depends on nothing but the schema. Clear-text passwords are added to
// `matches`.
// Errors: kUndefinedAttributeType, kConstraintViolation (only the server may set it; increment of
// what is no integer), kInvalidAttributeSyntax, kAttributeOrValueExists (twice in the request),
// kProtocolError (add or increment without a value, increment by two).
model::Result<std::vector<BoundModification>> BindModifications(
    std::span<const model::Modification> modifications, const model::Schema& schema,
    const SchemaRelations& relations, PasswordMatches* matches);

// Changes `attributes`; those left without values disappear.
// Errors: kAttributeOrValueExists, kNoSuchAttribute, kInappropriateMatching (by value, without an
// equality rule), kInvalidAttributeSyntax, kBusy (`matches` has unknown ones: learn, then try again
// from the start).
model::Status ApplyModification(const BoundModification& modification, PasswordMatches* matches,
                                std::vector<model::Attribute>* attributes);

// All of them, in order, as if one by one: neighbours that add to one attribute, or delete from it,
// are done together, so that a request with many single changes of a large group looks through its
// members once. Errors: as above.
model::Status ApplyModifications(std::span<const BoundModification> modifications,
                                 PasswordMatches* matches,
                                 std::vector<model::Attribute>* attributes);

// The sum of two integers in their one decimal spelling, of any size.
std::string AddDecimals(std::string_view a, std::string_view b);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_MODIFICATIONS_H_
