// Base64 as LDIF writes it: the standard alphabet, padded, no line breaks.
//
// Source: RFC 4648 4.
#ifndef TWINTREE_SERVICES_MODEL_BASE64_H_
#define TWINTREE_SERVICES_MODEL_BASE64_H_

#include <optional>
#include <string>
#include <string_view>

namespace twintree::model {

std::string EncodeBase64(std::string_view octets);

// Nullopt for anything that is not the base64 of some octets: other characters, missing padding,
// or bits behind the last octet.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_BASE64_H_
