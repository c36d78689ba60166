// Attribute syntaxes: which octets are a value.
//
// Thread-safety: safe; syntaxes are immutable.
// Source: RFC 4517 section 3; RFC 4523 (X.509); RFC 4530 (UUID); RFC 2307 (NIS); RFC 2252 for the
//         ones that older standard attributes still use.
#ifndef TWINTREE_SERVICES_MODEL_SYNTAX_H_
#define TWINTREE_SERVICES_MODEL_SYNTAX_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"

namespace twintree::model {

enum class SyntaxKind : std::uint8_t {
  kAttributeTypeDescription,
  kAudio,
  kAttributeCertificate,
  kAuthorization,
  kBinary,
  kBitString,
  kBoolean,
  kBootParameter,
  kCertificate,
  kCertificateExactAssertion,
  kCertificateList,
  kCertificateListExactAssertion,
  kCertificatePair,
  kCountryString,
  kCsn,
  kDataQuality,
  kDeliveryMethod,
  kDirectoryString,
  kDitContentRule,
  kDitStructureRule,
  kDn,
  kDsaQuality,
  kEnhancedGuide,
  kFacsimile,
  kFax,
  kGeneralizedTime,
  kGuide,
  kIa5String,
  kInteger,
  kJpeg,
  kLdapSyntaxDescription,
  kMatchingRuleDescription,
  kMatchingRuleUse,
  kNameAndOptionalUid,
  kNameForm,
  kNetgroupTriple,
  kNumericString,
  kObjectClassDescription,
  kOctetString,
  kOid,
  kOtherMailbox,
  kPostalAddress,
  kPresentationAddress,
  kPrintableString,
  kProtocolInformation,
  kSubstringAssertion,
  kSupportedAlgorithm,
  kTelephoneNumber,
  kTeletexTerminal,
  kTelexNumber,
  kUtcTime,
  kUuid,
};

// Looks at a value; null when it is one, else what is wrong, in a few words.
using SyntaxCheck = const char* (*)(std::string_view value);

class Syntax {
 public:
  // All syntaxes that the server knows.
  static std::vector<std::unique_ptr<Syntax>> MakeAll();

  // One more, whose values are those of `model`; null: any octets.
  static std::unique_ptr<Syntax> MakeLike(const Syntax* model, std::string oid,
                                          std::string description);

  SyntaxKind kind() const { return kind_; }
  const std::string& oid() const { return oid_; }
  const std::string& description() const { return description_; }
  // The RFC 4512 description, as the subschema lists it.
  const std::string& definition() const { return definition_; }
  // Values are octets, not text for people.
  bool binary() const { return binary_; }
  // Values travel only with the option ";binary" (RFC 4523 section 2).
  bool needs_binary_transfer() const { return needs_binary_transfer_; }
  // They may have it: so have also the two types of RFC 2798 (2.8, 2.9) whose syntax is just called
  // Binary. On other types the option is undefined.
  bool takes_binary_transfer() const {
    return needs_binary_transfer_ || kind_ == SyntaxKind::kBinary;
  }

  // Null when `value` is one, else what is wrong.
  const char* Check(std::string_view value) const { return check_(value); }
  // Errors: kInvalidAttributeSyntax with the reason.
  Status Validate(std::string_view value) const;

 private:
  Syntax() = default;

  SyntaxKind kind_ = SyntaxKind::kOctetString;
  std::string oid_;
  std::string description_;
  std::string definition_;
  SyntaxCheck check_ = nullptr;
  bool binary_ = false;
  bool needs_binary_transfer_ = false;
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SYNTAX_H_
