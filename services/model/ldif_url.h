// Values that LDIF refers to instead of holding them: `jpegphoto:< file:///photos/a.jpg`.
//
// Source: RFC 2849 note 6; RFC 8089 (file URLs).
#ifndef TWINTREE_SERVICES_MODEL_LDIF_URL_H_
#define TWINTREE_SERVICES_MODEL_LDIF_URL_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "services/model/result.h"

namespace twintree::model {

// The octets of the regular file that `url` names, on this host.
//
// Errors: kProtocolError: no such URL, no such file, unreadable, or longer than `max_bytes`.
Result<std::string> ReadFileUrl(std::string_view url, std::size_t max_bytes);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_LDIF_URL_H_
