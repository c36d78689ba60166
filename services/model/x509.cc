#include "services/model/x509.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "ldap_gateway/ber/ber.h"
#include "services/model/ascii.h"
#include "services/model/utf8.h"

namespace twintree::model {
namespace {

constexpr ber::Tag kBitString = 0x03;
constexpr ber::Tag kObjectIdentifier = 0x06;
constexpr ber::Tag kUtf8String = 0x0c;
constexpr ber::Tag kNumericString = 0x12;
constexpr ber::Tag kPrintableString = 0x13;
constexpr ber::Tag kTeletexString = 0x14;
constexpr ber::Tag kIa5String = 0x16;
constexpr ber::Tag kUtcTime = 0x17;
constexpr ber::Tag kGeneralizedTime = 0x18;
constexpr ber::Tag kUniversalString = 0x1c;
constexpr ber::Tag kBmpString = 0x1e;

constexpr std::size_t kMaxIntegerBytes = 64;

// What is signed in SIGNED{...}.
std::optional<std::string_view> ReadSigned(std::string_view der) {
  ber::Reader outer(der);
  std::string_view content;
  if (!outer.Expect(ber::kSequence, &content) || !outer.Finished()) return std::nullopt;
  ber::Reader parts(content);
  std::string_view what;
  std::string_view ignored;
  if (!parts.Expect(ber::kSequence, &what) || !parts.Expect(ber::kSequence, &ignored) ||
      !parts.Expect(kBitString, &ignored) || !parts.Finished()) {
    return std::nullopt;
  }
  return what;
}

std::optional<std::string> ReadTime(ber::Reader* reader) {
  ber::Element time;
  if (!reader->Next(&time)) return std::nullopt;
  if (time.tag == kUtcTime) return GeneralizedTimeOf(time.content);
  if (time.tag != kGeneralizedTime) return std::nullopt;
  return std::string(time.content);
}

void AppendUtf8(std::uint32_t c, std::string* out) {
  const auto tail = [&](int shift) {
    out->push_back(static_cast<char>(0x80 | ((c >> shift) & 0x3f)));
  };
  if (c < 0x80) {
    out->push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out->push_back(static_cast<char>(0xc0 | (c >> 6)));
    tail(0);
  } else if (c < 0x10000) {
    out->push_back(static_cast<char>(0xe0 | (c >> 12)));
    tail(6);
    tail(0);
  } else {
    out->push_back(static_cast<char>(0xf0 | ((c >> 18) & 0x07)));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Characters of `width` octets each, most significant first.
std::optional<std::string> Utf8Of(std::string_view text, std::size_t width) {
  if (text.size() % width != 0) return std::nullopt;
  std::string utf8;
  for (std::size_t i = 0; i < text.size(); i += width) {
    std::uint32_t c = 0;
    for (std::size_t j = 0; j < width; ++j) c = (c << 8) | static_cast<std::uint8_t>(text[i + j]);
    if (c > 0x10ffff) return std::nullopt;
    AppendUtf8(c, &utf8);
  }
  return utf8;
}

std::optional<std::string> DecodeString(const ber::Element& value) {
  switch (value.tag) {
    case kUtf8String:
    case kNumericString:
    case kPrintableString:
    case kIa5String: return std::string(value.content);
    // Whoever writes T.61 means Latin-1.
    case kTeletexString: return Utf8Of(value.content, 1);
    case kBmpString: return Utf8Of(value.content, 2);
    case kUniversalString: return Utf8Of(value.content, 4);
    default: return std::nullopt;
  }
}

// As UTF-8; nullopt for octets that are none, halves of surrogate pairs among them.
std::optional<std::string> StringOf(const ber::Element& value) {
  std::optional<std::string> text = DecodeString(value);
  if (text && !IsValidUtf8(*text)) return std::nullopt;
  return text;
}

// One arc of an OID, base 128.
bool NextArc(std::string_view* rest, std::uint64_t* arc) {
  *arc = 0;
  while (!rest->empty()) {
    const auto octet = static_cast<std::uint8_t>(rest->front());
    rest->remove_prefix(1);
    if (*arc > (std::numeric_limits<std::uint64_t>::max() >> 7)) return false;
    *arc = (*arc << 7) | (octet & 0x7f);
    if (octet < 0x80) return true;
  }
  return false;
}

std::optional<std::string> DottedOid(std::string_view content) {
  std::uint64_t arc = 0;
  if (!NextArc(&content, &arc)) return std::nullopt;
  const std::uint64_t root = std::min<std::uint64_t>(arc / 40, 2);
  std::string oid = std::to_string(root) + "." + std::to_string(arc - root * 40);
  while (!content.empty()) {
    if (!NextArc(&content, &arc)) return std::nullopt;
    oid += "." + std::to_string(arc);
  }
  return oid;
}

void AppendEscaped(std::string_view value, std::string* out) {
  for (const char c : value) {
    if (IsAlnum(c) || static_cast<std::uint8_t>(c) >= 0x80) {
      out->push_back(c);
    } else {
      out->push_back('\\');
      AppendHex(c, *out);
    }
  }
}

// Appends "OID=value" of the content of an AttributeTypeAndValue.
bool AppendAva(std::string_view content, std::string* out) {
  ber::Reader reader(content);
  std::string_view type;
  ber::Element value;
  if (!reader.Expect(kObjectIdentifier, &type) || !reader.Next(&value) || !reader.Finished()) {
    return false;
  }
  const std::optional<std::string> oid = DottedOid(type);
  const std::optional<std::string> text = StringOf(value);
  if (!oid || !text) return false;
  out->append(*oid).append(1, '=');
  AppendEscaped(*text, out);
  return true;
}

// The RDN of the content of a SET OF AttributeTypeAndValue.
std::optional<std::string> RdnOf(std::string_view content) {
  ber::Reader reader(content);
  std::string rdn;
  while (!reader.at_end()) {
    std::string_view ava;
    if (!reader.Expect(ber::kSequence, &ava)) return std::nullopt;
    if (!rdn.empty()) rdn.push_back('+');
    if (!AppendAva(ava, &rdn)) return std::nullopt;
  }
  if (rdn.empty()) return std::nullopt;
  return rdn;
}

}  // namespace

bool IsSigned(std::string_view der) { return ReadSigned(der).has_value(); }

std::optional<CertificateParts> ReadCertificate(std::string_view der) {
  const std::optional<std::string_view> content = ReadSigned(der);
  if (!content) return std::nullopt;
  ber::Reader reader(*content);
  CertificateParts parts;
  std::string_view ignored;
  reader.Optional(ber::Context(0, true));  // version
  if (!reader.Expect(ber::kInteger, &parts.serial_number) ||
      !reader.Expect(ber::kSequence, &ignored) ||  // signature
      !reader.Expect(ber::kSequence, &parts.issuer)) {
    return std::nullopt;
  }
  return parts;
}

std::optional<CertificateListParts> ReadCertificateList(std::string_view der) {
  const std::optional<std::string_view> content = ReadSigned(der);
  if (!content) return std::nullopt;
  ber::Reader reader(*content);
  CertificateListParts parts;
  std::string_view ignored;
  reader.Optional(ber::kInteger);                  // version
  if (!reader.Expect(ber::kSequence, &ignored) ||  // signature
      !reader.Expect(ber::kSequence, &parts.issuer)) {
    return std::nullopt;
  }
  std::optional<std::string> time = ReadTime(&reader);
  if (!time) return std::nullopt;
  parts.this_update = *std::move(time);
  return parts;
}

std::optional<std::string> DecimalOf(std::string_view content) {
  if (content.empty() || content.size() > kMaxIntegerBytes) return std::nullopt;
  const bool negative = static_cast<std::uint8_t>(content.front()) >= 0x80;
  std::string digits = "0";  // least significant first
  for (const char c : content) {
    const auto octet = static_cast<std::uint8_t>(c);
    // The magnitude of a negative number is one more than its inverted octets say.
    unsigned carry = negative ? 0xffu - octet : octet;
    for (char& digit : digits) {
      carry += static_cast<unsigned>(digit - '0') * 256;
      digit = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    for (; carry != 0; carry /= 10) digits.push_back(static_cast<char>('0' + carry % 10));
  }
  if (negative) {
    std::size_t i = 0;
    while (i < digits.size() && digits[i] == '9') digits[i++] = '0';
    if (i == digits.size()) digits.push_back('0');
    ++digits[i];
    digits.push_back('-');
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<std::string> GeneralizedTimeOf(std::string_view utc_time) {
  if (utc_time.size() != 13 || utc_time.back() != 'Z' ||
      !std::all_of(utc_time.begin(), utc_time.end() - 1, [](char c) { return IsDigit(c); })) {
    return std::nullopt;
  }
  return (utc_time.front() < '5' ? "20" : "19") + std::string(utc_time);
}

std::optional<std::string> DnOf(std::string_view rdn_sequence) {
  ber::Reader reader(rdn_sequence);
  std::vector<std::string> rdns;  // the topmost first
  while (!reader.at_end()) {
    std::string_view content;
    if (!reader.Expect(ber::kSet, &content)) return std::nullopt;
    std::optional<std::string> rdn = RdnOf(content);
    if (!rdn) return std::nullopt;
    rdns.push_back(*std::move(rdn));
  }
  std::string dn;
  for (std::size_t i = rdns.size(); i > 0; --i) {
    if (!dn.empty()) dn.push_back(',');
    dn.append(rdns[i - 1]);
  }
  return dn;
}

}  // namespace twintree::model
