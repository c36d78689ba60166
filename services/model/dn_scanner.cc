#include "services/model/dn_scanner.h"

#include <array>
#include <cstdint>

#include "services/model/ascii.h"
#include "services/model/utf8.h"

namespace twintree::model {
namespace {

enum class CharacterClass : std::uint8_t {
  kPlain,
  kSpace,
  kSeparator,  // , +
  kBackslash,
  kForbidden,  // must be escaped in a value
  kControl,    // allowed, but not "plain"
  kNonAscii,
};

constexpr std::array<CharacterClass, 256> MakeClasses() {
  std::array<CharacterClass, 256> classes{};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (i >= 0x80) {
      classes[i] = CharacterClass::kNonAscii;
    } else if (i < 0x20 || i == 0x7f) {
      classes[i] = CharacterClass::kControl;
    }
  }
  classes[' '] = CharacterClass::kSpace;
  classes[','] = classes['+'] = CharacterClass::kSeparator;
  classes['\\'] = CharacterClass::kBackslash;
  for (char c : {'"', ';', '<', '>', '\0'}) {
    classes[static_cast<unsigned char>(c)] = CharacterClass::kForbidden;
  }
  return classes;
}

constexpr std::array<CharacterClass, 256> kClasses = MakeClasses();

CharacterClass ClassOf(char c) { return kClasses[static_cast<unsigned char>(c)]; }

Error InvalidDn(std::string message) {
  return {ResultCode::kInvalidDnSyntax, std::move(message), {}};
}

// Length octets of BER, definite form only. Returns false when `octets` is not exactly one value.
bool SplitBerValue(std::string_view octets, unsigned char& tag, std::string_view& content) {
  if (octets.size() < 2) return false;
  tag = static_cast<unsigned char>(octets[0]);
  std::size_t length = static_cast<unsigned char>(octets[1]);
  std::size_t header = 2;
  if (length >= 0x80) {
    const std::size_t count = length & 0x7f;
    if (count == 0 || count > 4 || octets.size() < 2 + count) return false;
    length = 0;
    for (std::size_t i = 0; i < count; ++i) {
      length = (length << 8) | static_cast<unsigned char>(octets[2 + i]);
    }
    header += count;
  }
  if (octets.size() - header != length) return false;
  content = octets.substr(header);
  return true;
}

bool IsStringTag(unsigned char tag) {
  constexpr unsigned char kOctetString = 0x04;
  constexpr unsigned char kUtf8String = 0x0c;
  constexpr unsigned char kNumericString = 0x12;
  constexpr unsigned char kPrintableString = 0x13;
  constexpr unsigned char kIa5String = 0x16;
  constexpr unsigned char kVisibleString = 0x1a;
  return tag == kOctetString || tag == kUtf8String || tag == kNumericString ||
         tag == kPrintableString || tag == kIa5String || tag == kVisibleString;
}

Result<std::string> DecodeHexValue(std::string_view value) {
  std::string octets;
  octets.reserve(value.size() / 2);
  for (std::size_t i = 1; i + 1 < value.size(); i += 2) {
    octets.push_back(static_cast<char>(HexValue(value[i]) * 16 + HexValue(value[i + 1])));
  }
  unsigned char tag = 0;
  std::string_view content;
  if (!SplitBerValue(octets, tag, content) || !IsStringTag(tag)) {
    return InvalidDn("a hexadecimal value is not the BER encoding of a string");
  }
  return std::string(content);
}

}  // namespace

Error DnScanner::error() const {
  return InvalidDn("invalid DN: " + std::string(problem_) + " at offset " +
                   std::to_string(position_));
}

bool DnScanner::Fail(const char* problem) {
  problem_ = problem;
  return false;
}

void DnScanner::SkipSpaces() {
  while (position_ < text_.size() && text_[position_] == ' ') ++position_;
}

