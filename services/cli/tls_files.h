// The certificates and keys of a server.
#ifndef TWINTREE_SERVICES_CLI_TLS_FILES_H_
#define TWINTREE_SERVICES_CLI_TLS_FILES_H_

#include "services/cli/settings.h"
#include "services/model/result.h"

namespace twintree::cli {

// Are the TLS files all there, readable, and do they belong together? Errors: kOther, naming flags
// and files.
model::Status CheckTlsSettings(const TlsSettings& settings);

// Warns, in the log, of a certificate that has expired or is not valid yet.
void WarnUnlessValid(const TlsSettings& settings);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_TLS_FILES_H_
