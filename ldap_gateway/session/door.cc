#include "ldap_gateway/session/door.h"

#include <string>
#include <utility>

#include "ldap_gateway/protocol/controls.h"
#include "ldap_gateway/protocol/oids.h"

namespace twintree::ldap {
namespace {

std::vector<std::string> Extensions(bool start_tls) {
  std::vector<std::string> oids;
  if (start_tls) oids.emplace_back(oid::kStartTls);
  oids.emplace_back(oid::kPasswordModify);
  oids.emplace_back(oid::kWhoAmI);
  oids.emplace_back(oid::kCancel);
  return oids;
}

std::shared_ptr<const std::vector<model::RawAttribute>> MakeRootDse(bool start_tls) {
  std::vector<model::RawAttribute> attributes;
  attributes.push_back({"supportedLDAPVersion", {"3"}});
  model::RawAttribute controls{"supportedControl", {}};
  for (std::string_view oid : SupportedControls()) controls.values.emplace_back(oid);
  attributes.push_back(std::move(controls));
  attributes.push_back({"supportedExtension", Extensions(start_tls)});
  attributes.push_back(
      {"supportedFeatures",
       {std::string(oid::kAllOperationalAttributes), std::string(oid::kObjectClassLists),
        std::string(oid::kAbsoluteFilters), std::string(oid::kLanguageTags),
        std::string(oid::kLanguageRanges), std::string(oid::kModifyIncrement)}});
  return std::make_shared<const std::vector<model::RawAttribute>>(std::move(attributes));
}

}  // namespace

std::string_view TransportName(Transport transport) {
  switch (transport) {
    case Transport::kLdap: return "ldap";
    case Transport::kLdaps: return "ldaps";
    case Transport::kLdapi: return "ldapi";
  }
  return "unknown";
}

Door::Door(std::shared_ptr<directory::Directory> directory,
           std::shared_ptr<ConnectionObserver> observer, SessionLimits limits, bool start_tls)
    : directory_(std::move(directory)),
      observer_(std::move(observer)),
      limits_(limits),
      start_tls_(start_tls),
      input_(limits.max_input_bytes),
      anonymous_input_(limits.max_anonymous_input_bytes),
      root_dse_(MakeRootDse(false)),
      root_dse_in_clear_(MakeRootDse(start_tls)) {}

}  // namespace twintree::ldap
