#include "services/model/quotation.h"

#include "services/model/utf8.h"

namespace twintree::model {
namespace {

// C0 and C1 controls, and the separators of lines and paragraphs.
bool IsControl(std::string_view character) {
  const auto octet = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return octet < 0x20 || octet == 0x7f;
  if (octet == 0xc2) return static_cast<unsigned char>(character[1]) < 0xa0;
  return character == "\u2028" || character == "\u2029";
}

}  // namespace

std::string Quoted(std::string_view text, std::size_t max_octets) {
  std::string quoted = "\"";
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t length = Utf8CharacterLength(text, i);
    const std::string_view character = text.substr(i, length == 0 ? 1 : length);
    if (i + character.size() > max_octets) break;
    const bool fit = length > 0 && !IsControl(character) && character != "\"";
    quoted += fit ? character : "?";
    i += character.size();
  }
  quoted += i < text.size() ? "...\"" : "\"";
  return quoted;
}

}  // namespace twintree::model
