// Values in the form of X.509, as small as the form allows, and signed by nobody.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_MODEL_X509_VALUES_H_
#define TWINTREE_TESTS_UNIT_SERVICES_MODEL_X509_VALUES_H_

#include <string>
#include <string_view>

#include "ldap_gateway/ber/ber.h"

namespace twintree::model {

inline std::string Wrap(ber::Tag tag, std::string_view content) {
  std::string element;
  ber::Writer(&element).OctetString(content, tag);
  return element;
}

// What is signed, an algorithm and a signature.
inline std::string Sign(std::string_view content, std::string_view signature = "signature") {
  const std::string algorithm = Wrap(ber::kSequence, Wrap(0x06, "\x2b\x65\x70"));
  return Wrap(ber::kSequence, Wrap(ber::kSequence, content) + algorithm +
                                  Wrap(0x03, std::string(1, '\0') + std::string(signature)));
}

// The RDNSequence, without its head, of "cn=NAME,c=DE".
inline std::string IssuerNamed(std::string_view name) {
  const auto rdn = [](std::string_view oid, ber::Tag tag, std::string_view value) {
    return Wrap(ber::kSet, Wrap(ber::kSequence, Wrap(0x06, oid) + Wrap(tag, value)));
  };
  return rdn("\x55\x04\x06", 0x13, "DE") + rdn("\x55\x04\x03", 0x0c, name);
}

// `serial_number`: the content of the INTEGER; `issuer`: of the RDNSequence.
inline std::string MakeCertificateOf(std::string_view serial_number, std::string_view issuer,
                                     std::string_view signature = "signature") {
  return Sign(Wrap(ber::Context(0, true), Wrap(ber::kInteger, "\x02")) +
                  Wrap(ber::kInteger, serial_number) + Wrap(ber::kSequence, "") +
                  Wrap(ber::kSequence, issuer),
              signature);
}

// Issued by "cn=ISSUER,c=DE".
inline std::string MakeCertificate(std::string_view serial_number, std::string_view issuer,
                                   std::string_view signature = "signature") {
  return MakeCertificateOf(serial_number, IssuerNamed(issuer), signature);
}

inline std::string MakeRevocationList(std::string_view issuer, std::string_view utc_time) {
  return Sign(Wrap(ber::kInteger, "\x01") + Wrap(ber::kSequence, "") +
              Wrap(ber::kSequence, IssuerNamed(issuer)) + Wrap(0x17, utc_time));
}

}  // namespace twintree::model

#endif  // TWINTREE_TESTS_UNIT_SERVICES_MODEL_X509_VALUES_H_
