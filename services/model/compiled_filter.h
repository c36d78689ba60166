// A filter bound to a schema: attribute types resolved, assertion values normalised once.
//
// Evaluation is three-valued. An item is Undefined when its attribute type or matching rule is
// unknown, when its assertion value is no value of the rule's assertion syntax, when the attribute
// lacks the rule, or when the requester may not search the attribute. Subtypes that the requester
// may not search are passed over as if the entry did not have them.
//
// An item finds the values of the attribute's subtypes too (`name` those of cn and sn), and those
// with more options (`cn` finds `cn;lang-de`). Approximate matching is equality. An extensible
// match with an ordering rule is true for values that sort before the assertion (RFC 4517 4.2);
// one with a substring rule takes a value such as `a*b*c` (RFC 4517 3.3.30).
//
// Evaluating presence and equality on ASCII values does not allocate.
//
// Thread-safety: safe once compiled (evaluation changes nothing).
// Source: RFC 4511 4.5.1.7.
#ifndef TWINTREE_SERVICES_MODEL_COMPILED_FILTER_H_
#define TWINTREE_SERVICES_MODEL_COMPILED_FILTER_H_

#include <string>
#include <string_view>
#include <vector>

#include "services/model/attribute.h"
#include "services/model/entry.h"
#include "services/model/filter.h"
#include "services/model/matching_rule.h"
#include "services/model/schema.h"

namespace twintree::model {

enum class Truth { kFalse, kTrue, kUndefined };

// What a filter is evaluated against. The engine implements it over a stored entry.
class FilterTarget {
 public:
  virtual ~FilterTarget() = default;
  virtual const Entry& entry() = 0;
  // For equality on entryDN. `:dn:` matching asks DerivedValues for the entryDN as it is spelled.
  virtual const DnKey& dn_key() = 0;
  // Values of a derived attribute (entryDN, hasSubordinates, numSubordinates,
  // subschemaSubentry); empty for any other type.
  virtual std::vector<std::string> DerivedValues(const AttributeType& type) = 0;
  // May the requester use this attribute in a filter on this entry?
  virtual bool MaySearch(const AttributeType& type) = 0;
};

struct CompiledFilter {
  FilterKind kind = FilterKind::kPresent;
  // The item can never be anything but Undefined (see above).
  bool undefined = false;
  std::vector<CompiledFilter> children;
  AttributeDescription description;    // type null: kExtensible without attribute
  const MatchingRule* rule = nullptr;  // equality, ordering, substring or the extensible one
  std::string key;                     // equality, ordering, approx, extensible
  SubstringKeys pieces;                // substring: for indexes
  SubstringMatcher holds_pieces;       // and for values
  bool dn_attributes = false;
  // Equality on objectClass, also by an extensible match with its rule: the class asserted, for
  // matching by superclass. Without attribute, null where the value names no class.
  const ObjectClass* object_class = nullptr;
  // `description.type` is derived: its values come from FilterTarget::DerivedValues.
  bool derived = false;

  // Never fails: what cannot be bound becomes an Undefined item.
  static CompiledFilter Compile(const Filter& filter, const Schema& schema);

  Truth Evaluate(FilterTarget& target, const Schema& schema) const;
  // (objectClass=*) and (&), and ANDs and ORs that come to the same: true for every entry that may
  // be seen.
  bool MatchesEverything(const Schema& schema) const;
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_COMPILED_FILTER_H_
