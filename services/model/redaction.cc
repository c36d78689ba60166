#include "services/model/redaction.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/attribute.h"
#include "services/model/dn.h"
#include "services/model/password_attributes.h"
#include "services/model/schema.h"

namespace twintree::model {
namespace {

constexpr std::string_view kHidden = "<hidden>";

std::string_view WithoutOptions(std::string_view description) {
  return description.substr(0, description.find(';'));
}

// Does the name of a type tell that it holds passwords, hashes or keys made of them?
bool SoundsSecret(std::string_view name) {
  const std::string lower = ToLowerCopy(name);
  for (const std::string_view part : {"passw", "pwd", "secret", "principalkey"}) {
    if (lower.find(part) != std::string::npos) return true;
  }
  return false;
}

bool IsSecret(const AttributeType& type) {
  return HoldsPasswords(type) || std::any_of(type.names.begin(), type.names.end(), SoundsSecret);
}

// May values under this type be shown, if only standard types may have any?
bool ShowsStandardOnly(std::string_view description) {
  if (!IsAttributeDescription(description)) return false;
  const AttributeType* const type =
      Schema::Standard()->FindAttributeType(WithoutOptions(description));
  return type != nullptr && !IsSecret(*type);
}

// Mechanisms that are registered or widely used; no server offers all of them.
constexpr std::array<std::string_view, 18> kSaslMechanisms = {
    "ANONYMOUS",     "CRAM-MD5",           "DIGEST-MD5",
    "EXTERNAL",      "GS2-KRB5",           "GSS-SPNEGO",
    "GSSAPI",        "KERBEROS_V4",        "LOGIN",
    "NTLM",          "OAUTHBEARER",        "OTP",
    "PLAIN",         "SCRAM-SHA-1",        "SCRAM-SHA-256",
    "SCRAM-SHA-512", "SCRAM-SHA-256-PLUS", "XOAUTH2"};

bool IsKnownName(std::string_view name) {
  const Schema& schema = *Schema::Standard();
  return schema.FindAttributeType(name) != nullptr || schema.FindObjectClass(name) != nullptr ||
         schema.FindMatchingRule(name) != nullptr || IsNumericOid(name) ||
         std::find(kSaslMechanisms.begin(), kSaslMechanisms.end(), name) != kSaslMechanisms.end();
}

// `binary`, or the tag or range of a language whose parts are as short as those of real ones.
bool IsKnownOption(std::string_view option) {
  constexpr std::string_view kLanguage = "lang-";
  constexpr std::size_t kMostParts = 3;
  constexpr std::size_t kLongestPart = 4;
  if (EqualsIgnoreCase(option, "binary")) return true;
  if (!EqualsIgnoreCase(option.substr(0, kLanguage.size()), kLanguage)) return false;
  std::string_view rest = option.substr(kLanguage.size());
  for (std::size_t parts = 0; parts < kMostParts; ++parts) {
    const std::size_t end = rest.find('-');
    if (rest.substr(0, end).size() > kLongestPart) return false;
    if (end == std::string_view::npos) return true;
    rest.remove_prefix(end + 1);
  }
  return rest.empty();
}

// Options, each with its `;`.
std::string LoggedOptions(std::string_view options) {
  std::string text;
  while (!options.empty()) {
    options.remove_prefix(1);
    const std::string_view option = options.substr(0, options.find(';'));
    text.append(";").append(IsKnownOption(option) ? option : kHidden);
    options.remove_prefix(option.size());
  }
  return text;
}

// May values under this type be shown in a name? The operator's own types are judged by how they
// are called, but only in what is a name for sure.
bool ShowsInName(std::string_view type, bool sure) {
  if (const AttributeType* const known = Schema::Standard()->FindAttributeType(type)) {
    return !IsSecret(*known);
  }
  return sure && IsKeyString(type) && !SoundsSecret(type);
}

std::string Cut(std::string text) {
  if (text.size() > kMaxLoggedOctets) {
    text.resize(kMaxLoggedOctets);
    text += "...";
  }
  return text;
}

bool ShowsAll(const Rdn& rdn, bool sure) {
  return std::all_of(rdn.avas.begin(), rdn.avas.end(),
                     [sure](const Ava& ava) { return ShowsInName(ava.type, sure); });
}

std::string Redact(const Rdn& rdn, bool sure) {
  if (ShowsAll(rdn, sure)) return rdn.text;
  std::string text;
  for (const Ava& ava : rdn.avas) {
    if (!text.empty()) text += '+';
    text.append(sure && IsKeyString(ava.type) ? ava.type : LoggedType(ava.type)).append("=");
    text += ShowsInName(ava.type, sure) ? EscapeDnValue(ava.value) : std::string(kHidden);
  }
  return text;
}

// A copy without secrets that stops growing once it is too long to be shown anyway.
Filter Redact(const Filter& filter, std::size_t* items_left) {
  Filter copy;
  copy.kind = filter.kind;
  for (const Filter& child : filter.children) {
    if (*items_left == 0) break;
    --*items_left;
    copy.children.push_back(Redact(child, items_left));
  }
  if (!filter.attribute.empty()) copy.attribute = LoggedType(filter.attribute);
  if (!filter.matching_rule.empty()) {
    copy.matching_rule = IsKnownName(filter.matching_rule) ? filter.matching_rule : kHidden;
  }
  copy.dn_attributes = filter.dn_attributes;
  if (!ShowsStandardOnly(filter.attribute)) {
    copy.value = kHidden;
    copy.initial = kHidden;
    return copy;
  }
  copy.value = filter.value.substr(0, kMaxLoggedOctets);
  copy.initial = filter.initial.substr(0, kMaxLoggedOctets);
  for (const std::string& piece : filter.any) {
    if (copy.any.size() == kMaxLoggedOctets) break;
    copy.any.push_back(piece.substr(0, kMaxLoggedOctets));
  }
  copy.final_piece = filter.final_piece.substr(0, kMaxLoggedOctets);
  return copy;
}

// What stands between quotes in a message.
std::string LoggedQuotation(std::string_view quoted) {
  // One octet is the sign that a message speaks of.
  if (quoted.size() <= 1 || IsKnownName(quoted)) return std::string(quoted);
  return LoggedName(quoted);
}

bool IsOptionOctet(char c) { return IsAlnum(c) || c == '-'; }

// What stands outside of quotes: "; " belongs to the language, ";x" is an option.
std::string LoggedProse(std::string_view prose) {
  std::string text;
  while (!prose.empty()) {
    const std::size_t begin = std::min(prose.find(';'), prose.size());
    text.append(prose.substr(0, begin));
    prose.remove_prefix(begin);
    if (prose.empty()) break;
    const auto* const end = std::find_if_not(prose.begin() + 1, prose.end(), IsOptionOctet);
    const std::string_view option = prose.substr(0, end - prose.begin());
    text += option.size() == 1 ? ";" : LoggedOptions(option);
    prose.remove_prefix(option.size());
  }
  return text;
}

}  // namespace

std::string LoggedType(std::string_view description) {
  if (!IsAttributeDescription(description)) return std::string(kHidden);
  const std::string_view type = WithoutOptions(description);
  const bool known = IsNumericOid(type) || Schema::Standard()->FindAttributeType(type) != nullptr;
  return Cut(std::string(known ? type : kHidden) + LoggedOptions(description.substr(type.size())));
}

std::string LoggedName(std::string_view dn) {
  const Result<Dn> name = Dn::Parse(dn);
  if (!name.ok()) return std::string(kHidden);
  const auto& rdns = name->rdns();
  if (rdns.empty()) return std::string(dn);
  const auto& last = rdns.back().avas;
  const bool sure = std::all_of(last.begin(), last.end(), [](const Ava& ava) {
    return Schema::Standard()->FindAttributeType(ava.type) != nullptr;
  });
  if (std::all_of(rdns.begin(), rdns.end(),
                  [sure](const Rdn& rdn) { return ShowsAll(rdn, sure); })) {
    return Cut(std::string(dn));
  }
  std::string text;
  for (const Rdn& rdn : rdns) {
    if (!text.empty()) text += ',';
    text += Redact(rdn, sure);
  }
  return Cut(std::move(text));
}

std::string LoggedUser(std::string_view user) {
  if (!EqualsIgnoreCase(user.substr(0, 3), "dn:")) return LoggedName(user);
  return std::string(user.substr(0, 3)) + LoggedName(user.substr(3));
}

std::string LoggedDiagnostic(std::string_view diagnostic) {
  std::string text;
  while (!diagnostic.empty()) {
    const std::size_t open = std::min(diagnostic.find('"'), diagnostic.size());
    text += LoggedProse(diagnostic.substr(0, open));
    diagnostic.remove_prefix(open);
    if (diagnostic.empty()) break;
    const std::size_t close = diagnostic.find('"', 1);
    if (close == std::string_view::npos) return Cut(text + "\"" + std::string(kHidden));
    text += '"' + LoggedQuotation(diagnostic.substr(1, close - 1)) + '"';
    diagnostic.remove_prefix(close + 1);
  }
  return Cut(std::move(text));
}

std::string LoggedFilter(const Filter& filter) {
  std::size_t items_left = kMaxLoggedOctets;
  std::string text = Redact(filter, &items_left).ToString();
  // A filter's text escapes what no type can hold.
  constexpr std::string_view kEscaped = "\\3chidden\\3e";
  for (std::size_t i = text.find(kEscaped); i != std::string::npos; i = text.find(kEscaped, i)) {
    text.replace(i, kEscaped.size(), kHidden);
  }
  return Cut(std::move(text));
}

}  // namespace twintree::model
