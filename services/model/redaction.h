// What of a request may stand in a log.
//
// Passwords reach a server in places where nobody expects them: in names, in filters, as attribute
// types. So a value is shown only where it is known not to be a password: under an attribute type
// of the standard schema that holds none. Everything else becomes "<hidden>".
#ifndef TWINTREE_SERVICES_MODEL_REDACTION_H_
#define TWINTREE_SERVICES_MODEL_REDACTION_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "services/model/filter.h"

namespace twintree::model {

// Longer texts are cut, and end with "...".
inline constexpr std::size_t kMaxLoggedOctets = 512;

// An attribute description: as it is, or "<hidden>" if it is malformed.
std::string LoggedType(std::string_view description);

// A name or an RDN. Values under types that hold passwords, or whose type is malformed or an
// unknown OID, are hidden. What is no name is hidden as a whole if it holds a `=`, and otherwise
// shown: it is what somebody took for a user's name.
std::string LoggedName(std::string_view dn);

// RFC 3062's userIdentity: a name, or "dn:" and a name.
std::string LoggedUser(std::string_view user);

// The string form of a filter. Values under types that the standard schema does not know are
// hidden, and so are those that are compared with any attribute.
std::string LoggedFilter(const Filter& filter);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_REDACTION_H_
