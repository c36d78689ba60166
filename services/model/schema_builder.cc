#include "services/model/schema_builder.h"

#include <algorithm>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/schema_content.h"
#include "services/model/standard_matching_rules.h"
#include "services/model/syntax.h"

namespace twintree::model {
namespace {

Error Wrong(std::string message) { return {ResultCode::kOther, std::move(message), {}}; }

Error AtLine(int line, const std::string& message) {
  return Wrong("line " + std::to_string(line) + ": " + message);
}

template <typename T>
std::string Label(const T& description) {
  return "\"" + (description.names.empty() ? description.oid : description.names.front()) + "\"";
}

// Inserts under the OID and all names; false if one is taken.
template <typename T>
bool InsertNames(const T& definition, NameTable<T>& table) {
  if (!table.Insert(definition.oid, &definition)) return false;
  for (const std::string& name : definition.names) {
    if (!table.Insert(name, &definition)) return false;
  }
  return true;
}

bool SameNames(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::is_permutation(a.begin(), a.end(), b.begin(), b.end(), EqualsIgnoreCase);
}

bool SaysTheSame(const AttributeType& a, const AttributeType& b) {
  return a.oid == b.oid && SameNames(a.names, b.names) && a.superior == b.superior &&
         a.equality == b.equality && a.ordering == b.ordering && a.substring == b.substring &&
         a.syntax == b.syntax && a.single_value == b.single_value && a.collective == b.collective &&
         a.no_user_modification == b.no_user_modification && a.usage == b.usage;
}

template <typename T>
bool SameMembers(const std::vector<const T*>& a, const std::vector<const T*>& b) {
  return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
}

bool SaysTheSame(const ObjectClass& a, const ObjectClass& b) {
  return a.oid == b.oid && SameNames(a.names, b.names) && a.kind == b.kind &&
         SameMembers(a.superiors, b.superiors) && SameMembers(a.must, b.must) &&
         SameMembers(a.may, b.may);
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

void AddOrigin(std::string_view origin, std::vector<DescriptionField>& extensions) {
  const bool given = std::any_of(extensions.begin(), extensions.end(), [](const auto& extension) {
    return extension.keyword == "X-ORIGIN";
  });
  if (!origin.empty() && !given) extensions.push_back({"X-ORIGIN", {std::string(origin)}});
}

AvaForm AvaFormOf(const AttributeType& type) {
  if (type.equality == nullptr) return AvaForm::kGeneral;
  const SyntaxKind kind = type.syntax->kind();
  const bool filled = kind == SyntaxKind::kDirectoryString;
  if (!filled && kind != SyntaxKind::kIa5String) return AvaForm::kGeneral;
  const std::string& rule = type.equality->name();
  if (rule == "caseIgnoreMatch" || rule == "caseIgnoreIA5Match") {
    return filled ? AvaForm::kCaseIgnoreFilled : AvaForm::kCaseIgnore;
  }
  if (rule == "caseExactMatch" || rule == "caseExactIA5Match") {
    return filled ? AvaForm::kCaseExactFilled : AvaForm::kCaseExact;
  }
  return AvaForm::kGeneral;
}

}  // namespace

SchemaBuilder::SchemaBuilder() : schema_(new Schema()) {
  Schema::Content& content = *schema_->content_;
  content.syntaxes = Syntax::MakeAll();
  for (const auto& syntax : content.syntaxes) {
    content.syntaxes_by_name.Insert(syntax->oid(), syntax.get());
  }
  content.matching_rules = MakeStandardMatchingRules(*schema_, content.syntaxes);
  for (const auto& rule : content.matching_rules) {
    content.rules_by_name.Insert(rule->oid(), rule.get());
    content.rules_by_name.Insert(rule->name(), rule.get());
  }
}

Status SchemaBuilder::AddText(std::string_view text, std::string_view origin) {
  PendingTypes types;
  PendingClasses classes;
  for (const SchemaStatement& statement : SplitSchemaFile(text)) {
    Status status = ReadStatement(statement, origin, types, classes);
    if (!status.ok()) return AtLine(statement.line, status.error().message);
  }
  TT_RETURN_IF_ERROR(AddAttributeTypes(std::move(types)));
  return AddObjectClasses(std::move(classes));
}

Status SchemaBuilder::ReadStatement(const SchemaStatement& statement, std::string_view origin,
                                    PendingTypes& types, PendingClasses& classes) {
  const std::string& keyword = statement.keyword;
  if (keyword == "objectidentifier") return macros_.Define(statement.body);
  if (keyword == "attributetype" || keyword == "attributetypes") {
    TT_ASSIGN_OR_RETURN(auto type, AttributeTypeDescription::Parse(statement.body));
    type.oid = macros_.Expand(type.oid);
    type.syntax = macros_.Expand(type.syntax);
    AddOrigin(origin, type.extensions);
    if (!IsNumericOid(type.oid)) return Wrong("\"" + type.oid + "\" is not an OID");
    types.push_back({statement.line, std::move(type)});
    return OkStatus();
  }
  if (keyword == "objectclass" || keyword == "objectclasses") {
    TT_ASSIGN_OR_RETURN(auto object_class, ObjectClassDescription::Parse(statement.body));
    object_class.oid = macros_.Expand(object_class.oid);
    AddOrigin(origin, object_class.extensions);
    if (!IsNumericOid(object_class.oid)) return Wrong("\"" + object_class.oid + "\" is not an OID");
    classes.push_back({statement.line, std::move(object_class)});
    return OkStatus();
  }
  return Wrong("unknown statement \"" + keyword + "\"");
}

bool SchemaBuilder::SuperiorsKnown(const AttributeTypeDescription& description) const {
  return description.superior.empty() ||
         schema_->FindAttributeType(description.superior) != nullptr;
}

bool SchemaBuilder::SuperiorsKnown(const ObjectClassDescription& description) const {
  return std::all_of(
      description.superiors.begin(), description.superiors.end(),
      [this](const std::string& name) { return schema_->FindObjectClass(name) != nullptr; });
}

// Adds whatever has its superior, until nothing is left or nothing can be added.
Status SchemaBuilder::AddAttributeTypes(PendingTypes pending) {
  while (!pending.empty()) {
    PendingTypes waiting;
    for (auto& [line, description] : pending) {
      if (!SuperiorsKnown(description)) {
        waiting.push_back({line, std::move(description)});
        continue;
      }
      Status status = AddAttributeType(description);
      if (!status.ok()) return AtLine(line, status.error().message);
    }
    if (waiting.size() == pending.size()) {
      const auto& [line, description] = waiting.front();
      return AtLine(line, "the superior \"" + description.superior + "\" of " + Label(description) +
                              " is unknown");
    }
    pending = std::move(waiting);
  }
  return OkStatus();
}

Status SchemaBuilder::AddObjectClasses(PendingClasses pending) {
  while (!pending.empty()) {
    PendingClasses waiting;
    for (auto& [line, description] : pending) {
      if (!SuperiorsKnown(description)) {
        waiting.push_back({line, std::move(description)});
        continue;
      }
      Status status = AddObjectClass(description);
      if (!status.ok()) return AtLine(line, status.error().message);
    }
    if (waiting.size() == pending.size()) {
      const auto& [line, description] = waiting.front();
      return AtLine(line, "a superior of " + Label(description) + " is unknown");
    }
    pending = std::move(waiting);
  }
  return OkStatus();
}

Status SchemaBuilder::ResolveRule(std::string_view name, MatchingKind kind,
                                  const MatchingRule*& rule) const {
  if (name.empty()) return OkStatus();
  rule = schema_->FindMatchingRule(name);
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

Status SchemaBuilder::AddAttributeType(const AttributeTypeDescription& description) {
  auto type = std::make_unique<AttributeType>();
  if (!description.superior.empty()) {
    const AttributeType& superior = *schema_->FindAttributeType(description.superior);
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
  TT_RETURN_IF_ERROR(ResolveRule(description.equality, MatchingKind::kEquality, type->equality));
  TT_RETURN_IF_ERROR(ResolveRule(description.ordering, MatchingKind::kOrdering, type->ordering));
  TT_RETURN_IF_ERROR(ResolveRule(description.substring, MatchingKind::kSubstring, type->substring));
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
  type->definition = description.ToString();

  Schema::Content& content = *schema_->content_;
  const AttributeType* existing = schema_->FindAttributeType(type->oid);
  if (existing != nullptr && SaysTheSame(*existing, *type)) return OkStatus();
  type->index = static_cast<std::uint32_t>(content.attribute_types.size());
  if (!InsertNames(*type, content.types_by_name)) {
    return Wrong("the OID or a name of the attribute type " + Label(description) +
                 " is already defined differently");
  }
  content.attribute_types.push_back(std::move(type));
  return OkStatus();
}

Status SchemaBuilder::ResolveSuperiors(const ObjectClassDescription& description,
                                       ObjectClass& object_class) const {
  for (const std::string& name : description.superiors) {
    AppendUnique(schema_->FindObjectClass(name), object_class.superiors);
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

Status SchemaBuilder::AddObjectClass(const ObjectClassDescription& description) {
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

  Schema::Content& content = *schema_->content_;
  const ObjectClass* existing = schema_->FindObjectClass(object_class->oid);
  if (existing != nullptr && SaysTheSame(*existing, *object_class)) return OkStatus();
  object_class->index = static_cast<std::uint32_t>(content.object_classes.size());
  if (!InsertNames(*object_class, content.classes_by_name)) {
    return Wrong("the OID or a name of the object class " + Label(description) +
                 " is already defined differently");
  }
  content.object_classes.push_back(std::move(object_class));
  return OkStatus();
}

template <typename T>
void SchemaBuilder::AddIdentifiers(const T& definition) {
  Schema::Content& content = *schema_->content_;
  content.identifier_keys.push_back(std::make_unique<std::string>(ToLowerCopy(definition.name())));
  const std::string* key = content.identifier_keys.back().get();
  content.identifiers.Insert(definition.oid, key);
  for (const std::string& name : definition.names) content.identifiers.Insert(name, key);
}

void SchemaBuilder::PrepareNames() {
  Schema::Content& content = *schema_->content_;
  for (const auto& object_class : content.object_classes) AddIdentifiers(*object_class);
  for (const auto& type : content.attribute_types) {
    AddIdentifiers(*type);
    content.ava_prefixes.push_back(ToLowerCopy(type->name()) + "=");
    content.ava_forms.push_back(AvaFormOf(*type));
  }
  for (const auto& rule : content.matching_rules) {
    content.identifier_keys.push_back(std::make_unique<std::string>(ToLowerCopy(rule->name())));
    content.identifiers.Insert(rule->oid(), content.identifier_keys.back().get());
    content.identifiers.Insert(rule->name(), content.identifier_keys.back().get());
  }
  for (const auto& syntax : content.syntaxes) {
    content.identifiers.Insert(syntax->oid(), &syntax->oid());
  }
}

void SchemaBuilder::FindWellKnown() {
  Schema::WellKnown& known = schema_->content_->well_known;
  const std::pair<const AttributeType**, const char*> types[] = {
      {&known.object_class, "objectClass"},
      {&known.user_password, "userPassword"},
      {&known.entry_uuid, "entryUUID"},
      {&known.entry_dn, "entryDN"},
      {&known.entry_csn, "entryCSN"},
      {&known.create_timestamp, "createTimestamp"},
      {&known.creators_name, "creatorsName"},
      {&known.modify_timestamp, "modifyTimestamp"},
      {&known.modifiers_name, "modifiersName"},
      {&known.structural_object_class, "structuralObjectClass"},
      {&known.subschema_subentry, "subschemaSubentry"},
      {&known.has_subordinates, "hasSubordinates"},
      {&known.num_subordinates, "numSubordinates"},
      {&known.member, "member"},
      {&known.unique_member, "uniqueMember"},
  };
  for (const auto& [type, name] : types) *type = schema_->FindAttributeType(name);
  known.top = schema_->FindObjectClass("top");
  known.extensible_object = schema_->FindObjectClass("extensibleObject");
  known.alias = schema_->FindObjectClass("alias");
}

std::shared_ptr<const Schema> SchemaBuilder::Build() && {
  PrepareNames();
  FindWellKnown();
  return std::move(schema_);
}

}  // namespace twintree::model
