// Alias entries: following them to a search's base, and from within its scope.
//
// Source: RFC 4512 2.6; RFC 4511 4.5.1.3.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_ALIASES_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_ALIASES_H_

#include "services/directory/engine/request.h"
#include "services/directory/engine/scope.h"

namespace twintree::directory {

bool IsAlias(const model::Entry& entry, const model::Schema& schema);

// False only if there is no alias at all. Cheap: one look-up in the index of objectClass.
model::Result<bool> MayHoldAliases(Request& request);

// As Request::Locate, but an alias on the way, or at the end, stands for what it names. One that
// the requester may not see is not followed, as if it were not there; nor does an alias show that
// what it names is there but hidden. Errors: kAliasProblem when an alias names nothing,
// kAliasDereferencingProblem when its name is none or the requester may not read it, kLoopDetect
// when aliases lead in a circle.
model::Result<Location> LocateThroughAliases(Request& request, const model::DnKey& key);

// Adds to `scope`, which has one place, the places that aliases within it lead to, and those that
// aliases within these lead to, and so on. Aliases that lead nowhere, or that the requester may not
// follow, are passed over.
model::Status AddAliasedPlaces(Request& request, SearchScope* scope);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_ALIASES_H_
