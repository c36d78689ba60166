#include "services/cli/tls_files.h"

#include "ldap_gateway/net/tls_context.h"
#include "services/cli/input_files.h"

namespace twintree::cli {

using model::Error;
using model::ResultCode;

model::Status CheckTlsSettings(const TlsSettings& settings) {
  if (settings.certificate_file.empty() != settings.key_file.empty()) {
    return Error{ResultCode::kOther, "--tls-cert and --tls-key belong together", ""};
  }
  if (settings.certificate_file.empty() && !settings.client_ca_file.empty()) {
    return Error{ResultCode::kOther, "--tls-client-ca needs --tls-cert and --tls-key", ""};
  }
  if (settings.certificate_file.empty()) return model::OkStatus();
  TT_RETURN_IF_ERROR(CheckReadable("--tls-cert", settings.certificate_file));
  TT_RETURN_IF_ERROR(CheckReadable("--tls-key", settings.key_file));
  TT_RETURN_IF_ERROR(CheckReadable("--tls-client-ca", settings.client_ca_file));
  ldap::TlsOptions pair{settings.certificate_file, settings.key_file, ""};
  const auto loaded = ldap::TlsContext::Load(pair);
  if (!loaded.ok()) return Named("--tls-cert and --tls-key", loaded.error());
  pair.client_ca_file = settings.client_ca_file;
  const auto with_ca = ldap::TlsContext::Load(pair);
  if (!with_ca.ok()) return Named("--tls-client-ca", with_ca.error());
  return model::OkStatus();
}

void WarnUnlessValid(const TlsSettings& settings) {
  if (!settings.certificate_file.empty()) ldap::WarnUnlessValid(settings.certificate_file);
}

}  // namespace twintree::cli
