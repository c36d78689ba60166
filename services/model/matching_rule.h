// Matching rules: when a stored value satisfies an assertion.
//
// A rule compares normalised forms ("keys"). Index terms, duplicate checks and filters all come
// from the same two functions, so they cannot disagree.
//
// Thread-safety: safe; rules are immutable.
// Source: RFC 4517 section 4; RFC 4518 (string preparation).
#ifndef TWINTREE_SERVICES_MODEL_MATCHING_RULE_H_
#define TWINTREE_SERVICES_MODEL_MATCHING_RULE_H_

#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"

namespace twintree::model {

class Syntax;
struct AttributeType;

enum class MatchingKind { kEquality, kOrdering, kSubstring };
enum class SubstringPosition { kInitial, kAny, kFinal };

// A substring assertion whose pieces are already normalised by the rule.
struct SubstringKeys {
  std::string initial;           // empty: none
  std::vector<std::string> any;  // in order, none empty
  std::string final_piece;       // empty: none
};

class MatchingRule {
 public:
  virtual ~MatchingRule() = default;

  const std::string& oid() const { return oid_; }
  const std::string& name() const { return name_; }
  MatchingKind kind() const { return kind_; }
  const Syntax& assertion_syntax() const { return *assertion_syntax_; }
  const std::string& definition() const { return definition_; }

  // May the rule be applied to values of `type` (same or compatible syntax)? An extensible match
  // with a rule that does not suit the attribute is Undefined.
  virtual bool AppliesTo(const AttributeType& type) const = 0;

  // The key of a stored value. Errors: kInvalidAttributeSyntax.
  virtual Result<std::string> ValueKey(std::string_view value) const = 0;
  // The key of an assertion value. Errors: kInvalidAttributeSyntax.
  virtual Result<std::string> AssertionKey(std::string_view assertion) const = 0;
  // REQUIRES: kind() == kSubstring. The key of one piece of a substring assertion, comparable
  // with parts of ValueKey. May be empty for a piece of insignificant characters only.
  virtual Result<std::string> PieceKey(std::string_view piece,
                                       SubstringPosition position) const = 0;

  // Does `value` satisfy the equality assertion whose key is `assertion_key`? Same as
  // ValueKey(value) == assertion_key, without allocation where that can be (plain ASCII). A value
  // that the rule cannot normalise does not match.
  virtual bool Equals(std::string_view value, std::string_view assertion_key) const = 0;

 protected:
  std::string oid_;
  std::string name_;
  MatchingKind kind_ = MatchingKind::kEquality;
  const Syntax* assertion_syntax_ = nullptr;
  std::string definition_;
};

// Does the normalised value hold the pieces in order, without overlap (RFC 4511 4.5.1.7.2)?
bool SubstringsMatch(std::string_view value_key, const SubstringKeys& keys);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_MATCHING_RULE_H_
