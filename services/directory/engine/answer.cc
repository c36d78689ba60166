#include "services/directory/engine/answer.h"

#include "services/directory/engine/engine.h"

namespace twintree::directory {

std::span<const std::string_view> Answer::Build(EntryTarget& target,
                                                const AttributeSelection& selection,
                                                bool types_only) {
  pieces_.clear();
  made_up_.clear();
  if (!types_only && selection.just_all_user() && target.ReadsAllUserAttributes()) {
    AddSlice(target.entry().user_section());
    return pieces_;
  }
  AddStored(target, selection, types_only);
  AddDerived(target, selection, types_only);
  if (!made_up_.empty()) pieces_.push_back(made_up_);
  return pieces_;
}

void Answer::AddSlice(std::string_view slice) {
  if (slice.empty()) return;
  if (!pieces_.empty() && pieces_.back().data() + pieces_.back().size() == slice.data()) {
    pieces_.back() = {pieces_.back().data(), pieces_.back().size() + slice.size()};
  } else {
    pieces_.push_back(slice);
  }
}

void Answer::AddStored(EntryTarget& target, const AttributeSelection& selection, bool types_only) {
  const model::Entry& entry = target.entry();
  std::size_t left_in_user_section = entry.user_attribute_count();
  for (const model::StoredAttribute& attribute : entry.attributes()) {
    const bool user = left_in_user_section > 0;
    if (user) --left_in_user_section;
    if (!selection.Selects(attribute, user)) continue;
    const bool readable = attribute.type() != nullptr ? target.May(access::kRead, *attribute.type())
                                                      : target.MayReadUnknown();
    if (!readable) continue;
    if (types_only) {
      model::AppendPartialAttribute(attribute.description(), {}, &made_up_);
    } else {
      AddSlice(attribute.encoded());
    }
  }
}

void Answer::AddDerived(EntryTarget& target, const AttributeSelection& selection, bool types_only) {
  const model::Schema::WellKnown& known = target.request().engine().schema().well_known();
  for (const model::AttributeType* type :
       {known.entry_dn, known.subschema_subentry, known.has_subordinates, known.num_subordinates}) {
    if (!selection.SelectsDerived(*type) || !target.May(access::kRead, *type)) continue;
    const std::vector<std::string> values = target.DerivedValues(*type);
    if (values.empty()) continue;
    model::AppendPartialAttribute(type->name(), types_only ? model::ValueList() : values,
                                  &made_up_);
  }
}

}  // namespace twintree::directory
