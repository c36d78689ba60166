#include "services/directory/engine/relations.h"

#include <utility>

namespace twintree::directory {
namespace {

constexpr std::string_view kIntegerSyntaxOid = "1.3.6.1.4.1.1466.115.121.1.27";

}  // namespace

SchemaRelations::SchemaRelations(const model::Schema& schema)
    : well_known_(schema.well_known()),
      subtypes_(schema.attribute_types().size()),
      class_keys_(schema.object_classes().size()),
      aliased_object_name_(schema.FindAttributeType("aliasedObjectName")),
      integer_syntax_(schema.FindSyntax(kIntegerSyntaxOid)) {
  for (const auto& type : schema.attribute_types()) {
    for (const model::AttributeType* above = type.get(); above != nullptr;
         above = above->superior) {
      subtypes_[above->index].push_back(type.get());
    }
  }
  for (const auto& lower : schema.object_classes()) {
    model::Result<std::string> key = well_known_.object_class->EqualityKey(lower->name());
    if (!key.ok()) continue;
    for (const auto& upper : schema.object_classes()) {
      if (lower->IsSubclassOf(*upper)) class_keys_[upper->index].push_back(*key);
    }
  }
}

bool SchemaRelations::IsDerived(const model::AttributeType& type) const {
  return &type == well_known_.entry_dn || &type == well_known_.has_subordinates ||
         &type == well_known_.num_subordinates || &type == well_known_.subschema_subentry;
}

}  // namespace twintree::directory
