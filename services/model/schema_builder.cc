#include "services/model/schema_builder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/schema_comparison.h"
#include "services/model/schema_content.h"
#include "services/model/standard_matching_rules.h"
#include "services/model/syntax.h"

namespace twintree::model {
namespace {

Error Wrong(std::string message) { return {ResultCode::kOther, std::move(message), {}}; }

template <typename T>
std::string Label(const T& description) {
  return "\"" + (description.names.empty() ? description.oid : description.names.front()) + "\"";
}

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

bool IsMacro(const SchemaStatement& statement) { return statement.keyword == "objectidentifier"; }

bool IsSyntax(const SchemaStatement& statement) {
  return statement.keyword == "ldapsyntax" || statement.keyword == "ldapsyntaxes";
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
  const SchemaFile file{"", std::string(text)};
  TT_RETURN_IF_ERROR(ReadFiles({&file, 1}, origin));
  return AddPending();
}

Status SchemaBuilder::AddFiles(std::span<const SchemaFile> files, SchemaReport* report) {
  report_ = report;
  TT_RETURN_IF_ERROR(ReadFiles(files, {}));
  return AddPending();
}

Status SchemaBuilder::ForEachStatement(const SchemaFile& file, const Read& read) {
  const std::string name = file.name.empty() ? "" : file.name + ": ";
  for (const SchemaStatement& statement : SplitSchemaFile(file.text)) {
    const std::string place = name + "line " + std::to_string(statement.line) + ": ";
    Status status = read(statement, place);
    if (!status.ok()) return Wrong(place + status.error().message);
  }
  return OkStatus();
}

Status SchemaBuilder::ReadFiles(std::span<const SchemaFile> files, std::string_view origin) {
  const Read passes[] = {
      [this](const SchemaStatement& statement, const std::string&) {
        return IsMacro(statement) ? macros_.Define(statement.body) : OkStatus();
      },
      [this](const SchemaStatement& statement, const std::string& place) {
        return IsSyntax(statement) ? AddSyntax(statement.body, place) : OkStatus();
      },
      [this, origin](const SchemaStatement& statement, const std::string& place) {
        if (IsMacro(statement) || IsSyntax(statement)) return OkStatus();
        return ReadStatement(statement, place, origin);
      }};
  for (const Read& pass : passes) {
    for (const SchemaFile& file : files) TT_RETURN_IF_ERROR(ForEachStatement(file, pass));
  }
  return OkStatus();
}

Status SchemaBuilder::AddPending() {
  TT_RETURN_IF_ERROR(AddAttributeTypes(std::exchange(types_, {})));
  return AddObjectClasses(std::exchange(classes_, {}));
}

Status SchemaBuilder::ReadStatement(const SchemaStatement& statement, const std::string& place,
                                    std::string_view origin) {
  const std::string& keyword = statement.keyword;
  if (keyword == "attributetype" || keyword == "attributetypes") {
    TT_ASSIGN_OR_RETURN(auto type, AttributeTypeDescription::Parse(statement.body));
    type.oid = macros_.Expand(type.oid);
    type.syntax = macros_.Expand(type.syntax);
    AddOrigin(origin, type.extensions);
    if (!IsNumericOid(type.oid)) return Wrong("\"" + type.oid + "\" is not an OID");
    types_.push_back({place, std::move(type)});
    return OkStatus();
  }
  if (keyword == "objectclass" || keyword == "objectclasses") {
    TT_ASSIGN_OR_RETURN(auto object_class, ObjectClassDescription::Parse(statement.body));
    object_class.oid = macros_.Expand(object_class.oid);
    AddOrigin(origin, object_class.extensions);
    if (!IsNumericOid(object_class.oid)) return Wrong("\"" + object_class.oid + "\" is not an OID");
    classes_.push_back({place, std::move(object_class)});
    return OkStatus();
  }
  if (keyword == "include") {
    return Wrong("include is not followed: give each file with a --schema of its own");
  }
  return Wrong("unknown statement \"" + keyword + "\"");
}

// `( OID DESC '...' X-SUBST 'OID' )`: values are checked as those of the other syntax. Without
// X-SUBST they are any octets.
Status SchemaBuilder::AddSyntax(std::string_view text, const std::string& place) {
  TT_ASSIGN_OR_RETURN(Description fields,
                      ParseDescription(text, DescriptionForm::kNamedLdapSyntax));
  const std::string oid = macros_.Expand(fields.id);
  if (!IsNumericOid(oid)) return Wrong("\"" + oid + "\" is not an OID");
  Schema::Content& content = *schema_->content_;
  if (schema_->FindSyntax(oid) != nullptr) {
    if (report_ != nullptr) ++report_->repeated;
    return OkStatus();
  }
  const std::string like = macros_.Expand(fields.First("X-SUBST"));
  const Syntax* model = like.empty() ? nullptr : schema_->FindSyntax(like);
  if (!like.empty() && model == nullptr) return Wrong("the syntax " + like + " is unknown");
  if (like.empty()) Warn(place, "values of the syntax " + oid + " are not checked");
  content.syntaxes.push_back(Syntax::MakeLike(model, oid, fields.First("DESC")));
  content.syntaxes_by_name.Insert(oid, content.syntaxes.back().get());
  return OkStatus();
}

void SchemaBuilder::Warn(const std::string& place, const std::string& text) {
  if (report_ != nullptr) report_->warnings.push_back(place + text);
}

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

bool SchemaBuilder::SuperiorsKnown(const AttributeTypeDescription& description) const {
  return description.superior.empty() ||
         schema_->FindAttributeType(description.superior) != nullptr ||
         schema_->FindAttributeType(description.oid) != nullptr;
}

bool SchemaBuilder::SuperiorsKnown(const ObjectClassDescription& description) const {
  return schema_->FindObjectClass(description.oid) != nullptr ||
         std::all_of(
             description.superiors.begin(), description.superiors.end(),
             [this](const std::string& name) { return schema_->FindObjectClass(name) != nullptr; });
}

// Adds whatever has its superior, until nothing is left or nothing can be added.
Status SchemaBuilder::AddAttributeTypes(PendingTypes pending) {
  while (!pending.empty()) {
    PendingTypes waiting;
    for (auto& each : pending) {
      if (!SuperiorsKnown(each.description)) {
        waiting.push_back(std::move(each));
        continue;
      }
      TT_RETURN_IF_ERROR(AddAttributeType(each));
    }
    if (waiting.size() == pending.size()) {
      const auto& [place, description] = waiting.front();
      return Wrong(place + "the superior \"" + description.superior + "\" of " +
                   Label(description) + " is unknown");
    }
    pending = std::move(waiting);
  }
  return OkStatus();
}

Status SchemaBuilder::AddObjectClasses(PendingClasses pending) {
  while (!pending.empty()) {
    PendingClasses waiting;
    for (auto& each : pending) {
      if (!SuperiorsKnown(each.description)) {
        waiting.push_back(std::move(each));
        continue;
      }
      TT_RETURN_IF_ERROR(AddObjectClass(each));
    }
    if (waiting.size() == pending.size()) {
      const auto& [place, description] = waiting.front();
      return Wrong(place + "a superior of " + Label(description) + " is unknown");
    }
    pending = std::move(waiting);
  }
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
