#include "services/model/syntax_checks.h"

#include <cstddef>

#include "services/model/ascii.h"
#include "services/model/integer_key.h"
#include "services/model/utf8.h"

namespace twintree::model {
namespace {

bool IsPrintable(char c) {
  constexpr std::string_view kPunctuation = "'()+,-./:=? ";
  return IsAlnum(c) || kPunctuation.find(c) != std::string_view::npos;
}

// Does `value` follow `pattern`, in which `d` stands for a digit, `h` for a hexadecimal digit and
// any other character for itself?
bool FollowsPattern(std::string_view value, std::string_view pattern) {
  if (value.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool fits = pattern[i] == 'd'   ? IsDigit(value[i])
                      : pattern[i] == 'h' ? HexValue(value[i]) >= 0
                                          : value[i] == pattern[i];
    if (!fits) return false;
  }
  return true;
}

}  // namespace

const char* CheckAnyOctets(std::string_view) { return nullptr; }

const char* CheckBitString(std::string_view value) {
  if (value.size() < 3 || value.front() != '\'' || !value.ends_with("'B")) {
    return "bits are written as '0101'B";
  }
  const std::string_view bits = value.substr(1, value.size() - 3);
  return bits.find_first_not_of("01") == std::string_view::npos ? nullptr : "a bit must be 0 or 1";
}

const char* CheckBoolean(std::string_view value) {
  return value == "TRUE" || value == "FALSE" ? nullptr : "it must be TRUE or FALSE";
}

const char* CheckCountryString(std::string_view value) {
  return value.size() == 2 && IsAlpha(value[0]) && IsAlpha(value[1])
             ? nullptr
             : "a country code has two letters";
}

const char* CheckDirectoryString(std::string_view value) {
  if (value.empty()) return "it must not be empty";
  return IsValidUtf8(value) ? nullptr : "it is not UTF-8";
}

const char* CheckIa5String(std::string_view value) {
  return IsAscii(value) ? nullptr : "only ASCII characters are allowed";
}

const char* CheckInteger(std::string_view value) {
  return IsInteger(value) ? nullptr : "it is not a whole number in its one decimal spelling";
}

const char* CheckNumericString(std::string_view value) {
  if (value.empty()) return "it must not be empty";
  for (char c : value) {
    if (!IsDigit(c) && c != ' ') return "only digits and spaces are allowed";
  }
  return nullptr;
}

const char* CheckOid(std::string_view value) {
  return IsKeyString(value) || IsNumericOid(value) ? nullptr : "it is neither a name nor an OID";
}

const char* CheckPrintableString(std::string_view value) {
  if (value.empty()) return "it must not be empty";
  for (char c : value) {
    if (!IsPrintable(c)) return "only letters, digits, spaces and '()+,-./:=? are allowed";
  }
  return nullptr;
}

const char* CheckTelephoneNumber(std::string_view value) { return CheckPrintableString(value); }

const char* CheckUuid(std::string_view value) {
  return FollowsPattern(value, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh")
             ? nullptr
             : "a UUID is written as 8-4-4-4-12 hexadecimal digits";
}

const char* CheckCsn(std::string_view value) {
  return FollowsPattern(value, "dddddddddddddd.ddddddZ#hhhhhh#hhh#hhhhhh")
             ? nullptr
             : "a CSN is written as YYYYMMDDHHMMSS.ffffffZ#count#server#modification";
}

}  // namespace twintree::model
