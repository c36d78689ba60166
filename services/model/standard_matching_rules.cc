#include "services/model/standard_matching_rules.h"

#include <utility>

namespace twintree::model {
namespace {

constexpr RuleSpec kRules[] = {
    {"2.5.13.0", "objectIdentifierMatch", MatchingKind::kEquality, SyntaxKind::kOid,
     KeyForm::kIdentifier},
    {"2.5.13.1", "distinguishedNameMatch", MatchingKind::kEquality, SyntaxKind::kDn,
     KeyForm::kName},
    {"2.5.13.2", "caseIgnoreMatch", MatchingKind::kEquality, SyntaxKind::kDirectoryString,
     KeyForm::kCaseIgnore},
    {"2.5.13.3", "caseIgnoreOrderingMatch", MatchingKind::kOrdering, SyntaxKind::kDirectoryString,
     KeyForm::kCaseIgnore},
    {"2.5.13.4", "caseIgnoreSubstringsMatch", MatchingKind::kSubstring,
     SyntaxKind::kSubstringAssertion, KeyForm::kCaseIgnore},
    {"2.5.13.5", "caseExactMatch", MatchingKind::kEquality, SyntaxKind::kDirectoryString,
     KeyForm::kCaseExact},
    {"2.5.13.6", "caseExactOrderingMatch", MatchingKind::kOrdering, SyntaxKind::kDirectoryString,
     KeyForm::kCaseExact},
    {"2.5.13.7", "caseExactSubstringsMatch", MatchingKind::kSubstring,
     SyntaxKind::kSubstringAssertion, KeyForm::kCaseExact},
    {"2.5.13.8", "numericStringMatch", MatchingKind::kEquality, SyntaxKind::kNumericString,
     KeyForm::kNumeric},
    {"2.5.13.9", "numericStringOrderingMatch", MatchingKind::kOrdering, SyntaxKind::kNumericString,
     KeyForm::kNumeric},
    {"2.5.13.10", "numericStringSubstringsMatch", MatchingKind::kSubstring,
     SyntaxKind::kSubstringAssertion, KeyForm::kNumeric},
    {"2.5.13.11", "caseIgnoreListMatch", MatchingKind::kEquality, SyntaxKind::kPostalAddress,
     KeyForm::kCaseIgnoreList},
    {"2.5.13.12", "caseIgnoreListSubstringsMatch", MatchingKind::kSubstring,
     SyntaxKind::kSubstringAssertion, KeyForm::kCaseIgnoreList},
    {"2.5.13.13", "booleanMatch", MatchingKind::kEquality, SyntaxKind::kBoolean, KeyForm::kBoolean},
    {"2.5.13.14", "integerMatch", MatchingKind::kEquality, SyntaxKind::kInteger, KeyForm::kInteger},
    {"2.5.13.15", "integerOrderingMatch", MatchingKind::kOrdering, SyntaxKind::kInteger,
     KeyForm::kInteger},
    {"2.5.13.16", "bitStringMatch", MatchingKind::kEquality, SyntaxKind::kBitString,
     KeyForm::kBitString},
    {"2.5.13.17", "octetStringMatch", MatchingKind::kEquality, SyntaxKind::kOctetString,
     KeyForm::kOctets},
    {"2.5.13.18", "octetStringOrderingMatch", MatchingKind::kOrdering, SyntaxKind::kOctetString,
     KeyForm::kOctets},
    {"2.5.13.20", "telephoneNumberMatch", MatchingKind::kEquality, SyntaxKind::kTelephoneNumber,
     KeyForm::kTelephone},
    {"2.5.13.21", "telephoneNumberSubstringsMatch", MatchingKind::kSubstring,
     SyntaxKind::kSubstringAssertion, KeyForm::kTelephone},
    {"2.5.13.23", "uniqueMemberMatch", MatchingKind::kEquality, SyntaxKind::kNameAndOptionalUid,
     KeyForm::kNameAndUid},
    {"2.5.13.27", "generalizedTimeMatch", MatchingKind::kEquality, SyntaxKind::kGeneralizedTime,
     KeyForm::kTime},
    {"2.5.13.28", "generalizedTimeOrderingMatch", MatchingKind::kOrdering,
     SyntaxKind::kGeneralizedTime, KeyForm::kTime},
    {"2.5.13.32", "wordMatch", MatchingKind::kEquality, SyntaxKind::kDirectoryString,
     KeyForm::kWords},
    {"2.5.13.33", "keywordMatch", MatchingKind::kEquality, SyntaxKind::kDirectoryString,
     KeyForm::kWords},
    {"2.5.13.34", "certificateExactMatch", MatchingKind::kEquality,
     SyntaxKind::kCertificateExactAssertion, KeyForm::kCertificate},
    {"2.5.13.38", "certificateListExactMatch", MatchingKind::kEquality,
     SyntaxKind::kCertificateListExactAssertion, KeyForm::kCertificateList},
    {"1.3.6.1.4.1.1466.109.114.1", "caseExactIA5Match", MatchingKind::kEquality,
     SyntaxKind::kIa5String, KeyForm::kCaseExact},
    {"1.3.6.1.4.1.1466.109.114.2", "caseIgnoreIA5Match", MatchingKind::kEquality,
     SyntaxKind::kIa5String, KeyForm::kCaseIgnore},
    {"1.3.6.1.4.1.1466.109.114.3", "caseIgnoreIA5SubstringsMatch", MatchingKind::kSubstring,
     SyntaxKind::kSubstringAssertion, KeyForm::kCaseIgnore},
    {"1.3.6.1.4.1.4203.1.2.1", "caseExactIA5SubstringsMatch", MatchingKind::kSubstring,
     SyntaxKind::kSubstringAssertion, KeyForm::kCaseExact},
    {"1.3.6.1.1.16.2", "UUIDMatch", MatchingKind::kEquality, SyntaxKind::kUuid, KeyForm::kUuid},
    {"1.3.6.1.1.16.3", "UUIDOrderingMatch", MatchingKind::kOrdering, SyntaxKind::kUuid,
     KeyForm::kUuid},
    {"1.3.6.1.4.1.4203.666.11.2.2", "CSNMatch", MatchingKind::kEquality, SyntaxKind::kCsn,
     KeyForm::kCsn},
    {"1.3.6.1.4.1.4203.666.11.2.3", "CSNOrderingMatch", MatchingKind::kOrdering, SyntaxKind::kCsn,
     KeyForm::kCsn},
    {"1.2.840.113556.1.4.803", "integerBitAndMatch", MatchingKind::kEquality, SyntaxKind::kInteger,
     KeyForm::kBitMask},
    {"1.2.840.113556.1.4.804", "integerBitOrMatch", MatchingKind::kEquality, SyntaxKind::kInteger,
     KeyForm::kBitMask},
};

constexpr RuleSpec kFirstComponentRules[] = {
    {"2.5.13.29", "integerFirstComponentMatch", MatchingKind::kEquality, SyntaxKind::kInteger,
     KeyForm::kInteger},
    {"2.5.13.30", "objectIdentifierFirstComponentMatch", MatchingKind::kEquality, SyntaxKind::kOid,
     KeyForm::kIdentifier},
    {"2.5.13.31", "directoryStringFirstComponentMatch", MatchingKind::kEquality,
     SyntaxKind::kDirectoryString, KeyForm::kCaseIgnore},
};

const Syntax& FindSyntax(const std::vector<std::unique_ptr<Syntax>>& syntaxes, SyntaxKind kind) {
  std::size_t i = 0;
  while (syntaxes[i]->kind() != kind) ++i;
  return *syntaxes[i];
}

std::unique_ptr<MatchingRule> MakeRule(const RuleSpec& spec, const Syntax& syntax,
                                       const Schema& schema) {
  switch (spec.form) {
    case KeyForm::kCaseIgnore:
    case KeyForm::kCaseExact:
    case KeyForm::kCaseIgnoreList:
    case KeyForm::kWords: return MakeStringRule(spec, syntax);
    case KeyForm::kIdentifier:
    case KeyForm::kName:
    case KeyForm::kNameAndUid: return MakeNameRule(spec, syntax, schema);
    case KeyForm::kCertificate:
    case KeyForm::kCertificateList: return MakeCertificateRule(spec, syntax, schema);
    default: return MakeNumberRule(spec, syntax);
  }
}

Error Inappropriate(std::string message) {
  return {ResultCode::kInappropriateMatching, std::move(message), {}};
}

}  // namespace

bool SuitsSyntax(KeyForm form, SyntaxKind syntax) {
  switch (form) {
    case KeyForm::kCaseIgnore:
    case KeyForm::kCaseExact:
    case KeyForm::kWords:
      return syntax == SyntaxKind::kDirectoryString || syntax == SyntaxKind::kIa5String ||
             syntax == SyntaxKind::kPrintableString || syntax == SyntaxKind::kNumericString ||
             syntax == SyntaxKind::kTelephoneNumber || syntax == SyntaxKind::kCountryString ||
             syntax == SyntaxKind::kDsaQuality || syntax == SyntaxKind::kDataQuality;
    case KeyForm::kCaseIgnoreList: return syntax == SyntaxKind::kPostalAddress;
    case KeyForm::kNumeric: return syntax == SyntaxKind::kNumericString;
    case KeyForm::kTelephone: return syntax == SyntaxKind::kTelephoneNumber;
    case KeyForm::kBoolean: return syntax == SyntaxKind::kBoolean;
    case KeyForm::kInteger:
    case KeyForm::kBitMask: return syntax == SyntaxKind::kInteger;
    case KeyForm::kBitString: return syntax == SyntaxKind::kBitString;
    case KeyForm::kOctets:
      return syntax == SyntaxKind::kOctetString || syntax == SyntaxKind::kJpeg ||
             syntax == SyntaxKind::kBinary || syntax == SyntaxKind::kAudio ||
             syntax == SyntaxKind::kFax;
    case KeyForm::kTime: return syntax == SyntaxKind::kGeneralizedTime;
    case KeyForm::kUuid: return syntax == SyntaxKind::kUuid;
    case KeyForm::kCsn: return syntax == SyntaxKind::kCsn;
    case KeyForm::kIdentifier: return syntax == SyntaxKind::kOid;
    case KeyForm::kName: return syntax == SyntaxKind::kDn;
    case KeyForm::kNameAndUid: return syntax == SyntaxKind::kNameAndOptionalUid;
    case KeyForm::kCertificate: return syntax == SyntaxKind::kCertificate;
    case KeyForm::kCertificateList: return syntax == SyntaxKind::kCertificateList;
  }
  return false;
}

SpecifiedRule::SpecifiedRule(const RuleSpec& spec, const Syntax& assertion_syntax) {
  oid_ = spec.oid;
  name_ = spec.name;
  kind_ = spec.kind;
  assertion_syntax_ = &assertion_syntax;
  key_form_ = static_cast<int>(spec.form);
  definition_ = "( " + oid_ + " NAME '" + name_ + "' SYNTAX " + assertion_syntax.oid() + " )";
}

bool SpecifiedRule::AppliesTo(const AttributeType& type) const {
  return SuitsSyntax(static_cast<KeyForm>(key_form_), type.syntax->kind());
}

Result<std::string> SpecifiedRule::AssertionKey(std::string_view assertion) const {
  if (kind() == MatchingKind::kSubstring) {
    return Inappropriate("the rule " + name() + " compares parts of values");
  }
  TT_RETURN_IF_ERROR(assertion_syntax().Validate(assertion));
  return ValueKey(assertion);
}

Result<std::string> SpecifiedRule::PieceKey(std::string_view, SubstringPosition) const {
  return Inappropriate("the rule " + name() + " does not compare parts of values");
}

bool SpecifiedRule::Equals(std::string_view value, std::string_view assertion_key) const {
  const Result<std::string> key = ValueKey(value);
  return key.ok() && *key == assertion_key;
}

std::vector<std::unique_ptr<MatchingRule>> MakeStandardMatchingRules(
    const Schema& schema, const std::vector<std::unique_ptr<Syntax>>& syntaxes) {
  std::vector<std::unique_ptr<MatchingRule>> rules;
  for (const RuleSpec& spec : kRules) {
    rules.push_back(MakeRule(spec, FindSyntax(syntaxes, spec.assertion_syntax), schema));
  }
  for (const RuleSpec& spec : kFirstComponentRules) {
    const Syntax& syntax = FindSyntax(syntaxes, spec.assertion_syntax);
    rules.push_back(MakeFirstComponentRule(spec, syntax, MakeRule(spec, syntax, schema)));
  }
  return rules;
}

}  // namespace twintree::model
