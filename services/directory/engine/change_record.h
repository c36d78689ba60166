// What the change log says about a write.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_CHANGE_RECORD_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_CHANGE_RECORD_H_

#include <span>
#include <string>
#include <vector>

#include "services/directory/engine/modifications.h"

namespace twintree::directory {

// The `changes` of a ModifyRequest (RFC 4511 4.6), one SEQUENCE OF element: what makes the new
// attributes out of the old ones, the server's own included.
std::string EncodeModifications(std::span<const BoundModification> modifications);

// A replacement by one value.
BoundModification Replacement(const model::AttributeType& type, std::string_view value);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_CHANGE_RECORD_H_
