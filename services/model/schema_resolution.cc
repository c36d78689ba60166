// SchemaBuilder: what descriptions name becomes what it is, and repeated ones are compared.
#include <algorithm>
#include <iterator>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/schema_builder.h"
#include "services/model/schema_builder_errors.h"
#include "services/model/schema_comparison.h"
#include "services/model/schema_content.h"

namespace twintree::model {
namespace {

// Inserts under the OID and all names. Errors: kOther, naming what is taken and by whom.
template <typename T>
Status InsertNames(const T& definition, NameTable<T>& table) {
  std::vector<std::string> all = {definition.oid};
  all.insert(all.end(), definition.names.begin(), definition.names.end());
  for (const std::string& name : all) {
    const T* const other = table.Find(name);
    if (table.Insert(name, &definition)) continue;
    return Wrong("\"" + name + "\" is already the name of " +
                 (other == &definition ? "the same definition" : other->oid) + ", not of " +
                 definition.oid);
  }
  return OkStatus();
}

// Rules of standards that OpenLDAP's files name and that are not offered here.
bool IsKnownButMissing(std::string_view rule) {
  constexpr std::string_view kRules[] = {"presentationAddressMatch",
                                         "protocolInformationMatch",
                                         "certificateMatch",
                                         "certificateListMatch",
                                         "attributeCertificateMatch",
                                         "attributeCertificateExactMatch",
                                         "authzMatch",
                                         "directoryStringApproxMatch",
                                         "IA5StringApproxMatch"};
  return std::any_of(std::begin(kRules), std::end(kRules),
                     [rule](std::string_view each) { return EqualsIgnoreCase(each, rule); });
}

template <typename T>
void AppendUnique(const T* member, std::vector<const T*>& list) {
  if (std::find(list.begin(), list.end(), member) == list.end()) list.push_back(member);
}

bool MayDerive(ObjectClassKind kind, ObjectClassKind superior) {
  return superior == ObjectClassKind::kAbstract || superior == kind;
}

bool IsMarked(const std::vector<DescriptionField>& extensions, std::string_view keyword) {
  for (const DescriptionField& field : extensions) {
    if (field.keyword == keyword) return field.values == std::vector<std::string>{"TRUE"};
  }
  return false;
}

}  // namespace

template <typename T>
Status SchemaBuilder::Repeat(const T& existing, const Result<std::unique_ptr<T>>& repeated,
                             const std::string& place, std::string_view what) {
  if (report_ == nullptr) return Wrong(place + existing.oid + " is defined twice");
  const std::string differences = repeated.ok() ? Differences(existing, **repeated) : "";
  if (repeated.ok() && differences.empty()) {
    ++report_->repeated;
    return OkStatus();
  }
  Warn(place,
       std::string(what) + Label(existing) + " is known with another definition, which stays: " +
           (repeated.ok() ? "this one differs in " + differences : repeated.error().message));
  return OkStatus();
}

Status SchemaBuilder::ResolveRule(const std::string& place, std::string_view name,
                                  MatchingKind kind, const MatchingRule*& rule) {
  if (name.empty()) return OkStatus();
  rule = schema_->FindMatchingRule(name);
  if (rule == nullptr && report_ != nullptr && IsKnownButMissing(name)) {
    Warn(place, "the matching rule " + std::string(name) +
                    " is not offered: values cannot be compared by it");
    return OkStatus();
  }
  if (rule == nullptr) return Wrong("the matching rule \"" + std::string(name) + "\" is unknown");
  if (rule->kind() != kind) {
    return Wrong("the matching rule \"" + std::string(name) + "\" is of another kind");
  }
  return OkStatus();
}

Status SchemaBuilder::ResolveSyntax(const AttributeTypeDescription& description,
                                    AttributeType& type) const {
  if (description.syntax.empty()) return OkStatus();
  type.syntax = schema_->FindSyntax(description.syntax);
  type.max_length = description.max_length;
  if (type.syntax == nullptr) return Wrong("the syntax " + description.syntax + " is unknown");
  return OkStatus();
}

Result<std::unique_ptr<AttributeType>> SchemaBuilder::Resolve(
    const Pending<AttributeTypeDescription>& pending) {
  const std::string& place = pending.place;
  const AttributeTypeDescription& description = pending.description;
  auto type = std::make_unique<AttributeType>();
  if (!description.superior.empty()) {
    const AttributeType* const found = schema_->FindAttributeType(description.superior);
    if (found == nullptr) return Wrong("its superior is unknown");
    const AttributeType& superior = *found;
    if (superior.usage != description.usage) {
      return Wrong(Label(description) + " and its superior have different USAGE");
    }
    type->superior = &superior;
    type->equality = superior.equality;
    type->ordering = superior.ordering;
    type->substring = superior.substring;
    type->syntax = superior.syntax;
    type->max_length = superior.max_length;
  }
  TT_RETURN_IF_ERROR(ResolveSyntax(description, *type));
  TT_RETURN_IF_ERROR(
      ResolveRule(place, description.equality, MatchingKind::kEquality, type->equality));
  TT_RETURN_IF_ERROR(
      ResolveRule(place, description.ordering, MatchingKind::kOrdering, type->ordering));
  TT_RETURN_IF_ERROR(
      ResolveRule(place, description.substring, MatchingKind::kSubstring, type->substring));
  if (type->equality != nullptr && !type->equality->keys_decide()) {
    return Wrong("the matching rule " + type->equality->name() +
                 " cannot be the equality rule of an attribute type");
  }
  type->oid = description.oid;
  type->names = description.names;
  type->description = description.description;
  type->obsolete = description.obsolete;
  type->single_value = description.single_value;
  type->collective = description.collective;
  type->no_user_modification = description.no_user_modification;
  type->usage = description.usage;
  AttributeTypeDescription printed = description;
  if (type->equality == nullptr) printed.equality.clear();
  if (type->ordering == nullptr) printed.ordering.clear();
  if (type->substring == nullptr) printed.substring.clear();
  type->definition = printed.ToString();
  return type;
}

Status SchemaBuilder::AddAttributeType(const Pending<AttributeTypeDescription>& pending) {
  Schema::Content& content = *schema_->content_;
  const AttributeType* existing = schema_->FindAttributeType(pending.description.oid);
  SchemaReport* const report = report_;
  if (existing != nullptr) report_ = &unheeded_;  // what ours lacks has been told by ours
  Result<std::unique_ptr<AttributeType>> type = Resolve(pending);
  report_ = report;
  if (existing != nullptr) return Repeat(*existing, type, pending.place, "the attribute type ");
  if (!type.ok()) return Wrong(pending.place + type.error().message);
  (*type)->index = static_cast<std::uint32_t>(content.attribute_types.size());
  if (const Status status = InsertNames(**type, content.types_by_name); !status.ok()) {
    return Wrong(pending.place + status.error().message);
  }
  content.attribute_types.push_back(std::move(type).value());
  return OkStatus();
}

Status SchemaBuilder::ResolveSuperiors(const ObjectClassDescription& description,
                                       ObjectClass& object_class) const {
  for (const std::string& name : description.superiors) {
    const ObjectClass* const superior = schema_->FindObjectClass(name);
    if (superior == nullptr) return Wrong("the superior \"" + name + "\" is unknown");
    AppendUnique(superior, object_class.superiors);
  }
  const ObjectClass* top = schema_->FindObjectClass("top");
  if (object_class.superiors.empty() && top != nullptr && description.oid != top->oid) {
    object_class.superiors.push_back(top);
  }
  for (const ObjectClass* superior : object_class.superiors) {
    if (!MayDerive(description.kind, superior->kind)) {
      return Wrong("the kinds of " + Label(description) + " and its superior " + Label(*superior) +
                   " do not fit");
    }
    for (const AttributeType* type : superior->must) AppendUnique(type, object_class.must);
    for (const AttributeType* type : superior->may) AppendUnique(type, object_class.may);
  }
  return OkStatus();
}

Status SchemaBuilder::ResolveAttributes(const ObjectClassDescription& description,
                                        ObjectClass& object_class) const {
  const auto resolve = [&](const std::vector<std::string>& names,
                           std::vector<const AttributeType*>& list) -> Status {
    for (const std::string& name : names) {
      const AttributeType* type = schema_->FindAttributeType(name);
      if (type == nullptr) {
        return Wrong("the attribute type \"" + name + "\" of " + Label(description) +
                     " is unknown");
      }
      AppendUnique(type, list);
    }
    return OkStatus();
  };
  TT_RETURN_IF_ERROR(resolve(description.must, object_class.must));
  TT_RETURN_IF_ERROR(resolve(description.may, object_class.may));
  std::erase_if(object_class.may, [&](const AttributeType* type) {
    return std::find(object_class.must.begin(), object_class.must.end(), type) !=
           object_class.must.end();
  });
  return OkStatus();
}

Result<std::unique_ptr<ObjectClass>> SchemaBuilder::Resolve(
    const Pending<ObjectClassDescription>& pending) const {
  const ObjectClassDescription& description = pending.description;
  auto object_class = std::make_unique<ObjectClass>();
  TT_RETURN_IF_ERROR(ResolveSuperiors(description, *object_class));
  TT_RETURN_IF_ERROR(ResolveAttributes(description, *object_class));
  object_class->oid = description.oid;
  object_class->names = description.names;
  object_class->description = description.description;
  object_class->obsolete = description.obsolete;
  object_class->kind = description.kind;
  object_class->structural_when_alone = IsMarked(description.extensions, "X-STRUCTURAL-WHEN-ALONE");
  if (object_class->structural_when_alone && description.kind != ObjectClassKind::kAuxiliary) {
    return Wrong("X-STRUCTURAL-WHEN-ALONE is for auxiliary classes");
  }
  object_class->definition = description.ToString();
  return object_class;
}

Status SchemaBuilder::AddObjectClass(const Pending<ObjectClassDescription>& pending) {
  Schema::Content& content = *schema_->content_;
  const ObjectClass* existing = schema_->FindObjectClass(pending.description.oid);
  Result<std::unique_ptr<ObjectClass>> object_class = Resolve(pending);
  if (existing != nullptr) {
    return Repeat(*existing, object_class, pending.place, "the object class ");
  }
  if (!object_class.ok()) return Wrong(pending.place + object_class.error().message);
  (*object_class)->index = static_cast<std::uint32_t>(content.object_classes.size());
  if (const Status status = InsertNames(**object_class, content.classes_by_name); !status.ok()) {
    return Wrong(pending.place + status.error().message);
  }
  content.object_classes.push_back(std::move(object_class).value());
  return OkStatus();
}

}  // namespace twintree::model
