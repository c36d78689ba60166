// What a client chose, in a message.
//
//   "attribute type " + Quoted(name) + " is not known"     ->  attribute type "colour" is not known
//
// Diagnostics go to the client, who may see what it sent. Logs are read by others, and a password
// may stand where a name belongs; so texts of clients always stand between quotes in a message, and
// LoggedDiagnostic() of redaction.h finds them there.
#ifndef TWINTREE_SERVICES_MODEL_QUOTATION_H_
#define TWINTREE_SERVICES_MODEL_QUOTATION_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace twintree::model {

inline constexpr std::size_t kMaxQuotedOctets = 64;
inline constexpr std::size_t kMaxQuotedName = 256;  // of names of entries

// `text` between double quotes, as UTF-8. Quotes, control characters and what is no UTF-8 become
// '?'; what is longer ends with "...".
std::string Quoted(std::string_view text, std::size_t max_octets = kMaxQuotedOctets);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_QUOTATION_H_
