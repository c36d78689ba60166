// Just enough UTF-8 to keep octets that are none out of protobuf strings.
//
// Source: RFC 3629 section 4.
#ifndef TWINTREE_SERVICES_RPC_UTF8_H_
#define TWINTREE_SERVICES_RPC_UTF8_H_

#include <cstddef>
#include <string_view>

namespace twintree::rpc {

// Octets of the character at the start of `text`; 0 when it starts with no well-formed one.
inline std::size_t Utf8SequenceLength(std::string_view text) {
  if (text.empty()) return 0;
  const auto octet = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = octet(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xc2   ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((octet(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xe0 && octet(1) < 0xa0) || (first == 0xf0 && octet(1) < 0x90);
  const bool surrogate = first == 0xed && octet(1) > 0x9f;
  const bool too_large = first == 0xf4 && octet(1) > 0x8f;
  return overlong || surrogate || too_large ? 0 : length;
}

inline bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = Utf8SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_UTF8_H_
