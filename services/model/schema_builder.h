// Builds a Schema from texts of descriptions.
//
// Thread-safety: compatible.
#ifndef TWINTREE_SERVICES_MODEL_SCHEMA_BUILDER_H_
#define TWINTREE_SERVICES_MODEL_SCHEMA_BUILDER_H_

#include <memory>
#include <span>
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

  // Adds descriptions. They may refer to each other in any order, and to what was added before.
  // `origin`: printed as X-ORIGIN; empty: none.
  // Errors: kOther with the line number, also for what is defined already; the builder must not be
  // used further.
  Status AddText(std::string_view text, std::string_view origin);
  // Adds the descriptions of schema files as Schema::StandardWith tells.
  // Errors: as AddText, with the file's name.
  Status AddFiles(std::span<const SchemaFile> files, SchemaReport* report);

  // REQUIRES: the standard content was added.
  std::shared_ptr<const Schema> Build() &&;

 private:
  template <typename T>
  struct Pending {
    std::string place;  // "core.schema: line 12: "
    T description;
  };
  using PendingTypes = std::vector<Pending<AttributeTypeDescription>>;
  using PendingClasses = std::vector<Pending<ObjectClassDescription>>;

  Status ReadStatement(const SchemaStatement& statement, const std::string& place,
                       std::string_view origin);
  Status ReadFile(const SchemaFile& file, std::string_view origin);
  Status AddPending();
  Status AddAttributeTypes(PendingTypes pending);
  Status AddObjectClasses(PendingClasses pending);
  Status AddSyntax(std::string_view text, const std::string& place);
  Status AddAttributeType(const Pending<AttributeTypeDescription>& pending);
  Status AddObjectClass(const Pending<ObjectClassDescription>& pending);
  Result<std::unique_ptr<AttributeType>> Resolve(const Pending<AttributeTypeDescription>& pending);
  Result<std::unique_ptr<ObjectClass>> Resolve(
      const Pending<ObjectClassDescription>& pending) const;
  Status ResolveSyntax(const AttributeTypeDescription& description, AttributeType& type) const;
  Status ResolveRule(const std::string& place, std::string_view name, MatchingKind kind,
                     const MatchingRule*& rule);
  // A definition whose OID is `existing`'s already.
  template <typename T>
  Status Repeat(const T& existing, const Result<std::unique_ptr<T>>& repeated,
                const std::string& place, std::string_view what);
  void Warn(const std::string& place, const std::string& text);
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
  PendingTypes types_;
  PendingClasses classes_;
  SchemaReport unheeded_;
  SchemaReport* report_ = nullptr;  // null: definitions may not be repeated
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SCHEMA_BUILDER_H_
