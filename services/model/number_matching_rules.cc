#include <charconv>
#include <cstdint>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/integer_key.h"
#include "services/model/standard_matching_rules.h"
#include "services/model/syntax_checks.h"
#include "services/model/time_syntax.h"

namespace twintree::model {
namespace {

Error Invalid(std::string message) {
  return {ResultCode::kInvalidAttributeSyntax, std::move(message), {}};
}

// The value is its own key, once it is known to be one.
class VerbatimRule final : public SpecifiedRule {
 public:
  VerbatimRule(const RuleSpec& spec, const Syntax& assertion_syntax)
      : SpecifiedRule(spec, assertion_syntax) {}

  Result<std::string> ValueKey(std::string_view value) const override {
    TT_RETURN_IF_ERROR(assertion_syntax().Validate(value));
    return std::string(value);
  }

  Status CheckKey(std::string_view value) const override {
    return assertion_syntax().Validate(value);
  }

  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    return value == assertion_key;
  }
};

// UUIDs and CSNs: hexadecimal digits in either case.
class LowerCaseRule final : public SpecifiedRule {
 public:
  using SpecifiedRule::SpecifiedRule;

  Result<std::string> ValueKey(std::string_view value) const override {
    TT_RETURN_IF_ERROR(assertion_syntax().Validate(value));
    std::string key = ToLowerCopy(value);
    // The letters of a CSN that are no digits keep their case.
    if (assertion_syntax().kind() == SyntaxKind::kCsn) key[kCsnZone] = 'Z';
    return key;
  }

  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    return EqualsIgnoreCase(value, assertion_key);
  }

 private:
  static constexpr std::size_t kCsnZone = 21;
};

class IntegerRule final : public SpecifiedRule {
 public:
  using SpecifiedRule::SpecifiedRule;

  Result<std::string> ValueKey(std::string_view value) const override {
    if (const char* problem = CheckInteger(value)) return Invalid(problem);
    return IntegerKey(value);
  }

  Result<std::string> CanonicalValue(std::string_view value) const override {
    if (const char* problem = CheckInteger(value)) return Invalid(problem);
    return std::string(value);
  }
};

class TimeRule final : public SpecifiedRule {
 public:
  using SpecifiedRule::SpecifiedRule;

  Result<std::string> ValueKey(std::string_view value) const override {
    return GeneralizedTimeKey(value);
  }

  Result<std::string> CanonicalValue(std::string_view value) const override {
    TT_ASSIGN_OR_RETURN(std::string key, GeneralizedTimeKey(value));
    return key + "Z";
  }
};

// Numeric strings and telephone numbers: some characters do not count.
class SkippingRule final : public SpecifiedRule {
 public:
  SkippingRule(const RuleSpec& spec, const Syntax& assertion_syntax)
      : SpecifiedRule(spec, assertion_syntax),
        check_(spec.form == KeyForm::kNumeric ? CheckNumericString : CheckTelephoneNumber),
        skip_hyphens_(spec.form == KeyForm::kTelephone) {}

  Result<std::string> ValueKey(std::string_view value) const override {
    if (const char* problem = check_(value)) return Invalid(problem);
    std::string key = Strip(value);
    if (key.empty()) key.push_back(' ');
    return key;
  }

  Result<std::string> PieceKey(std::string_view piece, SubstringPosition) const override {
    if (piece.empty()) return std::string();
    if (const char* problem = check_(piece)) return Invalid(problem);
    return Strip(piece);
  }

  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    std::size_t matched = 0;
    for (char c : value) {
      if (Skips(c)) continue;
      if (matched == assertion_key.size() || assertion_key[matched] != ToLower(c)) return false;
      ++matched;
    }
    if (matched == 0) return !value.empty() && assertion_key == " ";
    return matched == assertion_key.size();
  }

 private:
  bool Skips(char c) const { return c == ' ' || (skip_hyphens_ && c == '-'); }

  std::string Strip(std::string_view text) const {
    std::string stripped;
    stripped.reserve(text.size());
    for (char c : text) {
      if (!Skips(c)) stripped.push_back(ToLower(c));
    }
    return stripped;
  }

  const SyntaxCheck check_;
  const bool skip_hyphens_;
};

// Are all (AND) or any (OR) of the assertion's bits set in the value? Numbers of 64 bits.
class BitMaskRule final : public SpecifiedRule {
 public:
  BitMaskRule(const RuleSpec& spec, const Syntax& assertion_syntax)
      : SpecifiedRule(spec, assertion_syntax), all_bits_(name().find("And") != std::string::npos) {}

  Result<std::string> ValueKey(std::string_view value) const override {
    std::int64_t number = 0;
    if (!Read(value, number)) return Invalid("it is not a whole number of 64 bits");
    return std::string(value);
  }

  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    std::int64_t bits = 0;
    std::int64_t mask = 0;
    if (!Read(value, bits) || !Read(assertion_key, mask)) return false;
    return all_bits_ ? (bits & mask) == mask : (bits & mask) != 0;
  }

  bool keys_decide() const override { return false; }

 private:
  static bool Read(std::string_view text, std::int64_t& number) {
    if (!IsInteger(text)) return false;
    const char* const end = text.data() + text.size();
    return std::from_chars(text.data(), end, number).ec == std::errc();
  }

  const bool all_bits_;
};

}  // namespace

std::unique_ptr<MatchingRule> MakeNumberRule(const RuleSpec& spec, const Syntax& assertion_syntax) {
  switch (spec.form) {
    case KeyForm::kInteger: return std::make_unique<IntegerRule>(spec, assertion_syntax);
    case KeyForm::kTime: return std::make_unique<TimeRule>(spec, assertion_syntax);
    case KeyForm::kNumeric:
    case KeyForm::kTelephone: return std::make_unique<SkippingRule>(spec, assertion_syntax);
    case KeyForm::kUuid:
    case KeyForm::kCsn: return std::make_unique<LowerCaseRule>(spec, assertion_syntax);
    case KeyForm::kBitMask: return std::make_unique<BitMaskRule>(spec, assertion_syntax);
    default: return std::make_unique<VerbatimRule>(spec, assertion_syntax);
  }
}

}  // namespace twintree::model
