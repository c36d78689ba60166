#include "services/model/redaction.h"

#include <algorithm>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/attribute.h"
#include "services/model/dn.h"
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
  return std::any_of(type.names.begin(), type.names.end(), SoundsSecret);
}

// May values under this type be shown, if only standard types may have any?
bool ShowsStandardOnly(std::string_view description) {
  if (!IsAttributeDescription(description)) return false;
  const AttributeType* const type =
      Schema::Standard()->FindAttributeType(WithoutOptions(description));
  return type != nullptr && !IsSecret(*type);
}

// The same in names, where the operator's own types are shown by how they are called.
bool ShowsInName(std::string_view type) {
  if (const AttributeType* const known = Schema::Standard()->FindAttributeType(type)) {
    return !IsSecret(*known);
  }
  return IsKeyString(type) && !SoundsSecret(type);
}

std::string Cut(std::string text) {
  if (text.size() > kMaxLoggedOctets) {
    text.resize(kMaxLoggedOctets);
    text += "...";
  }
  return text;
}

bool ShowsAll(const Rdn& rdn) {
  return std::all_of(rdn.avas.begin(), rdn.avas.end(),
                     [](const Ava& ava) { return ShowsInName(ava.type); });
}

std::string Redact(const Rdn& rdn) {
  if (ShowsAll(rdn)) return rdn.text;
  std::string text;
  for (const Ava& ava : rdn.avas) {
    if (!text.empty()) text += '+';
    text.append(ava.type).append("=");
    text += ShowsInName(ava.type) ? EscapeDnValue(ava.value) : std::string(kHidden);
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
  if (!filter.matching_rule.empty()) copy.matching_rule = LoggedType(filter.matching_rule);
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

}  // namespace

std::string LoggedType(std::string_view description) {
  return IsAttributeDescription(description) ? Cut(std::string(description)) : std::string(kHidden);
}

std::string LoggedName(std::string_view dn) {
  const Result<Dn> name = Dn::Parse(dn);
  if (!name.ok()) {
    return dn.find('=') == std::string_view::npos ? Cut(std::string(dn)) : std::string(kHidden);
  }
  const auto& rdns = name->rdns();
  if (std::all_of(rdns.begin(), rdns.end(), ShowsAll)) return Cut(std::string(dn));
  std::string text;
  for (const Rdn& rdn : rdns) {
    if (!text.empty()) text += ',';
    text += Redact(rdn);
  }
  return Cut(std::move(text));
}

std::string LoggedUser(std::string_view user) {
  if (!EqualsIgnoreCase(user.substr(0, 3), "dn:")) return LoggedName(user);
  return std::string(user.substr(0, 3)) + LoggedName(user.substr(3));
}

std::string LoggedFilter(const Filter& filter) {
  std::size_t items_left = kMaxLoggedOctets;
  return Cut(Redact(filter, &items_left).ToString());
}

}  // namespace twintree::model
