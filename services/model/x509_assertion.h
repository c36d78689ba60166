// Assertions about certificates and lists of revoked ones, as filters write them:
//
//   { serialNumber 4711, issuer rdnSequence:"CN=Example CA,O=Example" }
//   { issuer rdnSequence:"CN=Example CA,O=Example", thisUpdate utcTime:"260102030405Z" }
//
// Source: RFC 4523 3.1, 3.5; RFC 3641 (GSER).
#ifndef TWINTREE_SERVICES_MODEL_X509_ASSERTION_H_
#define TWINTREE_SERVICES_MODEL_X509_ASSERTION_H_

#include <optional>
#include <string>
#include <string_view>

namespace twintree::model {

struct CertificateAssertion {
  std::string serial_number;  // decimal
  std::string issuer;         // a DN, as it was written
};
struct CertificateListAssertion {
  std::string issuer;
  std::string this_update;  // as GeneralizedTime is written
};

// nullopt for what is none. A list assertion with a distributionPoint is none either: that is not
// compared here. Fields may come in any order, each once.
std::optional<CertificateAssertion> ParseCertificateAssertion(std::string_view text);
std::optional<CertificateListAssertion> ParseCertificateListAssertion(std::string_view text);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_X509_ASSERTION_H_
