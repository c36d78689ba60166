// The matching rules that the server knows.
//
// Source: RFC 4517 section 4; RFC 4523 (X.509); RFC 4530 (UUID); X.520 (word and keyword rules);
// the names and OIDs
//         of CSN and bit rules are those in use by other servers.
#ifndef TWINTREE_SERVICES_MODEL_STANDARD_MATCHING_RULES_H_
#define TWINTREE_SERVICES_MODEL_STANDARD_MATCHING_RULES_H_

#include <memory>
#include <vector>

#include "services/model/matching_rule.h"
#include "services/model/schema.h"
#include "services/model/syntax.h"

namespace twintree::model {

// How a rule's keys look. Rules of one form share keys.
enum class KeyForm : int {
  kCaseIgnore,      // prepared string, letters folded
  kCaseExact,       // prepared string
  kCaseIgnoreList,  // prepared lines, joined by line feeds
  kNumeric,         // digits
  kTelephone,       // without spaces and hyphens, letters folded
  kBoolean,         // the value
  kInteger,         // IntegerKey
  kBitString,       // the value
  kOctets,          // the value
  kTime,            // GeneralizedTimeKey
  kUuid,            // lower case
  kCsn,             // lower case
  kIdentifier,      // Schema::IdentifierKey
  kName,            // DnKey::text
  kNameAndUid,      // DnKey::text, then, if there is a bit string, a line feed and it
  kBitMask,         // decimal number
  kWords,           // prepared string, letters folded
  kCertificate,     // serial number and issuer, see certificate_matching_rules.cc
  kCertificateList  // issuer and time
};

// What the standard says about a rule, apart from how it works.
struct RuleSpec {
  const char* oid;
  const char* name;
  MatchingKind kind;
  SyntaxKind assertion_syntax;
  KeyForm form;
};

// One for each standard rule; `schema` must outlive them (names and identifiers are compared with
// its help), and `syntaxes` too.
std::vector<std::unique_ptr<MatchingRule>> MakeStandardMatchingRules(
    const Schema& schema, const std::vector<std::unique_ptr<Syntax>>& syntaxes);

// What a rule of this form may be applied to.
bool SuitsSyntax(KeyForm form, SyntaxKind syntax);

// The constructor and the parts that most rules share.
class SpecifiedRule : public MatchingRule {
 public:
  SpecifiedRule(const RuleSpec& spec, const Syntax& assertion_syntax);

  bool AppliesTo(const AttributeType& type) const override;
  // Checks the assertion by its syntax, then as ValueKey.
  Result<std::string> AssertionKey(std::string_view assertion) const override;
  // Errors: kInappropriateMatching: the rule has no substring form.
  Result<std::string> PieceKey(std::string_view piece, SubstringPosition position) const override;
  bool Equals(std::string_view value, std::string_view assertion_key) const override;
};

// The families, each in a file of its own.
std::unique_ptr<MatchingRule> MakeStringRule(const RuleSpec& spec, const Syntax& assertion_syntax);
std::unique_ptr<MatchingRule> MakeNumberRule(const RuleSpec& spec, const Syntax& assertion_syntax);
std::unique_ptr<MatchingRule> MakeNameRule(const RuleSpec& spec, const Syntax& assertion_syntax,
                                           const Schema& schema);
std::unique_ptr<MatchingRule> MakeCertificateRule(const RuleSpec& spec,
                                                  const Syntax& assertion_syntax,
                                                  const Schema& schema);
// The same rule on the first component of a description.
std::unique_ptr<MatchingRule> MakeFirstComponentRule(const RuleSpec& spec,
                                                     const Syntax& assertion_syntax,
                                                     std::unique_ptr<MatchingRule> rule);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_STANDARD_MATCHING_RULES_H_
