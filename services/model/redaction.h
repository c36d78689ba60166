// What of a request may stand in a log.
//
// Passwords reach a server in places where nobody expects them: in names, in filters, as attribute
// types or mechanisms. So a value is shown only where it is known not to be a password: under an
// attribute type of the standard schema that holds none. Of names that clients choose those are
// shown that are known. Everything else becomes "<hidden>".
#ifndef TWINTREE_SERVICES_MODEL_REDACTION_H_
#define TWINTREE_SERVICES_MODEL_REDACTION_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "services/model/filter.h"

namespace twintree::model {

// Longer texts are cut, and end with "...".
inline constexpr std::size_t kMaxLoggedOctets = 512;

// An attribute description: its type, if the standard schema knows it or it is an OID, and of its
// options `binary` and languages.
std::string LoggedType(std::string_view description);

// A name or an RDN. Values under types that hold passwords, or whose type is malformed or an
// unknown OID, are hidden. Types that only the operator's schema may know, and their values, are
// shown in a name whose last type is known, and so is one of this tree. What is no name is hidden
// as a whole, however short: many things look like a user's name.
std::string LoggedName(std::string_view dn);

// RFC 3062's userIdentity: a name, or "dn:" and a name.
std::string LoggedUser(std::string_view user);

// The string form of a filter. Values under types that the standard schema does not know are
// hidden, and so are those that are compared with any attribute.
std::string LoggedFilter(const Filter& filter);

// A diagnostic message: what stands between quotes (quotation.h) is hidden unless it is a known
// name, an OID, or the name of an entry, which is shown as LoggedName() does; options of attributes
// are shown as LoggedType() does.
std::string LoggedDiagnostic(std::string_view diagnostic);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_REDACTION_H_
