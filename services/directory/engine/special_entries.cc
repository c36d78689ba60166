#include "services/directory/engine/special_entries.h"

#include <utility>

#include "services/model/matching_rule.h"
#include "services/model/syntax.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::AttributeDescription;
using model::Result;
using model::Schema;
using model::Status;

// Collects attributes by name.
class Builder {
 public:
  explicit Builder(const Schema& schema) : schema_(schema) {}

  // Values of a name that was added before are added to it.
  Status Add(std::string_view name, const std::vector<std::string>& values) {
    TT_ASSIGN_OR_RETURN(AttributeDescription description,
                        AttributeDescription::Parse(name, schema_));
    for (Attribute& attribute : attributes_) {
      if (!attribute.description.SameAs(description)) continue;
      attribute.values.AppendAll(values);
      return {};
    }
    attributes_.push_back({std::move(description), values});
    return {};
  }

  std::vector<Attribute>& attributes() { return attributes_; }

 private:
  const Schema& schema_;
  std::vector<Attribute> attributes_;
};

template <typename Definitions>
std::vector<std::string> DefinitionsOf(const Definitions& definitions) {
  std::vector<std::string> values;
  values.reserve(definitions.size());
  for (const auto& one : definitions) values.push_back(one->definition);
  return values;
}

// matchingRuleUse values: each rule with the attribute types it can be applied to.
std::vector<std::string> RuleUses(const Schema& schema) {
  std::vector<std::string> values;
  for (const auto& rule : schema.matching_rules()) {
    std::string applies;
    for (const auto& type : schema.attribute_types()) {
      if (!rule->AppliesTo(*type)) continue;
      if (!applies.empty()) applies += " $ ";
      applies += type->name();
    }
    if (applies.empty()) continue;
    std::string value = "( " + rule->oid();
    if (!rule->name().empty()) value += " NAME '" + rule->name() + "'";
    value.append(" APPLIES ( ").append(applies).append(" ) )");
    values.push_back(std::move(value));
  }
  return values;
}

std::vector<std::string> RuleDefinitions(const Schema& schema) {
  std::vector<std::string> values;
  for (const auto& rule : schema.matching_rules()) values.push_back(rule->definition());
  return values;
}

std::vector<std::string> SyntaxDefinitions(const Schema& schema) {
  std::vector<std::string> values;
  for (const auto& syntax : schema.syntaxes()) values.push_back(syntax->definition());
  return values;
}

Result<model::Entry> MakeSubschema(const Schema& schema, const std::string& since) {
  Builder builder(schema);
  TT_RETURN_IF_ERROR(builder.Add("objectClass", {"top", "subschema", "extensibleObject"}));
  TT_RETURN_IF_ERROR(builder.Add("cn", {"Subschema"}));
  TT_RETURN_IF_ERROR(builder.Add("ldapSyntaxes", SyntaxDefinitions(schema)));
  TT_RETURN_IF_ERROR(builder.Add("matchingRules", RuleDefinitions(schema)));
  TT_RETURN_IF_ERROR(builder.Add("matchingRuleUse", RuleUses(schema)));
  TT_RETURN_IF_ERROR(builder.Add("attributeTypes", DefinitionsOf(schema.attribute_types())));
  TT_RETURN_IF_ERROR(builder.Add("objectClasses", DefinitionsOf(schema.object_classes())));
  TT_RETURN_IF_ERROR(builder.Add("createTimestamp", {since}));
  TT_RETURN_IF_ERROR(builder.Add("modifyTimestamp", {since}));
  return model::Entry::Encode(builder.attributes(), schema);
}

}  // namespace

Result<std::unique_ptr<SpecialEntries>> SpecialEntries::Make(std::shared_ptr<const Schema> schema,
                                                             std::span<const std::string> contexts,
                                                             std::string_view vendor_version,
                                                             const std::string& since) {
  std::unique_ptr<SpecialEntries> special(new SpecialEntries(std::move(schema)));
  Builder root(*special->schema_);
  TT_RETURN_IF_ERROR(root.Add("objectClass", {"top", "extensibleObject"}));
  TT_RETURN_IF_ERROR(root.Add("namingContexts", {contexts.begin(), contexts.end()}));
  TT_RETURN_IF_ERROR(root.Add("vendorName", {"Twintree"}));
  if (!vendor_version.empty()) {
    TT_RETURN_IF_ERROR(root.Add("vendorVersion", {std::string(vendor_version)}));
  }
  special->root_attributes_ = std::move(root.attributes());
  TT_ASSIGN_OR_RETURN(model::Entry subschema, MakeSubschema(*special->schema_, since));
  special->subschema_ = std::make_shared<const model::Entry>(std::move(subschema));
  return special;
}

Result<std::shared_ptr<const model::Entry>> SpecialEntries::RootDse(
    const DoorAttributes& door) const {
  {
    std::lock_guard lock(mutex_);
    if (last_root_ != nullptr && last_door_ == door) return last_root_;
  }
  Builder builder(*schema_);
  builder.attributes() = root_attributes_;
  if (door != nullptr) {
    for (const model::RawAttribute& attribute : *door) {
      TT_RETURN_IF_ERROR(builder.Add(attribute.description, attribute.values));
    }
  }
  auto entry =
      std::make_shared<const model::Entry>(model::Entry::Encode(builder.attributes(), *schema_));
  std::lock_guard lock(mutex_);
  last_door_ = door;
  last_root_ = entry;
  return entry;
}

}  // namespace twintree::directory
