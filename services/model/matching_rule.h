// Matching rules: when a stored value satisfies an assertion.
//
// A rule compares normalised forms ("keys"). Index terms, duplicate checks and filters all come
// from the same two functions, so they cannot disagree. The few rules that look into a value
// (wordMatch, bit masks) say so with keys_decide().
//
// Thread-safety: safe; rules are immutable.
// Source: RFC 4517 section 4; RFC 4518 (string preparation).
#ifndef TWINTREE_SERVICES_MODEL_MATCHING_RULE_H_
#define TWINTREE_SERVICES_MODEL_MATCHING_RULE_H_

#include <cstddef>
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
//
// Shape: a space at an edge of a piece stands for an edge of the value or for a space inside it
// (RFC 4518 2.6.1), so it need not occur in a matching value's key: "a " matches the value "a".
// SubstringsMatch knows; whoever looks pieces up in an index uses ContainedPieces.
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
  // Has the value a key? With less to do where that can be. Errors: as ValueKey.
  virtual Status CheckKey(std::string_view value) const { return ValueKey(value).status(); }
  // The spelling that all values equal to `value` share, itself a value: what stands in a DnKey.
  // The key, where that is a value. Errors: as ValueKey.
  virtual Result<std::string> CanonicalValue(std::string_view value) const {
    return ValueKey(value);
  }
  // The key of an assertion value. Errors: kInvalidAttributeSyntax; kInappropriateMatching for a
  // substring rule, whose assertions are pieces.
  virtual Result<std::string> AssertionKey(std::string_view assertion) const = 0;
  // REQUIRES: kind() == kSubstring. The key of one piece of a substring assertion, comparable
  // with parts of ValueKey. May be empty for a piece of insignificant characters only.
  virtual Result<std::string> PieceKey(std::string_view piece,
                                       SubstringPosition position) const = 0;

  // Does `value` satisfy the equality assertion whose key is `assertion_key`? Same as
  // ValueKey(value) == assertion_key where keys_decide(), without allocation where that can be
  // (plain ASCII). A value that the rule cannot normalise does not match.
  virtual bool Equals(std::string_view value, std::string_view assertion_key) const = 0;

  // False: Equals looks into the value, and equality of keys says nothing (wordMatch,
  // integerBitAndMatch); no index can answer.
  virtual bool keys_decide() const { return true; }

  // Do both rules make the same keys? An index by the keys of one then serves the other.
  bool SharesKeysWith(const MatchingRule& other) const { return key_form_ == other.key_form_; }

 protected:
  std::string oid_;
  std::string name_;
  MatchingKind kind_ = MatchingKind::kEquality;
  const Syntax* assertion_syntax_ = nullptr;
  std::string definition_;
  int key_form_ = 0;
};

// What is left of the pieces without spaces at their edges: every value that matches `keys` has a
// key that starts with the initial piece, ends with the final one, and contains the others in
// order. Pieces of spaces only are left out.
SubstringKeys ContainedPieces(const SubstringKeys& keys);

// Does a normalised value hold the pieces in order, without overlap (RFC 4511 4.5.1.7.2)?
//
// Takes time in proportion to the value, however many and long the pieces are; what depends on the
// pieces alone is worked out once.
class SubstringMatcher {
 public:
  SubstringMatcher() = default;
  explicit SubstringMatcher(const SubstringKeys& keys);

  bool Matches(std::string_view value_key) const;

 private:
  SubstringKeys pieces_;
  bool edge_spaces_ = false;  // pieces_ are expanded, and values have to be
};

// The same for one value.
bool SubstringsMatch(std::string_view value_key, const SubstringKeys& keys);

// Where `piece` begins in `text` at or after `from`; npos: nowhere. Linear, unlike
// std::string_view::find, so that no piece makes a long value take minutes.
std::size_t FindPiece(std::string_view text, std::string_view piece, std::size_t from);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_MATCHING_RULE_H_
