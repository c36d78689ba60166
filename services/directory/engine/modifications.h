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

// Octets of values that the increments of one request may go through, the first one apart: every
// increment writes all values of its attribute anew.
inline constexpr std::size_t kMaxIncrementedBytes = std::size_t{16} << 20;

// Changes `attributes`, in order; those left without values disappear. Takes time in proportion to
// the attributes and modifications together, however these alternate: an attribute that is changed
// value by value is looked through once. After an error some of it may be done.
// Errors: kAttributeOrValueExists, kNoSuchAttribute, kInappropriateMatching (by value, without an
// equality rule), kInvalidAttributeSyntax, kAdminLimitExceeded (kMaxIncrementedBytes), kBusy
// (`matches` has unknown ones: learn, then try again from the start).
model::Status ApplyModifications(std::span<const BoundModification> modifications,
                                 PasswordMatches* matches,
                                 std::vector<model::Attribute>* attributes);
// The same for a single one.
model::Status ApplyModification(const BoundModification& modification, PasswordMatches* matches,
                                std::vector<model::Attribute>* attributes);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_MODIFICATIONS_H_
