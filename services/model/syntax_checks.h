// What each syntax allows. Every function returns null for a value, else what is wrong.
//
// Source: RFC 4517 section 3.3, by name; RFC 4523 section 2.
#ifndef TWINTREE_SERVICES_MODEL_SYNTAX_CHECKS_H_
#define TWINTREE_SERVICES_MODEL_SYNTAX_CHECKS_H_

#include <string_view>

namespace twintree::model {

// syntax_checks.cc: strings and numbers.
const char* CheckAnyOctets(std::string_view value);
const char* CheckBitString(std::string_view value);
const char* CheckBoolean(std::string_view value);
const char* CheckCountryString(std::string_view value);
const char* CheckDirectoryString(std::string_view value);
const char* CheckIa5String(std::string_view value);
const char* CheckInteger(std::string_view value);
const char* CheckNumericString(std::string_view value);
const char* CheckOid(std::string_view value);
const char* CheckPrintableString(std::string_view value);
const char* CheckTelephoneNumber(std::string_view value);
const char* CheckUuid(std::string_view value);
const char* CheckCsn(std::string_view value);

// syntax_checks_composite.cc: values made of parts.
const char* CheckBootParameter(std::string_view value);
const char* CheckDeliveryMethod(std::string_view value);
const char* CheckDn(std::string_view value);
const char* CheckEnhancedGuide(std::string_view value);
const char* CheckFacsimile(std::string_view value);
const char* CheckGuide(std::string_view value);
const char* CheckNameAndOptionalUid(std::string_view value);
const char* CheckNetgroupTriple(std::string_view value);
const char* CheckOtherMailbox(std::string_view value);
const char* CheckPostalAddress(std::string_view value);
const char* CheckSubstringAssertion(std::string_view value);
const char* CheckTeletexTerminal(std::string_view value);
const char* CheckTelexNumber(std::string_view value);

// syntax_checks_x509.cc: values in DER, by their outer structure, and assertions about them.
const char* CheckCertificateExactAssertion(std::string_view value);
const char* CheckCertificateListExactAssertion(std::string_view value);
const char* CheckCertificatePair(std::string_view value);
const char* CheckSigned(std::string_view value);
const char* CheckSupportedAlgorithm(std::string_view value);

// A value of the Name And Optional UID syntax cut in two: `uid` is the bit string with its quotes
// and `B`, empty when there is none.
struct NameAndUid {
  std::string_view name;
  std::string_view uid;
};
NameAndUid SplitNameAndUid(std::string_view value);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SYNTAX_CHECKS_H_
