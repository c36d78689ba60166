#include "services/model/schema_builder.h"

#include <algorithm>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/schema_builder_errors.h"
#include "services/model/schema_content.h"
#include "services/model/standard_matching_rules.h"
#include "services/model/syntax.h"

namespace twintree::model {
namespace {

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
