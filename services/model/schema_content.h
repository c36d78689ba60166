// What a Schema holds. Only the schema's own sources include this.
#ifndef TWINTREE_SERVICES_MODEL_SCHEMA_CONTENT_H_
#define TWINTREE_SERVICES_MODEL_SCHEMA_CONTENT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "services/model/matching_rule.h"
#include "services/model/name_table.h"
#include "services/model/schema.h"
#include "services/model/syntax.h"

namespace twintree::model {

// How the value of an AVA becomes part of a DnKey.
enum class AvaForm : std::uint8_t {
  kGeneral,           // by syntax and rule
  kCaseIgnore,        // plain ASCII: fold letters, squeeze spaces; the empty value is allowed
  kCaseIgnoreFilled,  // the same, but the empty value is not allowed
  kCaseExact,
  kCaseExactFilled,
};

struct Schema::Content {
  // Unlike an address, no other schema of the process ever has the same.
  const std::uint64_t serial = NextSerial();
  std::vector<std::unique_ptr<Syntax>> syntaxes;
  std::vector<std::unique_ptr<MatchingRule>> matching_rules;
  std::vector<std::unique_ptr<AttributeType>> attribute_types;
  std::vector<std::unique_ptr<ObjectClass>> object_classes;

  // By name and OID.
  NameTable<Syntax> syntaxes_by_name;
  NameTable<MatchingRule> rules_by_name;
  NameTable<AttributeType> types_by_name;
  NameTable<ObjectClass> classes_by_name;

  // Schema::IdentifierKey.
  NameTable<std::string> identifiers;
  std::vector<std::unique_ptr<std::string>> identifier_keys;

  // By AttributeType::index: "cn=", and how values are normalised.
  std::vector<std::string> ava_prefixes;
  std::vector<AvaForm> ava_forms;

  WellKnown well_known{};

 private:
  static std::uint64_t NextSerial() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SCHEMA_CONTENT_H_
