// String preparation: the form in which strings are compared.
//
// Transcoding, mapping, Unicode normalisation (NFKC) and the check for prohibited characters are
// those of RFC 4518; characters younger than Unicode 3.2 are kept as they are. Insignificant spaces
// are handled here: a prepared value has no outer spaces and one space where it had several.
//
//   PrepareValue(" Straße  1 ", CaseHandling::kIgnore);                  // "strasse 1"
//   PreparePiece(" b", CaseHandling::kIgnore, SubstringPosition::kAny);  // " b"
//
// Thread-safety: safe.
// Source: RFC 4518 section 2.
#ifndef TWINTREE_SERVICES_MODEL_STRING_PREP_H_
#define TWINTREE_SERVICES_MODEL_STRING_PREP_H_

#include <string>
#include <string_view>

#include "services/model/matching_rule.h"
#include "services/model/result.h"

namespace twintree::model {

enum class CaseHandling { kExact, kIgnore };

// A stored or asserted value. A value of insignificant characters only becomes one space.
//
// Errors: kInvalidAttributeSyntax: not UTF-8, or a prohibited character.
Result<std::string> PrepareValue(std::string_view value, CaseHandling letter_case);

// One piece of a substring assertion. Spaces at an edge that touches other text become one space;
// spaces at the outer edge of an initial or final piece go. A piece of insignificant characters
// only becomes one space; an empty piece stays empty.
//
// Errors: as PrepareValue.
Result<std::string> PreparePiece(std::string_view piece, CaseHandling letter_case,
                                 SubstringPosition position);

// PrepareValue(value) == prepared, without allocating when `value` is ASCII. False if `value`
// cannot be prepared.
bool PreparedEquals(std::string_view value, CaseHandling letter_case, std::string_view prepared);

// A prepared string in the form that RFC 4518 2.6.1 spells out, in which inner spaces count twice
// and so may end one piece and start the next: " foo  bar " for "foo bar". Lines of a list
// (separated by a line feed) are treated one by one.
std::string ExpandSpaces(std::string_view prepared);
// The same for a prepared piece: its own edge spaces stay single.
std::string ExpandPieceSpaces(std::string_view prepared, SubstringPosition position);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_STRING_PREP_H_
