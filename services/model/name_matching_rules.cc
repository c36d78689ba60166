#include <utility>

#include "services/model/ascii.h"
#include "services/model/quotation.h"
#include "services/model/schema_parser.h"
#include "services/model/standard_matching_rules.h"
#include "services/model/syntax_checks.h"

namespace twintree::model {
namespace {

Error Invalid(std::string message) {
  return {ResultCode::kInvalidAttributeSyntax, std::move(message), {}};
}

// Object identifiers, by OID or by any name that the schema knows.
class IdentifierRule final : public SpecifiedRule {
 public:
  IdentifierRule(const RuleSpec& spec, const Syntax& assertion_syntax, const Schema& schema)
      : SpecifiedRule(spec, assertion_syntax), schema_(schema) {}

  // A stored name that the schema has lost keeps its key, so that its index terms stay as they
  // were.
  Result<std::string> ValueKey(std::string_view value) const override {
    const std::string_view key = schema_.IdentifierKey(value);
    return key.empty() ? ToLowerCopy(value) : std::string(key);
  }

  // A name that nobody knows makes a filter Undefined, RFC 4517 4.2.26.
  Result<std::string> AssertionKey(std::string_view assertion) const override {
    const std::string_view key = schema_.IdentifierKey(assertion);
    if (!key.empty()) return std::string(key);
    if (IsNumericOid(assertion)) return std::string(assertion);
    return Invalid("the schema does not know " + Quoted(assertion));
  }

  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    const std::string_view key = schema_.IdentifierKey(value);
    return key.empty() ? EqualsIgnoreCase(value, assertion_key) : key == assertion_key;
  }

 private:
  const Schema& schema_;
};

class NameRule final : public SpecifiedRule {
 public:
  NameRule(const RuleSpec& spec, const Syntax& assertion_syntax, const Schema& schema)
      : SpecifiedRule(spec, assertion_syntax), schema_(schema) {}

  Result<std::string> ValueKey(std::string_view value) const override {
    Result<std::string> key = schema_.NormalizeDnText(value);
    if (!key.ok()) return Invalid(key.error().message);
    return key;
  }

  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    return schema_.DnEquals(value, assertion_key);
  }

 private:
  const Schema& schema_;
};

class NameAndUidRule final : public SpecifiedRule {
 public:
  NameAndUidRule(const RuleSpec& spec, const Syntax& assertion_syntax, const Schema& schema)
      : SpecifiedRule(spec, assertion_syntax), schema_(schema) {}

  Result<std::string> ValueKey(std::string_view value) const override {
    const NameAndUid parts = SplitNameAndUid(value);
    Result<std::string> key = schema_.NormalizeDnText(parts.name);
    if (!key.ok()) return Invalid(key.error().message);
    if (!parts.uid.empty()) key->append(1, '\n').append(parts.uid);
    return key;
  }

  // In the name `#` is escaped, so that no part of it can be taken for the bit string.
  Result<std::string> CanonicalValue(std::string_view value) const override {
    TT_ASSIGN_OR_RETURN(const std::string key, ValueKey(value));
    std::string spelling;
    for (std::size_t i = 0; i < key.size(); ++i) {
      if (key[i] == '\n') return spelling + "#" + key.substr(i + 1);
      if (key[i] == '#') {
        spelling.append("\\23");
      } else {
        spelling.push_back(key[i]);
      }
    }
    return spelling;
  }

  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    const NameAndUid parts = SplitNameAndUid(value);
    std::string_view name_key = assertion_key.substr(0, assertion_key.find('\n'));
    std::string_view uid_key = assertion_key.substr(name_key.size());
    if (!uid_key.empty()) uid_key.remove_prefix(1);
    return parts.uid == uid_key && schema_.DnEquals(parts.name, name_key);
  }

 private:
  const Schema& schema_;
};

class FirstComponentRule final : public SpecifiedRule {
 public:
  FirstComponentRule(const RuleSpec& spec, const Syntax& assertion_syntax,
                     std::unique_ptr<MatchingRule> rule)
      : SpecifiedRule(spec, assertion_syntax), rule_(std::move(rule)) {}

  bool AppliesTo(const AttributeType& type) const override {
    const SyntaxKind kind = type.syntax->kind();
    switch (assertion_syntax().kind()) {
      case SyntaxKind::kInteger: return kind == SyntaxKind::kDitStructureRule;
      case SyntaxKind::kOid:
        return kind == SyntaxKind::kAttributeTypeDescription ||
               kind == SyntaxKind::kObjectClassDescription ||
               kind == SyntaxKind::kMatchingRuleDescription ||
               kind == SyntaxKind::kMatchingRuleUse || kind == SyntaxKind::kDitContentRule ||
               kind == SyntaxKind::kNameForm || kind == SyntaxKind::kLdapSyntaxDescription;
      default: return false;
    }
  }

  Result<std::string> ValueKey(std::string_view value) const override {
    const std::string_view component = FirstComponent(value);
    if (component.empty()) return Invalid("the value has no first component");
    return rule_->ValueKey(component);
  }

  // The key of a description is no description.
  Result<std::string> CanonicalValue(std::string_view value) const override {
    return std::string(value);
  }

  Result<std::string> AssertionKey(std::string_view assertion) const override {
    return rule_->AssertionKey(assertion);
  }

  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    return rule_->Equals(FirstComponent(value), assertion_key);
  }

 private:
  const std::unique_ptr<MatchingRule> rule_;
};

}  // namespace

std::unique_ptr<MatchingRule> MakeNameRule(const RuleSpec& spec, const Syntax& assertion_syntax,
                                           const Schema& schema) {
  switch (spec.form) {
    case KeyForm::kName: return std::make_unique<NameRule>(spec, assertion_syntax, schema);
    case KeyForm::kNameAndUid:
      return std::make_unique<NameAndUidRule>(spec, assertion_syntax, schema);
    default: return std::make_unique<IdentifierRule>(spec, assertion_syntax, schema);
  }
}

std::unique_ptr<MatchingRule> MakeFirstComponentRule(const RuleSpec& spec,
                                                     const Syntax& assertion_syntax,
                                                     std::unique_ptr<MatchingRule> rule) {
  return std::make_unique<FirstComponentRule>(spec, assertion_syntax, std::move(rule));
}

}  // namespace twintree::model
