#include "services/model/schema.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "services/model/schema_builder.h"
#include "services/model/schema_content.h"
#include "services/model/standard_schema.h"

namespace twintree::model {
namespace {

Status AddStandardContent(SchemaBuilder& builder) {
  for (const StandardSchemaText& part : StandardSchemaTexts()) {
    Status status = builder.AddText(part.text, part.origin);
    if (!status.ok()) {
      return Error{ResultCode::kOther,
                   "standard schema " + std::string(part.origin) + ", " + status.error().message,
                   {}};
    }
  }
  return OkStatus();
}

std::shared_ptr<const Schema> BuildStandard() {
  SchemaBuilder builder;
  const Status status = AddStandardContent(builder);
  if (!status.ok()) {
    // The texts are constants of this program, so this is a mistake in it.
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    std::abort();
  }
  return std::move(builder).Build();
}

// `object_class` or the first class above it that serves as structural when alone; null if none.
const ObjectClass* FindStructuralWhenAlone(const ObjectClass& object_class) {
  if (object_class.structural_when_alone) return &object_class;
  for (const ObjectClass* superior : object_class.superiors) {
    if (const ObjectClass* found = FindStructuralWhenAlone(*superior)) return found;
  }
  return nullptr;
}

Error ClassViolation(std::string message) {
  return {ResultCode::kObjectClassViolation, std::move(message), {}};
}

Error WithoutEqualityRule(const AttributeType& type) {
  return {ResultCode::kInappropriateMatching,
          "the attribute type " + type.name() + " has no equality matching rule",
          {}};
}

}  // namespace

Status AttributeType::Validate(std::string_view value) const {
  Status status = syntax->Validate(value);
  if (status.ok()) return status;
  return Error{status.code(), name() + ": " + status.error().message, {}};
}

Result<std::string> AttributeType::EqualityKey(std::string_view value) const {
  return equality == nullptr ? WithoutEqualityRule(*this) : equality->ValueKey(value);
}

Result<std::string> AttributeType::AssertionKey(std::string_view assertion) const {
  return equality == nullptr ? WithoutEqualityRule(*this) : equality->AssertionKey(assertion);
}

bool ObjectClass::IsSubclassOf(const ObjectClass& other) const {
  if (this == &other) return true;
  for (const ObjectClass* superior : superiors) {
    if (superior->IsSubclassOf(other)) return true;
  }
  return false;
}

Schema::Schema() : content_(std::make_unique<Content>()) {}
Schema::~Schema() = default;

std::shared_ptr<const Schema> Schema::Standard() {
  static const std::shared_ptr<const Schema> kSchema = BuildStandard();
  return kSchema;
}

Result<std::shared_ptr<const Schema>> Schema::StandardWith(std::span<const SchemaFile> files,
                                                           SchemaReport* report) {
  SchemaBuilder builder;
  TT_RETURN_IF_ERROR(AddStandardContent(builder));
  SchemaReport ignored;
  TT_RETURN_IF_ERROR(builder.AddFiles(files, report == nullptr ? &ignored : report));
  return std::move(builder).Build();
}

Result<std::shared_ptr<const Schema>> Schema::StandardWith(std::string_view text) {
  const SchemaFile file{"", std::string(text)};
  return StandardWith({&file, 1}, nullptr);
}

const AttributeType* Schema::FindAttributeType(std::string_view name) const {
  return content_->types_by_name.Find(name);
}

const ObjectClass* Schema::FindObjectClass(std::string_view name) const {
  return content_->classes_by_name.Find(name);
}

const MatchingRule* Schema::FindMatchingRule(std::string_view name) const {
  return content_->rules_by_name.Find(name);
}

const Syntax* Schema::FindSyntax(std::string_view oid) const {
  return content_->syntaxes_by_name.Find(oid);
}

std::string_view Schema::IdentifierKey(std::string_view name) const {
  const std::string* key = content_->identifiers.Find(name);
  return key == nullptr ? std::string_view() : std::string_view(*key);
}

Result<const ObjectClass*> Schema::StructuralClassOf(
    std::span<const ObjectClass* const> classes) const {
  const ObjectClass* structural = nullptr;
  for (const ObjectClass* candidate : classes) {
    if (candidate->kind != ObjectClassKind::kStructural) continue;
    if (structural == nullptr || candidate->IsSubclassOf(*structural)) {
      structural = candidate;
    } else if (!structural->IsSubclassOf(*candidate)) {
      return ClassViolation("the structural object classes " + structural->name() + " and " +
                            candidate->name() + " are not in one chain");
    }
  }
  if (structural != nullptr) return structural;
  for (const ObjectClass* candidate : classes) {
    if (const ObjectClass* found = FindStructuralWhenAlone(*candidate)) return found;
  }
  return ClassViolation("no structural object class");
}

const std::vector<std::unique_ptr<AttributeType>>& Schema::attribute_types() const {
  return content_->attribute_types;
}
const std::vector<std::unique_ptr<ObjectClass>>& Schema::object_classes() const {
  return content_->object_classes;
}
const std::vector<std::unique_ptr<MatchingRule>>& Schema::matching_rules() const {
  return content_->matching_rules;
}
const std::vector<std::unique_ptr<Syntax>>& Schema::syntaxes() const { return content_->syntaxes; }
const Schema::WellKnown& Schema::well_known() const { return content_->well_known; }

}  // namespace twintree::model
