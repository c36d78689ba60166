// The directory schema: syntaxes, matching rules, attribute types and object classes.
//
// Built once (standard content, then any descriptions of the operator's), then immutable and shared
// by everything; definitions are compared by address and live as long as the schema.
//
// Thread-safety: safe once built.
// Source: RFC 4512 4.1; RFC 4517; RFC 4519; RFC 4524; RFC 2798; RFC 2307 (and 2307bis);
//         RFC 4530 (entryUUID); RFC 5020 (entryDN); RFC 3112 style authPassword is not included.
#ifndef TWINTREE_SERVICES_MODEL_SCHEMA_H_
#define TWINTREE_SERVICES_MODEL_SCHEMA_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/dn.h"
#include "services/model/result.h"

namespace twintree::model {

class Syntax;        // services/model/syntax.h
class MatchingRule;  // services/model/matching_rule.h
struct ScannedAva;   // services/model/dn_scanner.h

enum class AttributeUsage {
  kUserApplications,
  kDirectoryOperation,
  kDistributedOperation,
  kDsaOperation
};

// One attribute type, with everything that it inherits already resolved.
struct AttributeType {
  std::string oid;
  std::vector<std::string> names;  // may be empty
  std::string description;
  bool obsolete = false;
  const AttributeType* superior = nullptr;
  const MatchingRule* equality = nullptr;  // own or inherited; null: none
  const MatchingRule* ordering = nullptr;
  const MatchingRule* substring = nullptr;
  const Syntax* syntax = nullptr;  // never null
  std::uint32_t max_length = 0;    // a suggested bound, characters; 0: none
  bool single_value = false;
  bool collective = false;
  bool no_user_modification = false;
  AttributeUsage usage = AttributeUsage::kUserApplications;
  std::string definition;   // the RFC 4512 description it was read from
  std::uint32_t index = 0;  // dense, 0..attribute_types().size()-1

  // The first name, or the OID.
  const std::string& name() const { return names.empty() ? oid : names.front(); }
  bool operational() const { return usage != AttributeUsage::kUserApplications; }
  // True for the type itself and every subtype of `other`.
  bool IsSubtypeOf(const AttributeType& other) const {
    for (const AttributeType* type = this; type != nullptr; type = type->superior) {
      if (type == &other) return true;
    }
    return false;
  }

  // Refuses a value that the syntax does not allow, with kInvalidAttributeSyntax and the reason.
  Status Validate(std::string_view value) const;

  // The key of a stored value under the equality rule: two values are equal exactly if their keys
  // are. If the type has an ordering rule, keys sort bytewise as the rule orders values. If it has
  // a substring rule, keys of prefixes are prefixes: a value that starts with `initial` has a key
  // that starts with PieceKey(initial, kInitial), spaces at its end apart (ContainedPieces). Both
  // hold where the rules share keys (MatchingRule::SharesKeysWith), as all standard types' do.
  // Errors: kInappropriateMatching without equality rule; kInvalidAttributeSyntax.
  Result<std::string> EqualityKey(std::string_view value) const;

  // The same for an assertion value, where the rule's assertion syntax differs (object identifiers
  // by name, first-component rules); otherwise equal to EqualityKey.
  Result<std::string> AssertionKey(std::string_view assertion) const;
};

enum class ObjectClassKind { kAbstract, kStructural, kAuxiliary };

struct ObjectClass {
  std::string oid;
  std::vector<std::string> names;
  std::string description;
  bool obsolete = false;
  std::vector<const ObjectClass*> superiors;  // direct ones
  ObjectClassKind kind = ObjectClassKind::kStructural;
  std::vector<const AttributeType*> must;  // inherited ones included
  std::vector<const AttributeType*> may;   // inherited ones included
  // An auxiliary class that serves as the structural one in an entry that has none. posixGroup is
  // the only standard one: RFC 2307 made it structural, its successor auxiliary, and data of both
  // kinds is common. Marked by the extension X-STRUCTURAL-WHEN-ALONE 'TRUE'.
  bool structural_when_alone = false;
  std::string definition;
  std::uint32_t index = 0;  // dense

