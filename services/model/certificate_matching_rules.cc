// certificateExactMatch and certificateListExactMatch.
//
// Keys:
//
//   certificate   serial number in decimal, `$`, key of the issuer
//   list          time of the update (GeneralizedTimeKey), `$`, key of the issuer
//   issuer        DnKey::text; where the schema cannot read the name, `#` and its octets
//   else          the value's octets, of a value that has not these parts
//
// No two forms can be mistaken for each other: DER begins with `0` and its length, and where that
// length is `$`, what follows begins as no DnKey does; nor does a DnKey begin with `#`.
//
// Source: RFC 4523 3.1, 3.5; X.509 13.5.1, 13.5.5.
#include <optional>
#include <utility>

#include "services/model/standard_matching_rules.h"
#include "services/model/time_syntax.h"
#include "services/model/x509.h"
#include "services/model/x509_assertion.h"

namespace twintree::model {
namespace {

Error Invalid(std::string message) {
  return {ResultCode::kInvalidAttributeSyntax, std::move(message), {}};
}

std::string Join(std::string first, std::string_view issuer) {
  first.append(1, '$').append(issuer);
  return first;
}

std::string IssuerKey(std::string_view rdn_sequence, const Schema& schema) {
  if (const std::optional<std::string> dn = DnOf(rdn_sequence)) {
    Result<std::string> key = schema.NormalizeDnText(*dn);
    if (key.ok()) return std::move(key).value();
  }
  return "#" + std::string(rdn_sequence);
}

// What both rules share. A value has a key whatever it is, so that it can be deleted.
class SignedRule : public SpecifiedRule {
 public:
  SignedRule(const RuleSpec& spec, const Syntax& assertion_syntax, const Schema& schema)
      : SpecifiedRule(spec, assertion_syntax), schema_(schema) {}

  Status CheckKey(std::string_view) const final { return OkStatus(); }

  // The key is no value, and such values name nothing.
  Result<std::string> CanonicalValue(std::string_view value) const final {
    return std::string(value);
  }

 protected:
  const Schema& schema() const { return schema_; }
  Result<std::string> AssertedIssuer(const std::string& dn) const {
    Result<std::string> key = schema_.NormalizeDnText(dn);
    if (!key.ok()) return Invalid("the issuer: " + key.error().message);
    return key;
  }

 private:
  const Schema& schema_;
};

class CertificateRule final : public SignedRule {
 public:
  using SignedRule::SignedRule;

  Result<std::string> ValueKey(std::string_view value) const override {
    const std::optional<CertificateParts> parts = ReadCertificate(value);
    if (!parts) return std::string(value);
    std::optional<std::string> number = DecimalOf(parts->serial_number);
    if (!number) return std::string(value);
    return Join(*std::move(number), IssuerKey(parts->issuer, schema()));
  }

  Result<std::string> AssertionKey(std::string_view assertion) const override {
    TT_RETURN_IF_ERROR(assertion_syntax().Validate(assertion));
    std::optional<CertificateAssertion> parts = ParseCertificateAssertion(assertion);
    if (!parts) return ValueKey(assertion);
    TT_ASSIGN_OR_RETURN(const std::string issuer, AssertedIssuer(parts->issuer));
    return Join(std::move(parts->serial_number), issuer);
  }

  // The number tells most certificates apart, and costs less than the issuer.
  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    const std::optional<CertificateParts> parts = ReadCertificate(value);
    if (!parts) return value == assertion_key;
    std::optional<std::string> number = DecimalOf(parts->serial_number);
    if (!number) return value == assertion_key;
    const std::string head = Join(*std::move(number), "");
    return assertion_key.starts_with(head) &&
           IssuerKey(parts->issuer, schema()) == assertion_key.substr(head.size());
  }
};

class CertificateListRule final : public SignedRule {
 public:
  using SignedRule::SignedRule;

  Result<std::string> ValueKey(std::string_view value) const override {
    const std::optional<CertificateListParts> parts = ReadCertificateList(value);
    if (!parts) return std::string(value);
    Result<std::string> time = GeneralizedTimeKey(parts->this_update);
    if (!time.ok()) return std::string(value);
    return Join(std::move(time).value(), IssuerKey(parts->issuer, schema()));
  }

  Result<std::string> AssertionKey(std::string_view assertion) const override {
    TT_RETURN_IF_ERROR(assertion_syntax().Validate(assertion));
    const std::optional<CertificateListAssertion> parts = ParseCertificateListAssertion(assertion);
    if (!parts) return ValueKey(assertion);
    TT_ASSIGN_OR_RETURN(std::string time, GeneralizedTimeKey(parts->this_update));
    TT_ASSIGN_OR_RETURN(const std::string issuer, AssertedIssuer(parts->issuer));
    return Join(std::move(time), issuer);
  }
};

}  // namespace

std::unique_ptr<MatchingRule> MakeCertificateRule(const RuleSpec& spec,
                                                  const Syntax& assertion_syntax,
                                                  const Schema& schema) {
  if (spec.form == KeyForm::kCertificate) {
    return std::make_unique<CertificateRule>(spec, assertion_syntax, schema);
  }
  return std::make_unique<CertificateListRule>(spec, assertion_syntax, schema);
}

}  // namespace twintree::model
