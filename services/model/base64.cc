#include "services/model/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace twintree::model {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kInvalid = 0xff;

constexpr std::array<std::uint8_t, 256> MakeDigitValues() {
  std::array<std::uint8_t, 256> values{};
  for (std::uint8_t& value : values) value = kInvalid;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<std::uint8_t>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr std::array<std::uint8_t, 256> kDigitValues = MakeDigitValues();

}  // namespace

std::string EncodeBase64(std::string_view octets) {
  std::string text;
  text.reserve((octets.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < octets.size(); i += 3) {
    const std::string_view group = octets.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = (bits << 8) | (k < group.size() ? static_cast<std::uint8_t>(group[k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text.push_back(k <= group.size() ? kAlphabet[(bits >> (18 - 6 * k)) & 0x3f] : '=');
    }
  }
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  const std::string_view digits = text.substr(0, text.size() - padding);
  std::string octets;
  octets.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : digits) {
    const std::uint8_t value = kDigitValues[static_cast<std::uint8_t>(c)];
    if (value == kInvalid) return std::nullopt;
    bits = (bits << 6) | value;
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    octets.push_back(static_cast<char>(bits >> bit_count));
    bits &= (1u << bit_count) - 1;
  }
  if (bits != 0) return std::nullopt;
  return octets;
}

}  // namespace twintree::model
