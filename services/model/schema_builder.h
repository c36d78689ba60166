// Builds a Schema from texts of descriptions.
//
// Thread-safety: compatible.
#ifndef TWINTREE_SERVICES_MODEL_SCHEMA_BUILDER_H_
#define TWINTREE_SERVICES_MODEL_SCHEMA_BUILDER_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/matching_rule.h"
#include "services/model/schema.h"
#include "services/model/schema_file.h"
#include "services/model/schema_parser.h"

namespace twintree::model {

class SchemaBuilder {
 public:
  // Starts with all syntaxes and matching rules.
  SchemaBuilder();

  // Adds the descriptions of a schema file. They may refer to each other in any order, and to what
  // was added before. A description that says the same as one that is there already is accepted.
  // `origin`: printed as X-ORIGIN; empty: none.
  // Errors: kOther with the line number; the builder must not be used further.
  Status AddText(std::string_view text, std::string_view origin);

  // REQUIRES: the standard content was added.
  std::shared_ptr<const Schema> Build() &&;

 private:
  template <typename T>
  struct Pending {
    int line = 0;
    T description;
  };
  using PendingTypes = std::vector<Pending<AttributeTypeDescription>>;
  using PendingClasses = std::vector<Pending<ObjectClassDescription>>;

  Status ReadStatement(const SchemaStatement& statement, std::string_view origin,
                       PendingTypes& types, PendingClasses& classes);
  Status AddAttributeTypes(PendingTypes pending);
  Status AddObjectClasses(PendingClasses pending);
  Status AddAttributeType(const AttributeTypeDescription& description);
  Status AddObjectClass(const ObjectClassDescription& description);
  Status ResolveSyntax(const AttributeTypeDescription& description, AttributeType& type) const;
  Status ResolveRule(std::string_view name, MatchingKind kind, const MatchingRule*& rule) const;
  Status ResolveSuperiors(const ObjectClassDescription& description,
                          ObjectClass& object_class) const;
  Status ResolveAttributes(const ObjectClassDescription& description,
                           ObjectClass& object_class) const;
  bool SuperiorsKnown(const AttributeTypeDescription& description) const;
  bool SuperiorsKnown(const ObjectClassDescription& description) const;
  template <typename T>
  void AddIdentifiers(const T& definition);
  void PrepareNames();
  void FindWellKnown();

  std::shared_ptr<Schema> schema_;
  OidMacros macros_;
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SCHEMA_BUILDER_H_
