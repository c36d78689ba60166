// Search filters: the tree as clients send it, its string form and its BER form.
//
// A Filter knows no schema; CompiledFilter (compiled_filter.h) binds it to one and evaluates it.
//
// Source: RFC 4511 4.5.1.7; RFC 4515; RFC 4526 (empty AND is true, empty OR is false).
#ifndef TWINTREE_SERVICES_MODEL_FILTER_H_
#define TWINTREE_SERVICES_MODEL_FILTER_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"

namespace twintree::model {

enum class FilterKind {
  kAnd,
  kOr,
  kNot,
  kEquality,
  kSubstrings,
  kGreaterOrEqual,
  kLessOrEqual,
  kPresent,
  kApprox,
  kExtensible,
};

struct Filter {
  // Nesting beyond this is refused, in both forms (RFC 4511 allows a limit; 100 must work).
  static constexpr std::size_t kMaxDepth = 250;
  // Items in one filter, all levels together; substrings count each piece.
  static constexpr std::size_t kMaxItems = 65536;

  FilterKind kind = FilterKind::kPresent;
  std::vector<Filter> children;  // kAnd, kOr: any number; kNot: one
  std::string attribute;         // description as written; kExtensible: may be empty
  std::string value;             // assertion value, octets
  // kSubstrings: at least one piece. Without initial or final piece these are empty; a piece in
  // `any` may be empty too (`(cn=a**b)`), and is in every value.
  std::string initial;
  std::vector<std::string> any;
  std::string final_piece;
  // kExtensible
  std::string matching_rule;  // may be empty
  bool dn_attributes = false;

  // Reads RFC 4515's string form. The outer parentheses may be missing, as command lines allow;
  // spaces may stand around each filter; `\(`, `\)`, `\*` and `\\` stand for the character.
  // Errors: kProtocolError, with the offset.
  static Result<Filter> Parse(std::string_view text);
  // Reads the BER of one Filter element. Errors: kProtocolError.
  static Result<Filter> Decode(std::string_view element);

  // The string form: printable, valid UTF-8, everything else escaped. Parse reads it back to the
  // same filter, or refuses it if an attribute description or rule is malformed.
  std::string ToString() const;
  void Encode(std::string* out) const;
};

// (attribute=*)
Filter PresentFilter(std::string attribute);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_FILTER_H_
