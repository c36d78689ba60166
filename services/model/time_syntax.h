// The two time syntaxes of LDAP.
//
// Source: RFC 4517 3.3.13 (Generalized Time), 3.3.34 (UTC Time).
#ifndef TWINTREE_SERVICES_MODEL_TIME_SYNTAX_H_
#define TWINTREE_SERVICES_MODEL_TIME_SYNTAX_H_

#include <string>
#include <string_view>

#include "services/model/result.h"

namespace twintree::model {

// The instant as "YYYYMMDDHHMMSS" in UTC, with "." and the fraction when there is one, without
// trailing zeros. Octet order is the order of time. A leap second stays second 60.
//
// Errors: kInvalidAttributeSyntax: malformed, a date that does not exist, or an instant that lies
// outside the years 0000 to 9999 in UTC.
Result<std::string> GeneralizedTimeKey(std::string_view text);

// Checks without allocating; null when `text` is well-formed, else what is wrong.
const char* CheckGeneralizedTime(std::string_view text);
const char* CheckUtcTime(std::string_view text);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_TIME_SYNTAX_H_
