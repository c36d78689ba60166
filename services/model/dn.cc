#include "services/model/dn.h"

#include <algorithm>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/dn_scanner.h"
#include "services/model/utf8.h"

namespace twintree::model {
namespace {

void AppendAvaText(const ScannedAva& scanned, std::string& text) {
  if (!text.empty()) text.push_back('+');
  text.append(scanned.type).push_back('=');
  text.append(scanned.value);
}

// Adds the AVA to `rdn`, whose earlier ones are already there.
Status AppendAva(const ScannedAva& scanned, Rdn& rdn) {
  TT_ASSIGN_OR_RETURN(std::string value, DecodeAvaValue(scanned));
  AppendAvaText(scanned, rdn.text);
  rdn.avas.push_back({std::string(scanned.type), std::move(value)});
  return OkStatus();
}

bool NeedsBackslash(std::string_view value, std::size_t i) {
  constexpr std::string_view kSpecial = "\"+,;<>\\";
  const char c = value[i];
  if (kSpecial.find(c) != std::string_view::npos) return true;
  if (c == '#') return i == 0;
  return c == ' ' && (i == 0 || i + 1 == value.size());
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Where the RDN that starts at `start` ends: at the comma or at the end of the text. A key holds
// no comma inside a value.
std::size_t RdnEnd(std::string_view text, std::size_t start) {
  return std::min(text.find(',', start), text.size());
}

}  // namespace

Result<Rdn> Rdn::Parse(std::string_view text) {
  DnScanner scanner(text);
  ScannedAva ava;
  Rdn rdn;
  bool complete = false;
  while (scanner.Next(ava)) {
    if (complete) {
      return Error{ResultCode::kInvalidDnSyntax, "one RDN is expected, there are more", {}};
    }
    TT_RETURN_IF_ERROR(AppendAva(ava, rdn));
    complete = ava.ends_rdn;
  }
  if (scanner.failed()) return scanner.error();
  if (rdn.avas.empty()) return Error{ResultCode::kInvalidDnSyntax, "the RDN is empty", {}};
  return rdn;
}

Result<Dn> Dn::Parse(std::string_view text) {
  DnScanner scanner(text);
  ScannedAva ava;
  Dn dn;
  bool starts_rdn = true;
  while (scanner.Next(ava)) {
    if (starts_rdn) {
      if (dn.rdns_.size() == kMaxRdns) {
        return Error{ResultCode::kInvalidDnSyntax, "the DN has too many RDNs", {}};
      }
      dn.rdns_.emplace_back();
    }
    TT_RETURN_IF_ERROR(AppendAva(ava, dn.rdns_.back()));
    starts_rdn = ava.ends_rdn;
  }
  if (scanner.failed()) return scanner.error();
  return dn;
}

std::string Dn::ToString() const {
  std::string text;
  for (const Rdn& rdn : rdns_) {
    if (!text.empty()) text.push_back(',');
    text.append(rdn.text);
  }
  return text;
}

std::string EscapeDnValue(std::string_view value) {
  std::string escaped;
  escaped.reserve(value.size() + 8);
  for (std::size_t i = 0; i < value.size();) {
    const std::size_t length = Utf8CharacterLength(value, i);
    if (length == 0 || IsControl(value[i])) {
      escaped.push_back('\\');
      AppendHex(value[i++], escaped);
      continue;
    }
    if (length == 1 && NeedsBackslash(value, i)) escaped.push_back('\\');
    escaped.append(value, i, length);
    i += length;
  }
  return escaped;
}

DnKey DnKey::FromNormalized(std::string text) {
  DnKey key;
  key.text_ = std::move(text);
  for (std::size_t start = 0; start < key.text_.size();) {
    key.starts_.push_back(static_cast<std::uint32_t>(start));
    start = RdnEnd(key.text_, start) + 1;
  }
  return key;
}

std::string_view DnKey::rdn(std::size_t i) const {
  const std::string_view text = text_;
  const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1] - 1 : text.size();
  return text.substr(starts_[i], end - starts_[i]);
}

std::string_view DnKey::suffix(std::size_t i) const {
  return i < starts_.size() ? std::string_view(text_).substr(starts_[i]) : std::string_view();
}

bool DnKey::IsWithin(const DnKey& ancestor) const {
  if (ancestor.size() > size()) return false;
  return suffix(size() - ancestor.size()) == ancestor.text_;
}

}  // namespace twintree::model
