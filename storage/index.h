// Which attributes are indexed, and the terms under which an entry is found.
//
// Source: design.md "Interfaces" (--index ATTR=eq,pres,sub,ord).
#ifndef TWINTREE_STORAGE_INDEX_H_
#define TWINTREE_STORAGE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/entry.h"
#include "services/model/result.h"
#include "services/model/schema.h"

namespace twintree::storage {

// A small number for an indexed attribute, given by the store and kept with its data.
using AttributeNumber = std::uint16_t;

enum IndexKind : std::uint8_t {
  kEqualityIndex = 1,  // equality; prefixes too, since keys are kept in order
  kPresenceIndex = 2,
  kSubstringIndex = 4,
  kOrderingIndex = 8,  // ranges; the same keys as equality
};

// Keys longer than this are cut. A cut key may stand for several values, which is fine: indexes
// give candidates.
inline constexpr std::size_t kMaxIndexKeyBytes = 240;

// What the operator asked for one attribute.
struct IndexSpec {
  std::string attribute;   // a name or OID of the schema
  std::uint8_t kinds = 0;  // IndexKind bits

  // Reads "cn=eq,pres,sub,ord". Errors: kOther, naming the part that is wrong.
  static model::Result<IndexSpec> Parse(std::string_view text);
};

// The default: objectClass eq; uid, cn, sn, givenName, mail, displayName eq,pres,sub; and what
// SSSD, PAM, Postfix and mail routers ask for (entryUUID, entryCSN, uidNumber, gidNumber,
// memberUid, member, uniqueMember, memberOf, ou, dc, o, telephoneNumber, employeeNumber, …).
std::vector<IndexSpec> DefaultIndexes();

// "cn=eq,pres,sub": what IndexSpec::Parse reads.
std::string ToString(const IndexSpec& spec);

struct IndexedAttribute {
  AttributeNumber number = 0;
  const model::AttributeType* type = nullptr;
  std::uint8_t kinds = 0;
};

// The indexes of a store, bound to a schema. Immutable.
class IndexSet {
 public:
  IndexSet() = default;
  // Errors: kUndefinedAttributeType for an unknown attribute, kInappropriateMatching when the type
  // lacks the rule that an index needs; both name the attribute.
  static model::Result<IndexSet> Make(std::span<const IndexSpec> specs,
                                      const model::Schema& schema);

  const std::vector<IndexedAttribute>& attributes() const { return attributes_; }
  // Null when the type is not indexed itself (supertypes and subtypes are not considered).
  const IndexedAttribute* Find(const model::AttributeType& type) const;
  // Null when no attribute has this number.
  const IndexedAttribute* FindNumber(AttributeNumber number) const {
    return number < attributes_.size() ? &attributes_[number] : nullptr;
  }
  // The set as specifications, by OID, so that it can be made again.
  std::vector<IndexSpec> Specs() const;
  // A text that two equal sets share; kept with the data to notice a changed configuration.
  std::string Fingerprint() const;

 private:
  std::vector<IndexedAttribute> attributes_;  // by number
  std::vector<std::int32_t> by_type_index_;   // AttributeType::index to number; -1: not indexed
};

// The set for people: "cn=eq,pres,sub mail=eq", by name, in the order of the alphabet.
std::string Describe(const IndexSet& indexes);

// One term of an entry. Subtypes and options do not spread: a value of `cn;lang-de` is a term of
// cn; a value of sn is a term of sn only (a filter on `name` asks each indexed subtype). Object
// classes are terms as listed: who looks for a class asks for each of its subclasses too.
struct IndexTerm {
  AttributeNumber attribute = 0;
  IndexKind kind = kEqualityIndex;  // kEqualityIndex (also stands for ordering), kPresenceIndex or
                                    // kSubstringIndex
  std::string key;                  // normalised value, cut to kMaxIndexKeyBytes for equality;
                                    // whole for substrings; empty for presence

  friend bool operator==(const IndexTerm&, const IndexTerm&) = default;
  friend auto operator<=>(const IndexTerm&, const IndexTerm&) = default;
};

// The terms of `entry`, sorted and unique. Values that the rule refuses have no term.
std::vector<IndexTerm> IndexTerms(const model::Entry& entry, const IndexSet& indexes);
// The same in no order, with repeats, and without making strings that are not needed: calls
// `visit` with attribute, kind and key, which is gone after the call.
using VisitTerm = std::function<void(AttributeNumber, IndexKind, std::string_view key)>;
void VisitIndexTerms(const model::Entry& entry, const IndexSet& indexes, const VisitTerm& visit);
// Only the terms of kind kSubstringIndex.
std::vector<IndexTerm> SubstringTerms(const model::Entry& entry, const IndexSet& indexes);

struct IndexTermChanges {
  std::vector<IndexTerm> removed;  // terms of `before` and not of `after`
  std::vector<IndexTerm> added;    // every term of `after` that `before` lacks, and maybe others
};

// What changes between two states of one entry. Values that both have are not normalised when that
// can be avoided, so adding a member to a large group is cheap.
IndexTermChanges DiffIndexTerms(const model::Entry& before, const model::Entry& after,
                                const IndexSet& indexes);

// `key` as it stands in an equality index.
std::string CutIndexKey(std::string_view key);

}  // namespace twintree::storage

#endif  // TWINTREE_STORAGE_INDEX_H_
