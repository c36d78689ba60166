// The standard content: schema files, one for each group of specifications.
//
// Object identifiers, names, syntaxes and rules are those of the specifications; the words of the
// descriptions are ours.
#ifndef TWINTREE_SERVICES_MODEL_STANDARD_SCHEMA_H_
#define TWINTREE_SERVICES_MODEL_STANDARD_SCHEMA_H_

#include <span>
#include <string_view>

namespace twintree::model {

struct StandardSchemaText {
  std::string_view origin;  // becomes X-ORIGIN
  std::string_view text;    // in the form that SchemaBuilder::AddText reads
};

// In an order in which each refers only to what stands before it.
std::span<const StandardSchemaText> StandardSchemaTexts();

extern const std::string_view kModelsSchema;          // RFC 4512
extern const std::string_view kOperationalSchema;     // RFC 4530, 5020, 3045, X.501, ...
extern const std::string_view kUserSchema;            // RFC 4519
extern const std::string_view kServerSchema;          // RFC 2256
extern const std::string_view kCertificateSchema;     // RFC 4523
extern const std::string_view kCosineSchema;          // RFC 4524, RFC 1274
extern const std::string_view kInetOrgPersonSchema;   // RFC 2798, RFC 2079
extern const std::string_view kNisSchema;             // RFC 2307 and its successor
extern const std::string_view kPasswordPolicySchema;  // draft-behera-ldap-password-policy
extern const std::string_view kReferralSchema;        // RFC 3296
extern const std::string_view kSshSchema;             // OpenSSH public keys
extern const std::string_view kSudoSchema;            // sudo's rules

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_STANDARD_SCHEMA_H_
