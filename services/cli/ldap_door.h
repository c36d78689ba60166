// The LDAP door as settings describe it.
#ifndef TWINTREE_SERVICES_CLI_LDAP_DOOR_H_
#define TWINTREE_SERVICES_CLI_LDAP_DOOR_H_

#include <memory>

#include "ldap_gateway/net/ldap_server.h"
#include "services/cli/settings.h"
#include "services/directory/directory.h"
#include "services/metrics/ldap_metrics.h"
#include "services/model/result.h"

namespace twintree::cli {

// Can the settings be used, as far as can be told without opening anything? Errors: kOther, naming
// flags and values.
model::Status CheckLdapSettings(const LdapSettings& settings, const TlsSettings& tls);

// Errors: kOther, for addresses and certificates that cannot be used.
// REQUIRES: CheckLdapSettings() found nothing.
model::Result<std::unique_ptr<ldap::LdapServer>> StartLdapDoor(
    const LdapSettings& settings, const TlsSettings& tls, const ProcessSettings& process,
    std::shared_ptr<directory::Directory> directory, std::shared_ptr<metrics::LdapMetrics> metrics);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_LDAP_DOOR_H_
