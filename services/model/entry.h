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
#include <utility>
#include <vector>

#include "ldap_gateway/ber/ber.h"
#include "services/model/attribute.h"
#include "services/model/result.h"
#include "services/model/schema.h"
#include "services/model/values.h"

namespace twintree::model {

// One attribute of a stored entry; reads in place, so it lives no longer than the entry's octets.
// Small, because every cached entry has one for each of its attributes: the element lies at a fixed
// distance from the object, which for that reason cannot be copied.
class StoredAttribute {
 public:
  StoredAttribute(const StoredAttribute&) = delete;
  StoredAttribute& operator=(const StoredAttribute&) = delete;

  // Null: the schema does not know it (any more).
  const AttributeType* type() const { return type_; }
  // The first name of its type, then the options as given.
  std::string_view description() const {
    const std::size_t heads = description_offset_ + ber::HeaderSize(values_size_);
    return encoded().substr(description_offset_, size_ - values_size_ - heads);
  }
  // The whole PartialAttribute element.
  std::string_view encoded() const {
    return {reinterpret_cast<const char*>(this) + distance_, size_};
  }
  // The content of its SET, which is the end of the element.
  std::string_view value_elements() const { return encoded().substr(size_ - values_size_); }
  ValueRange values() const { return ValueRange(value_elements()); }
  bool has_options() const { return has_options_; }

 private:
  friend class Entry;

  StoredAttribute() = default;

  const AttributeType* type_ = nullptr;
  std::uint32_t distance_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t values_size_ = 0;
  std::uint8_t description_offset_ = 0;  // two heads
  bool has_options_ = false;
};

// An immutable entry: the octets and an index over them.
//
// Thread-safety: safe (immutable).
class Entry {
 public:
  // Reads the stored form; what has another name there than its type's first one is renamed.
  // Errors: kOther when the octets are damaged (never with octets that Encode made).
  static Result<Entry> Decode(std::string_view octets, const Schema& schema);
  // Makes an entry of `attributes`; user and operational ones may be mixed, order within each kind
  // is kept, attributes without values are left out. An attribute without type (which the schema
  // no longer knows) counts as a user attribute.
  static Entry Encode(std::span<const Attribute> attributes, const Schema& schema);

  Entry(Entry&& other) noexcept { *this = std::move(other); }
  Entry& operator=(Entry&& other) noexcept;
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  std::string_view octets() const { return {octets_, size_}; }
  std::string_view user_section() const;
  std::string_view operational_section() const;
  // User attributes first, then operational ones.
  std::span<const StoredAttribute> attributes() const;
  std::size_t user_attribute_count() const { return user_attribute_count_; }

  // The attribute of exactly this type and no options; null when absent.
  const StoredAttribute* Find(const AttributeType& type) const;
  // A copy that can be changed.
  std::vector<Attribute> ToAttributes(const Schema& schema) const;
  // Bytes of memory that this entry takes, for cache accounting.
  std::size_t memory_size() const;

 private:
  // An attribute while it is read.
  struct Found {
    const AttributeType* type = nullptr;
    std::string_view element;
    std::size_t values_size = 0;
    std::size_t description_offset = 0;
    bool has_options = false;
  };

  Entry() = default;
  // Appends the attributes of a section. False when it is damaged.
  static bool IndexSection(std::string_view section, const Schema& schema,
                           std::vector<Found>* found);
  static bool IndexAttribute(const ber::Element& element, const Schema& schema, Found* found);
  void Keep(std::string_view octets, std::span<const Found> attributes);

  // One block: the attributes, then the octets. It never moves, so that views stay valid.
  std::unique_ptr<std::byte[]> block_;
  const char* octets_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t user_size_ = 0;
  std::uint32_t attribute_count_ = 0;
  std::uint32_t user_attribute_count_ = 0;
};

// The object classes an entry names, resolved; unknown ones are left out.
std::vector<const ObjectClass*> ObjectClassesOf(const Entry& entry, const Schema& schema);

// Appends one PartialAttribute element.
void AppendPartialAttribute(std::string_view description, const ValueList& values,
                            std::string* out);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_ENTRY_H_
