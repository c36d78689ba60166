// What the directory has to know of X.509 values: what tells one from another.
//
// Reads DER in place and never looks past its end. A value whose parts are not where X.509 puts
// them is no certificate to these functions, whatever else it may be.
//
// Source: ITU-T X.509; RFC 5280 4.1, 5.1; RFC 4523 (how LDAP compares them).
#ifndef TWINTREE_SERVICES_MODEL_X509_H_
#define TWINTREE_SERVICES_MODEL_X509_H_

#include <optional>
#include <string>
#include <string_view>

namespace twintree::model {

// Is it SIGNED{...}: a sequence of what is signed, an AlgorithmIdentifier and a bit string, and
// nothing behind it? So are certificates, lists of revoked ones, and attribute certificates.
bool IsSigned(std::string_view der);

// The parts are views of the octets.
struct CertificateParts {
  std::string_view serial_number;  // content of the INTEGER
  std::string_view issuer;         // content of the RDNSequence
};
std::optional<CertificateParts> ReadCertificate(std::string_view der);

struct CertificateListParts {
  std::string_view issuer;
  std::string this_update;  // as GeneralizedTime is written
};
std::optional<CertificateListParts> ReadCertificateList(std::string_view der);

// The content of an INTEGER of up to 64 octets in decimal digits; nullopt when it is empty or
// longer.
std::optional<std::string> DecimalOf(std::string_view content);

// The time of a UTCTime of the form YYMMDDhhmmssZ as GeneralizedTime; years from 50 on are of the
// last century (RFC 5280 4.1.2.5.1).
std::optional<std::string> GeneralizedTimeOf(std::string_view utc_time);

// The content of an RDNSequence as a DN (RFC 4514), types by their OIDs. nullopt for a value that
// is no string, or whose string is malformed.
std::optional<std::string> DnOf(std::string_view rdn_sequence);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_X509_H_
