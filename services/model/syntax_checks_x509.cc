#include "ldap_gateway/ber/ber.h"
#include "services/model/syntax_checks.h"
#include "services/model/x509.h"
#include "services/model/x509_assertion.h"

namespace twintree::model {

const char* CheckCertificateExactAssertion(std::string_view value) {
  if (IsSigned(value) || ParseCertificateAssertion(value)) return nullptr;
  return "it is written as { serialNumber N, issuer rdnSequence:\"DN\" }, or is a certificate";
}

const char* CheckCertificateListExactAssertion(std::string_view value) {
  if (IsSigned(value) || ParseCertificateListAssertion(value)) return nullptr;
  return "it is written as { issuer rdnSequence:\"DN\", thisUpdate utcTime:\"TIME\" }, or is a "
         "list";
}

// Both certificates are optional, but a pair has one.
const char* CheckCertificatePair(std::string_view value) {
  constexpr const char* kProblem = "it is no pair of certificates in DER";
  ber::Reader outer(value);
  std::string_view content;
  if (!outer.Expect(ber::kSequence, &content) || !outer.Finished() || content.empty()) {
    return kProblem;
  }
  ber::Reader pair(content);
  for (const int number : {0, 1}) {
    const auto certificate = pair.Optional(ber::Context(number, true));
    if (certificate && !IsSigned(*certificate)) return kProblem;
  }
  return pair.Finished() ? nullptr : kProblem;
}

const char* CheckSigned(std::string_view value) {
  if (IsSigned(value)) return nullptr;
  if (value.starts_with("-----BEGIN")) return "it is PEM, and DER is required";
  return "it is not signed data in DER";
}

const char* CheckSupportedAlgorithm(std::string_view value) {
  ber::Reader outer(value);
  std::string_view content;
  std::string_view algorithm;
  if (outer.Expect(ber::kSequence, &content) && outer.Finished() &&
      ber::Reader(content).Expect(ber::kSequence, &algorithm)) {
    return nullptr;
  }
  return "it is no algorithm in DER";
}

}  // namespace twintree::model
