// Attribute descriptions, and attributes as they are built and changed.
//
// Source: RFC 4512 2.5; RFC 4522 (;binary); RFC 3866 (;lang-).
#ifndef TWINTREE_SERVICES_MODEL_ATTRIBUTE_H_
#define TWINTREE_SERVICES_MODEL_ATTRIBUTE_H_

#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"
#include "services/model/schema.h"
#include "services/model/values.h"

namespace twintree::model {

// An attribute type with options, bound to a schema.
//
// Two descriptions are the same if type and option sets are; `cn;lang-de` is a subtype of `cn` and
// of `name;lang-de`.
struct AttributeDescription {
  const AttributeType* type = nullptr;
  std::vector<std::string> options;  // lower case, sorted, unique
  std::string text;                  // as it is written in answers

  // `text` has the type's first name, whatever name or OID is given, and the options as given.
  // Errors: kUndefinedAttributeType for an unknown type or option (one is known that begins with
  // `lang-`/`x-`, and `binary` where values are BER); kProtocolError for what is no description.
  static Result<AttributeDescription> Parse(std::string_view text, const Schema& schema);

  bool SameAs(const AttributeDescription& other) const {
    return type == other.type && options == other.options;
  }
  // The same type or a subtype, with at least the options of `other` (RFC 4512 2.5.3). A language
  // range in `other` (`lang-en-`, `lang-`) is satisfied by any language tag it begins.
  bool IsSubtypeOf(const AttributeDescription& other) const;
  // True if an option is a language range: fine in filters and selections, never in an entry
  // (RFC 3866 2.2).
  bool HasLanguageRange() const;
};

// Is `text` an attribute description by its form: a name or OID, then options?
bool IsAttributeDescription(std::string_view text);

// Are all of `options` (as in AttributeDescription) among the options of the attribute description
// `text`? Language ranges as above. Does not allocate.
bool HasOptions(std::string_view text, const std::vector<std::string>& options);

// An attribute under construction. The order of values is the order given.
struct Attribute {
  AttributeDescription description;
  ValueList values;
};

// What arrives from a client: nothing checked yet.
struct RawAttribute {
  std::string description;
  std::vector<std::string> values;
};

enum class ModificationKind { kAdd = 0, kDelete = 1, kReplace = 2, kIncrement = 3 };

struct Modification {
  ModificationKind kind = ModificationKind::kReplace;
  RawAttribute attribute;
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_ATTRIBUTE_H_