  const std::string& name() const { return names.empty() ? oid : names.front(); }
  // True for the class itself and every class below `other`.
  bool IsSubclassOf(const ObjectClass& other) const;
};

// A file of schema definitions.
struct SchemaFile {
  std::string name;  // stands before the line in what is told about it; may be empty
  std::string text;
};

// What reading schema files has found that is no error.
struct SchemaReport {
  std::size_t repeated = 0;           // definitions that say what is known already
  std::vector<std::string> warnings;  // each with file and line
};

class Schema {
 public:
  // The standard content. Never fails: a test parses every description. Built once, shared.
  static std::shared_ptr<const Schema> Standard();

  // The standard content plus the definitions of files in the forms of schema_file.h. They may
  // refer to each other in any order, across files too. A definition whose OID is known already is
  // passed over; `report` tells, and what differs, if anything does. A matching rule that is a
  // standard's but not known here is left out, with a warning. `report` may be null. Errors:
  // kOther, with the file, the line number and what is wrong in it.
  static Result<std::shared_ptr<const Schema>> StandardWith(std::span<const SchemaFile> files,
                                                            SchemaReport* report);
  // The same with one file without a name.
  static Result<std::shared_ptr<const Schema>> StandardWith(std::string_view text);

  ~Schema();

  // By any name (letter case does not matter) or OID; null when unknown. `name` has no options.
  const AttributeType* FindAttributeType(std::string_view name) const;
  const ObjectClass* FindObjectClass(std::string_view name) const;
  const MatchingRule* FindMatchingRule(std::string_view name) const;
  const Syntax* FindSyntax(std::string_view oid) const;

  // The structural class of an entry with these object classes: the most derived one, or the class
  // that is structural_when_alone.
  // Errors: kObjectClassViolation: none, or two that are not in one chain.
  Result<const ObjectClass*> StructuralClassOf(std::span<const ObjectClass* const> classes) const;

  // What all names and the OID of a schema definition have in common: its first name in lower
  // case (or its OID). Empty when no attribute type, object class, matching rule or syntax is
  // called `name`. Where two kinds share a name, the object class goes first.
  std::string_view IdentifierKey(std::string_view name) const;

  const std::vector<std::unique_ptr<AttributeType>>& attribute_types() const;
  const std::vector<std::unique_ptr<ObjectClass>>& object_classes() const;
  const std::vector<std::unique_ptr<MatchingRule>>& matching_rules() const;
  const std::vector<std::unique_ptr<Syntax>>& syntaxes() const;

  // Often-used types, never null.
  struct WellKnown {
    const AttributeType* object_class;
    const AttributeType* user_password;
    const AttributeType* entry_uuid;
    const AttributeType* entry_dn;
    const AttributeType* entry_csn;
    const AttributeType* create_timestamp;
    const AttributeType* creators_name;
    const AttributeType* modify_timestamp;
    const AttributeType* modifiers_name;
    const AttributeType* structural_object_class;
    const AttributeType* subschema_subentry;
    const AttributeType* has_subordinates;
    const AttributeType* num_subordinates;
    const AttributeType* member;
    const AttributeType* unique_member;
    const ObjectClass* top;
    const ObjectClass* extensible_object;
    const ObjectClass* alias;
  };
  const WellKnown& well_known() const;

  // Normalises a name. The fast path (ASCII, known types, string rules) allocates little.
  // Errors: kInvalidDnSyntax: bad form, an attribute type that the schema does not know (give the
  // name in the message), or a value that its syntax refuses.
  Result<DnKey> NormalizeDn(std::string_view text) const;
  Result<DnKey> NormalizeDn(const Dn& dn) const;
  // NormalizeDn(text)->text(), with less to allocate.
  Result<std::string> NormalizeDnText(std::string_view text) const;
  // The key of one RDN, as it stands in a DnKey.
  Result<std::string> NormalizeRdn(const Rdn& rdn) const;
  // Is `text` a spelling of the name `key`? False for what is no name. Looks no further than to
  // the first RDN that differs.
  bool DnEquals(std::string_view text, std::string_view key) const;

 private:
  Schema();
  struct Content;
  // Errors: kInvalidDnSyntax.
  Result<const AttributeType*> DnAttributeType(std::string_view name) const;
  Status AppendDnKey(std::string_view text, std::string& out,
                     std::vector<std::uint32_t>* starts) const;
  Status AppendAvaKey(const ScannedAva& ava, std::string& out) const;
  bool PlainlyDiffers(std::string_view text, std::string_view key) const;
  std::unique_ptr<Content> content_;
  friend class SchemaBuilder;
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SCHEMA_H_
