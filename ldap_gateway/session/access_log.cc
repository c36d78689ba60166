#include "ldap_gateway/session/access_log.h"

#include <utility>

#include "ldap_gateway/session/session.h"
#include "ldap_gateway/session/task.h"
#include "services/log/log.h"
#include "services/model/redaction.h"

namespace twintree::ldap {

AccessDetails DetailsOf(std::optional<std::string_view> dn, std::string_view extra_key,
                        std::string extra) {
  AccessDetails details;
  if (!log::AccessEnabled()) return details;
  if (dn) details.dn = model::LoggedName(*dn);
  details.extra_key = extra_key;
  details.extra = std::move(extra);
  return details;
}

AccessDetails ExtendedDetails(std::string_view name) {
  if (!log::AccessEnabled()) return {};
  return DetailsOf({}, "oid", model::LoggedType(name));
}

void LogOperation(const SessionPeer& peer, std::string_view subject, const RequestInfo& info,
                  const AccessDetails& details, model::ResultCode code, std::string_view diagnostic,
                  std::uint64_t entries, std::chrono::nanoseconds duration) {
  log::Event event = log::Access("operation");
  event.With("protocol", TransportName(peer.transport)).With("conn", peer.connection);
  event.With("op", info.number)
      .With("subject", model::LoggedName(subject))
      .With("kind", OperationName(info.kind));
  if (details.dn) event.With("dn", *details.dn);
  if (!details.extra_key.empty()) event.With(details.extra_key, details.extra);
  if (details.filter) event.With("filter", model::LoggedFilter(*details.filter));
  event.With("result", static_cast<std::int32_t>(code));
  if (!diagnostic.empty()) event.With("text", model::LoggedDiagnostic(diagnostic));
  if (info.kind == OperationKind::kSearch) event.With("entries", entries);
  event.With("duration_seconds", duration);
}

}  // namespace twintree::ldap
