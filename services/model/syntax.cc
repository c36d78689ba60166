#include "services/model/syntax.h"

#include <utility>

#include "services/model/schema_parser.h"
#include "services/model/syntax_checks.h"
#include "services/model/time_syntax.h"

namespace twintree::model {
namespace {

template <DescriptionForm kForm>
const char* CheckForm(std::string_view value) {
  return CheckDescription(value, kForm).ok() ? nullptr : "it is not a well-formed description";
}

const char* CheckDescriptiveText(std::string_view value) { return CheckIa5String(value); }

enum class Nature { kText, kOctets, kOctetsByBinaryOption };

struct SyntaxSpec {
  SyntaxKind kind;
  const char* oid;
  const char* description;
  SyntaxCheck check;
  Nature nature = Nature::kText;
};

#define TT_SYNTAX(number) "1.3.6.1.4.1.1466.115.121.1." #number

constexpr SyntaxSpec kSyntaxes[] = {
    {SyntaxKind::kAttributeTypeDescription, TT_SYNTAX(3), "Attribute Type Description",
     CheckForm<DescriptionForm::kAttributeType>},
    {SyntaxKind::kAudio, TT_SYNTAX(4), "Audio", CheckAnyOctets, Nature::kOctets},
    {SyntaxKind::kBinary, TT_SYNTAX(5), "Binary", CheckAnyOctets, Nature::kOctets},
    {SyntaxKind::kBitString, TT_SYNTAX(6), "Bit String", CheckBitString},
    {SyntaxKind::kBoolean, TT_SYNTAX(7), "Boolean", CheckBoolean},
    {SyntaxKind::kCertificate, TT_SYNTAX(8), "X.509 Certificate", CheckSigned,
     Nature::kOctetsByBinaryOption},
    {SyntaxKind::kCertificateList, TT_SYNTAX(9), "X.509 Certificate List", CheckSigned,
     Nature::kOctetsByBinaryOption},
    {SyntaxKind::kCertificatePair, TT_SYNTAX(10), "X.509 Certificate Pair", CheckCertificatePair,
     Nature::kOctetsByBinaryOption},
    {SyntaxKind::kCountryString, TT_SYNTAX(11), "Country String", CheckCountryString},
    {SyntaxKind::kDn, TT_SYNTAX(12), "DN", CheckDn},
    {SyntaxKind::kDataQuality, TT_SYNTAX(13), "Data Quality", CheckDescriptiveText},
    {SyntaxKind::kDeliveryMethod, TT_SYNTAX(14), "Delivery Method", CheckDeliveryMethod},
    {SyntaxKind::kDirectoryString, TT_SYNTAX(15), "Directory String", CheckDirectoryString},
    {SyntaxKind::kDitContentRule, TT_SYNTAX(16), "DIT Content Rule Description",
     CheckForm<DescriptionForm::kDitContentRule>},
    {SyntaxKind::kDitStructureRule, TT_SYNTAX(17), "DIT Structure Rule Description",
     CheckForm<DescriptionForm::kDitStructureRule>},
    {SyntaxKind::kDsaQuality, TT_SYNTAX(19), "DSA Quality", CheckDescriptiveText},
    {SyntaxKind::kEnhancedGuide, TT_SYNTAX(21), "Enhanced Guide", CheckEnhancedGuide},
    {SyntaxKind::kFacsimile, TT_SYNTAX(22), "Facsimile Telephone Number", CheckFacsimile},
    {SyntaxKind::kFax, TT_SYNTAX(23), "Fax", CheckAnyOctets, Nature::kOctets},
    {SyntaxKind::kGeneralizedTime, TT_SYNTAX(24), "Generalized Time", CheckGeneralizedTime},
    {SyntaxKind::kGuide, TT_SYNTAX(25), "Guide", CheckGuide},
    {SyntaxKind::kIa5String, TT_SYNTAX(26), "IA5 String", CheckIa5String},
    {SyntaxKind::kInteger, TT_SYNTAX(27), "INTEGER", CheckInteger},
    {SyntaxKind::kJpeg, TT_SYNTAX(28), "JPEG", CheckAnyOctets, Nature::kOctets},
    {SyntaxKind::kMatchingRuleDescription, TT_SYNTAX(30), "Matching Rule Description",
     CheckForm<DescriptionForm::kMatchingRule>},
    {SyntaxKind::kMatchingRuleUse, TT_SYNTAX(31), "Matching Rule Use Description",
     CheckForm<DescriptionForm::kMatchingRuleUse>},
    {SyntaxKind::kNameAndOptionalUid, TT_SYNTAX(34), "Name And Optional UID",
     CheckNameAndOptionalUid},
    {SyntaxKind::kNameForm, TT_SYNTAX(35), "Name Form Description",
     CheckForm<DescriptionForm::kNameForm>},
    {SyntaxKind::kNumericString, TT_SYNTAX(36), "Numeric String", CheckNumericString},
    {SyntaxKind::kObjectClassDescription, TT_SYNTAX(37), "Object Class Description",
     CheckForm<DescriptionForm::kObjectClass>},
    {SyntaxKind::kOid, TT_SYNTAX(38), "OID", CheckOid},
    {SyntaxKind::kOtherMailbox, TT_SYNTAX(39), "Other Mailbox", CheckOtherMailbox},
    {SyntaxKind::kOctetString, TT_SYNTAX(40), "Octet String", CheckAnyOctets, Nature::kOctets},
    {SyntaxKind::kPostalAddress, TT_SYNTAX(41), "Postal Address", CheckPostalAddress},
    {SyntaxKind::kProtocolInformation, TT_SYNTAX(42), "Protocol Information", CheckDescriptiveText},
    {SyntaxKind::kPresentationAddress, TT_SYNTAX(43), "Presentation Address", CheckDescriptiveText},
    {SyntaxKind::kPrintableString, TT_SYNTAX(44), "Printable String", CheckPrintableString},
    {SyntaxKind::kSupportedAlgorithm, TT_SYNTAX(49), "X.509 Supported Algorithm",
     CheckSupportedAlgorithm, Nature::kOctetsByBinaryOption},
    {SyntaxKind::kTelephoneNumber, TT_SYNTAX(50), "Telephone Number", CheckTelephoneNumber},
    {SyntaxKind::kTeletexTerminal, TT_SYNTAX(51), "Teletex Terminal Identifier",
     CheckTeletexTerminal},
    {SyntaxKind::kTelexNumber, TT_SYNTAX(52), "Telex Number", CheckTelexNumber},
    {SyntaxKind::kUtcTime, TT_SYNTAX(53), "UTC Time", CheckUtcTime},
    {SyntaxKind::kLdapSyntaxDescription, TT_SYNTAX(54), "LDAP Syntax Description",
     CheckForm<DescriptionForm::kLdapSyntax>},
    {SyntaxKind::kSubstringAssertion, TT_SYNTAX(58), "Substring Assertion",
     CheckSubstringAssertion},
    {SyntaxKind::kNetgroupTriple, "1.3.6.1.1.1.0.0", "NIS Netgroup Triple", CheckNetgroupTriple},
    {SyntaxKind::kBootParameter, "1.3.6.1.1.1.0.1", "Boot Parameter", CheckBootParameter},
    {SyntaxKind::kCertificateExactAssertion, "1.3.6.1.1.15.1", "X.509 Certificate Exact Assertion",
     CheckCertificateExactAssertion},
    {SyntaxKind::kCertificateListExactAssertion, "1.3.6.1.1.15.5",
     "X.509 Certificate List Exact Assertion", CheckCertificateListExactAssertion},
    {SyntaxKind::kUuid, "1.3.6.1.1.16.1", "UUID", CheckUuid},
    {SyntaxKind::kAttributeCertificate, "1.3.6.1.4.1.4203.666.11.10.2.1",
     "X.509 Attribute Certificate", CheckSigned, Nature::kOctetsByBinaryOption},
    {SyntaxKind::kAuthorization, "1.3.6.1.4.1.4203.666.2.7", "Authorization Rule",
     CheckDirectoryString},
    {SyntaxKind::kCsn, "1.3.6.1.4.1.4203.666.11.2.1", "Change Sequence Number", CheckCsn},
};

#undef TT_SYNTAX

std::string PrintDefinition(const SyntaxSpec& spec) {
  std::string text = "( " + std::string(spec.oid);
  AppendQuoted("DESC", spec.description, text);
  if (spec.nature == Nature::kOctetsByBinaryOption) {
    text.append(" X-BINARY-TRANSFER-REQUIRED 'TRUE'");
  }
  if (spec.nature != Nature::kText) text.append(" X-NOT-HUMAN-READABLE 'TRUE'");
  return text + " )";
}

}  // namespace

std::vector<std::unique_ptr<Syntax>> Syntax::MakeAll() {
  std::vector<std::unique_ptr<Syntax>> syntaxes;
  for (const SyntaxSpec& spec : kSyntaxes) {
    std::unique_ptr<Syntax> syntax(new Syntax());
    syntax->kind_ = spec.kind;
    syntax->oid_ = spec.oid;
    syntax->description_ = spec.description;
    syntax->definition_ = PrintDefinition(spec);
    syntax->check_ = spec.check;
    syntax->binary_ = spec.nature != Nature::kText;
    syntax->needs_binary_transfer_ = spec.nature == Nature::kOctetsByBinaryOption;
    syntaxes.push_back(std::move(syntax));
  }
  return syntaxes;
}

std::unique_ptr<Syntax> Syntax::MakeLike(const Syntax* model, std::string oid,
                                         std::string description) {
  std::unique_ptr<Syntax> syntax(new Syntax());
  syntax->kind_ = model == nullptr ? SyntaxKind::kOctetString : model->kind_;
  syntax->check_ = model == nullptr ? CheckAnyOctets : model->check_;
  syntax->binary_ = model == nullptr || model->binary_;
  syntax->needs_binary_transfer_ = model != nullptr && model->needs_binary_transfer_;
  syntax->definition_ = "( " + oid;
  AppendQuoted("DESC", description, syntax->definition_);
  if (model != nullptr) AppendQuoted("X-SUBST", model->oid_, syntax->definition_);
  syntax->definition_ += " )";
  syntax->oid_ = std::move(oid);
  syntax->description_ = std::move(description);
  return syntax;
}

Status Syntax::Validate(std::string_view value) const {
  const char* problem = check_(value);
  if (problem == nullptr) return OkStatus();
  return Error{ResultCode::kInvalidAttributeSyntax,
               "not a value of the syntax " + description_ + ": " + problem,
               {}};
}

}  // namespace twintree::model
