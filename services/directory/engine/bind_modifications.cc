#include <utility>

#include "services/directory/engine/modifications.h"
#include "services/directory/engine/new_entry.h"
#include "services/directory/engine/schema_check.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::Error;
using model::ModificationKind;
using model::Result;
using model::ResultCode;
using model::Schema;
using model::Status;

Status CheckIncrement(const Attribute& attribute, const SchemaRelations& relations) {
  if (attribute.values.size() != 1) {
    return Error{ResultCode::kProtocolError, "increment takes exactly one value", {}};
  }
  if (attribute.description.type->syntax != relations.integer_syntax()) {
    return Error{ResultCode::kConstraintViolation,
                 attribute.description.text + " is no integer and cannot be incremented",
                 {}};
  }
  return {};
}

Status CheckModification(ModificationKind kind, const Attribute& attribute, const Schema& schema,
                         const SchemaRelations& relations) {
  switch (kind) {
    case ModificationKind::kAdd:
      if (!attribute.values.empty()) break;
      return Error{
          ResultCode::kProtocolError, attribute.description.text + " is added without values", {}};
    case ModificationKind::kDelete: return {};
    case ModificationKind::kReplace: break;
    case ModificationKind::kIncrement:
      TT_RETURN_IF_ERROR(CheckIncrement(attribute, relations));
      break;
  }
  return CheckValues(attribute, schema);
}

void NoteClearPasswords(BoundModification* bound, PasswordMatches* matches) {
  for (std::string_view value : bound->attribute.values) {
    bound->clear.push_back(passwords::HasScheme(value)
                               ? std::nullopt
                               : std::optional(matches->Add(model::Secret(std::string(value)))));
  }
}

}  // namespace

Result<std::vector<BoundModification>> BindModifications(
    std::span<const model::Modification> modifications, const Schema& schema,
    const SchemaRelations& relations, PasswordMatches* matches) {
  std::vector<BoundModification> all;
  all.reserve(modifications.size());
  for (const model::Modification& modification : modifications) {
    BoundModification bound;
    bound.kind = modification.kind;
    TT_ASSIGN_OR_RETURN(bound.attribute.description,
                        ParseStorable(modification.attribute.description, schema));
    TT_RETURN_IF_ERROR(CheckUserModifiable(bound.attribute.description));
    bound.attribute.values = modification.attribute.values;
    TT_RETURN_IF_ERROR(CheckModification(bound.kind, bound.attribute, schema, relations));
    if (bound.attribute.description.type == schema.well_known().user_password) {
      NoteClearPasswords(&bound, matches);
    }
    all.push_back(std::move(bound));
  }
  return all;
}

}  // namespace twintree::directory
