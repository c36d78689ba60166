#include "services/model/utf8.h"

#include <cstdint>
#include <cstring>

namespace twintree::model {
namespace {

bool IsContinuation(unsigned char octet) { return (octet & 0xc0) == 0x80; }

}  // namespace

bool IsAscii(std::string_view text) {
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= text.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, sizeof(word));
    if ((word & 0x8080808080808080u) != 0) return false;
  }
  for (; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0x80) != 0) return false;
  }
  return true;
}

std::size_t Utf8CharacterLength(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return 0;
  const auto octet = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned char lead = octet(0);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned char lowest = 0x80;
  unsigned char highest = 0xbf;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    if (lead == 0xe0) lowest = 0xa0;
    if (lead == 0xed) highest = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    if (lead == 0xf0) lowest = 0x90;
    if (lead == 0xf4) highest = 0x8f;
  } else {
    return 0;
  }
  if (text.size() - offset < length || octet(1) < lowest || octet(1) > highest) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!IsContinuation(octet(i))) return 0;
  }
  return length;
}

bool IsValidUtf8(std::string_view text) {
  if (IsAscii(text)) return true;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = Utf8CharacterLength(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace twintree::model
