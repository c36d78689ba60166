#include "services/model/standard_schema.h"

namespace twintree::model {

std::span<const StandardSchemaText> StandardSchemaTexts() {
  static const StandardSchemaText kTexts[] = {
      {"RFC 4512", kModelsSchema},
      {"", kOperationalSchema},
      {"RFC 4519", kUserSchema},
      {"RFC 2256", kServerSchema},
      {"RFC 4523", kCertificateSchema},
      {"RFC 4524", kCosineSchema},
      {"RFC 2798", kInetOrgPersonSchema},
      {"RFC 2307", kNisSchema},
      {"draft-behera-ldap-password-policy", kPasswordPolicySchema},
      {"RFC 3296", kReferralSchema},
      {"OpenSSH-LPK", kSshSchema},
      {"sudo", kSudoSchema},
  };
  return kTexts;
}

}  // namespace twintree::model
