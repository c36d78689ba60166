#include "ldap_gateway/session/access_log.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ldap_gateway/limits.h"
#include "ldap_gateway/session/task.h"
#include "services/log/log.h"

namespace twintree::ldap {
namespace {

constexpr std::string_view kHidden = "***";

// Types whose values are secrets, by name and by OID.
constexpr std::array<std::string_view, 6> kSecretTypes = {
    "userpassword",           "2.5.4.35",   "authpassword",
    "1.3.6.1.4.1.4203.1.3.4", "pwdhistory", "1.3.6.1.4.1.42.2.27.8.1.20"};

bool IsSecret(std::string_view description) {
  std::string type(description.substr(0, description.find(';')));
  for (char& c : type) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return std::find(kSecretTypes.begin(), kSecretTypes.end(), type) != kSecretTypes.end();
}

// A copy without secrets that stops growing once it is too long to be shown anyway.
model::Filter Redact(const model::Filter& filter, std::size_t* items_left) {
  model::Filter copy;
  copy.kind = filter.kind;
  for (const model::Filter& child : filter.children) {
    if (*items_left == 0) break;
    --*items_left;
    copy.children.push_back(Redact(child, items_left));
  }
  copy.attribute = filter.attribute;
  copy.matching_rule = filter.matching_rule;
  copy.dn_attributes = filter.dn_attributes;
  const bool any_attribute =
      filter.kind == model::FilterKind::kExtensible && filter.attribute.empty();
  if (any_attribute || IsSecret(filter.attribute)) {
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

std::string Cut(std::string text) {
  if (text.size() > kMaxLoggedOctets) {
    text.resize(kMaxLoggedOctets);
    text += "...";
  }
  return text;
}

}  // namespace

AccessDetails DetailsOf(std::string_view dn, std::string_view extra_key, std::string_view extra) {
  AccessDetails details;
  if (!log::AccessEnabled()) return details;
  details.dn = Cut(std::string(dn));
  details.extra_key = extra_key;
  details.extra = Cut(std::string(extra));
  return details;
}

std::string FilterSummary(const model::Filter& filter) {
  std::size_t items_left = kMaxLoggedOctets;
  return Cut(Redact(filter, &items_left).ToString());
}

void LogOperation(std::uint64_t connection, const RequestInfo& info, const AccessDetails& details,
                  model::ResultCode code, std::string_view diagnostic, std::uint64_t entries,
                  std::chrono::nanoseconds duration) {
  log::Event event = log::Access("operation");
  event.With("conn", connection).With("op", info.number).With("kind", OperationName(info.kind));
  event.With("dn", details.dn);
  if (!details.extra_key.empty()) event.With(details.extra_key, details.extra);
  if (details.filter) event.With("filter", FilterSummary(*details.filter));
  event.With("result", static_cast<std::int32_t>(code));
  if (!diagnostic.empty()) event.With("text", diagnostic);
  if (info.kind == OperationKind::kSearch) event.With("entries", entries);
  event.With("duration", duration);
}

}  // namespace twintree::ldap
