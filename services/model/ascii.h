// ASCII letters and digits, without the locale: LDAP's names and grammars know no other ones.
#ifndef TWINTREE_SERVICES_MODEL_ASCII_H_
#define TWINTREE_SERVICES_MODEL_ASCII_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace twintree::model {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsAlpha(char c) { return IsUpper(c) || (c >= 'a' && c <= 'z'); }
constexpr bool IsAlnum(char c) { return IsAlpha(c) || IsDigit(c); }
constexpr char ToLower(char c) { return IsUpper(c) ? static_cast<char>(c + ('a' - 'A')) : c; }

// The value of a hexadecimal digit, or -1.
constexpr int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = ToLower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

constexpr bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (ToLower(a[i]) != ToLower(b[i])) return false;
  }
  return true;
}

inline std::string ToLowerCopy(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ToLower(c);
  return lower;
}

// Appends `octet` as two lower-case hexadecimal digits.
inline void AppendHex(char octet, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(octet);
  out.push_back(kDigits[value >> 4]);
  out.push_back(kDigits[value & 0xf]);
}

// `keystring` of RFC 4512 1.4: a letter, then letters, digits and hyphens.
constexpr bool IsKeyString(std::string_view text) {
  if (text.empty() || !IsAlpha(text.front())) return false;
  for (char c : text) {
    if (!IsAlnum(c) && c != '-') return false;
  }
  return true;
}

// `numericoid` of RFC 4512 1.4: at least two numbers without leading zeros, the first 0, 1 or 2
// and below the first two the second under 40.
constexpr bool IsNumericOid(std::string_view text) {
  std::size_t arcs = 0;
  std::size_t start = 0;
  while (true) {
    std::size_t end = start;
    while (end < text.size() && IsDigit(text[end])) ++end;
    const std::string_view arc = text.substr(start, end - start);
    if (arc.empty() || (arc.size() > 1 && arc.front() == '0')) return false;
    if (arcs == 0 && (arc.size() > 1 || arc.front() > '2')) return false;
    if (arcs == 1 && text.front() < '2' && (arc.size() > 2 || (arc.size() == 2 && arc[0] > '3'))) {
      return false;
    }
    ++arcs;
    if (end == text.size()) return arcs >= 2;
    if (text[end] != '.') return false;
    start = end + 1;
  }
}

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_ASCII_H_