bool DnScanner::Next(ScannedAva& ava) {
  if (failed()) return false;
  if (position_ == text_.size() && !expect_ava_) return false;
  SkipSpaces();
  if (!ScanType(ava)) return false;
  SkipSpaces();
  ava.hex = position_ < text_.size() && text_[position_] == '#';
  if (!(ava.hex ? ScanHexValue(ava) : ScanStringValue(ava))) return false;
  return ScanSeparator(ava);
}

bool DnScanner::ScanType(ScannedAva& ava) {
  const std::size_t start = position_;
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (!IsAlnum(c) && c != '-' && c != '.') break;
    ++position_;
  }
  ava.type = text_.substr(start, position_ - start);
  if (ava.type.empty()) return Fail("an attribute type is missing");
  if (IsAlpha(ava.type.front()) ? ava.type.find('.') != std::string_view::npos
                                : !IsNumericOid(ava.type)) {
    position_ = start;
    return Fail("malformed attribute type");
  }
  SkipSpaces();
  if (position_ == text_.size() || text_[position_] != '=') return Fail("\"=\" is missing");
  ++position_;
  return true;
}

bool DnScanner::ScanHexValue(ScannedAva& ava) {
  const std::size_t start = position_++;
  while (position_ < text_.size() && HexValue(text_[position_]) >= 0) ++position_;
  ava.value = text_.substr(start, position_ - start);
  ava.plain = false;
  if (ava.value.size() < 3 || ava.value.size() % 2 == 0) {
    return Fail("pairs of hexadecimal digits must follow \"#\"");
  }
  SkipSpaces();
  return true;
}

bool DnScanner::ScanStringValue(ScannedAva& ava) {
  const std::size_t start = position_;
  std::size_t significant_end = position_;
  ava.plain = true;
  while (position_ < text_.size()) {
    const CharacterClass character = ClassOf(text_[position_]);
    if (character == CharacterClass::kSeparator) break;
    if (character == CharacterClass::kSpace) {
      ++position_;
      continue;
    }
    if (character == CharacterClass::kForbidden) return Fail("a character must be escaped");
    std::size_t length = 1;
    if (character != CharacterClass::kPlain) {
      ava.plain = false;
      if (character == CharacterClass::kBackslash) {
        if (!ScanEscape()) return false;
        length = 0;
      } else if (character == CharacterClass::kNonAscii) {
        length = Utf8CharacterLength(text_, position_);
        if (length == 0) return Fail("octets that are not UTF-8");
      }
    }
    position_ += length;
    significant_end = position_;
  }
  ava.value = text_.substr(start, significant_end - start);
  return true;
}

bool DnScanner::ScanEscape() {
  constexpr std::string_view kEscapable = " \"#+,;<=>\\";
  if (position_ + 1 >= text_.size()) return Fail("nothing follows the backslash");
  const char next = text_[position_ + 1];
  if (kEscapable.find(next) != std::string_view::npos) {
    position_ += 2;
    return true;
  }
  if (HexValue(next) < 0 || position_ + 2 >= text_.size() || HexValue(text_[position_ + 2]) < 0) {
    return Fail("a special character or two hexadecimal digits must follow the backslash");
  }
  position_ += 3;
  return true;
}

bool DnScanner::ScanSeparator(ScannedAva& ava) {
  ava.ends_rdn = true;
  expect_ava_ = false;
  if (position_ == text_.size()) return true;
  const char separator = text_[position_];
  if (separator != ',' && separator != '+') return Fail("\",\" or \"+\" is missing");
  ++position_;
  expect_ava_ = true;
  ava.ends_rdn = separator == ',';
  return true;
}

Result<std::string> DecodeAvaValue(const ScannedAva& ava) {
  if (ava.hex) return DecodeHexValue(ava.value);
  if (ava.plain) return std::string(ava.value);
  std::string octets;
  octets.reserve(ava.value.size());
  for (std::size_t i = 0; i < ava.value.size(); ++i) {
    char c = ava.value[i];
    if (c == '\\') {
      c = ava.value[++i];
      if (const int high = HexValue(c); high >= 0) {
        c = static_cast<char>(high * 16 + HexValue(ava.value[++i]));
      }
    }
    octets.push_back(c);
  }
  return octets;
}

}  // namespace twintree::model
