// An entry in its stored form, which is (nearly) its wire form.
//
// The form, version 1:
//
//   octet    1                      the version
//   octets   2-5                    length U of the user section, little-endian
//   U octets                        the user attributes: PartialAttribute elements, one after the
//                                   other, exactly as SearchResultEntry carries them
//   the rest                        the operational attributes, in the same form
//
// Answering a search for all attributes is copying the user section; for some, copying slices.
// The entry does not hold its DN (names derive from the hierarchy) and no derived attribute
// (entryDN, hasSubordinates, numSubordinates, subschemaSubentry).
//
// Source: RFC 4511 4.1.7, 4.5.2.
#ifndef TWINTREE_SERVICES_MODEL_ENTRY_H_
#define TWINTREE_SERVICES_MODEL_ENTRY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/attribute.h"
#include "services/model/result.h"
#include "services/model/schema.h"
#include "services/model/values.h"

namespace twintree::model {

// One attribute of a stored entry; views into the entry's octets.
struct StoredAttribute {
  const AttributeType* type = nullptr;  // null: the schema does not know it (any more)
  std::string_view description;         // as given, options included
  std::string_view encoded;             // the whole PartialAttribute element
  std::string_view value_elements;      // the content of its SET
  bool has_options = false;

  ValueRange values() const { return ValueRange(value_elements); }
};

// An immutable entry: the octets and an index over them.
//
// Thread-safety: safe (immutable).
class Entry {
 public:
  // Reads the stored form. Errors: kOther when the octets are damaged (never with octets that
  // Encode made).
  static Result<Entry> Decode(std::string octets, const Schema& schema);
  // Makes an entry of `attributes`; user and operational ones may be mixed, order within each kind
  // is kept, attributes without values are left out. An attribute without type (which the schema
  // no longer knows) counts as a user attribute.
  static Entry Encode(std::span<const Attribute> attributes, const Schema& schema);

  Entry(Entry&& other) noexcept;
  Entry& operator=(Entry&& other) noexcept;
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  std::string_view octets() const { return {octets_.get(), size_}; }
  std::string_view user_section() const;
  std::string_view operational_section() const;
  // User attributes first, then operational ones.
  std::span<const StoredAttribute> attributes() const { return attributes_; }
  std::size_t user_attribute_count() const { return user_attribute_count_; }

  // The attribute of exactly this type and no options; null when absent.
  const StoredAttribute* Find(const AttributeType& type) const;
  // A copy that can be changed.
  std::vector<Attribute> ToAttributes(const Schema& schema) const;
  // Bytes of memory that this entry takes, for cache accounting.
  std::size_t memory_size() const;

 private:
  Entry() = default;
  // Fills attributes_ from octets_. False when they are damaged.
  bool Index(const Schema& schema);
  bool IndexSection(std::string_view section, const Schema& schema);

  std::unique_ptr<char[]> octets_;  // never moves, so that views stay valid
  std::size_t size_ = 0;
  std::vector<StoredAttribute> attributes_;
  std::size_t user_attribute_count_ = 0;
};

// The object classes an entry names, resolved; unknown ones are left out.
std::vector<const ObjectClass*> ObjectClassesOf(const Entry& entry, const Schema& schema);

// Appends one PartialAttribute element.
void AppendPartialAttribute(std::string_view description, const ValueList& values,
                            std::string* out);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_ENTRY_H_
