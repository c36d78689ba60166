// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
#ifndef TWINTREE_SERVICES_MODEL_UTF8_H_
#define TWINTREE_SERVICES_MODEL_UTF8_H_

#include <cstddef>
#include <string_view>

namespace twintree::model {

bool IsAscii(std::string_view text);

bool IsValidUtf8(std::string_view text);

// The number of octets of the character at `offset`, 0 if there is no valid one.
std::size_t Utf8CharacterLength(std::string_view text, std::size_t offset);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_UTF8_H_
