// The access log: one event an operation, none of which shows a password.
#ifndef TWINTREE_LDAP_GATEWAY_SESSION_ACCESS_LOG_H_
#define TWINTREE_LDAP_GATEWAY_SESSION_ACCESS_LOG_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "services/model/filter.h"
#include "services/model/result.h"

namespace twintree::ldap {

struct RequestInfo;
struct SessionPeer;

// What an operation was about. Empty unless the access log is on.
struct AccessDetails {
  std::optional<std::string> dn;  // base, entry or bind name; none: not known, or there is none
  std::string extra_key;          // "scope", "oid", ...; empty: nothing more
  std::string extra;
  std::shared_ptr<const model::Filter> filter;  // of a search
};

// `dn` without secrets (services/model/redaction.h) and one more field, kept if the access log is
// on. REQUIRES: `extra` holds no secret.
AccessDetails DetailsOf(std::optional<std::string_view> dn, std::string_view extra_key = {},
                        std::string extra = {});

// The field `oid` of an extended operation; what is no OID is hidden.
AccessDetails ExtendedDetails(std::string_view name);

// Writes the event. Call only if log::AccessEnabled().
void LogOperation(const SessionPeer& peer, std::string_view subject, const RequestInfo& info,
                  const AccessDetails& details, model::ResultCode code, std::string_view diagnostic,
                  std::uint64_t entries, std::chrono::nanoseconds duration);

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_SESSION_ACCESS_LOG_H_
