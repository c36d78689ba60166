#include "services/directory/engine/selection.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace twintree::directory {

AttributeSelection AttributeSelection::Make(std::span<const std::string> names,
                                            const model::Schema& schema) {
  AttributeSelection selection;
  selection.all_user_ = names.empty();
  for (const std::string& name : names) selection.Add(name, schema);
  selection.Normalize();
  return selection;
}

void AttributeSelection::Add(std::string_view name, const model::Schema& schema) {
  if (name == "*") {
    all_user_ = true;
  } else if (name == "+") {
    all_operational_ = true;
  } else if (name.starts_with('@')) {
    AddClass(name.substr(1), schema);
  } else if (name != "1.1" && !name.empty()) {
    auto description = model::AttributeDescription::Parse(name, schema);
    if (description.ok()) AddType(*description->type, std::move(description->options));
  }
}

void AttributeSelection::AddClass(std::string_view name, const model::Schema& schema) {
  // Options of a class description have no meaning here (RFC 4529 section 3).
  const model::ObjectClass* const object_class =
      schema.FindObjectClass(name.substr(0, name.find(';')));
  if (object_class == nullptr) return;
  if (object_class == schema.well_known().extensible_object) all_user_ = true;
  for (const model::AttributeType* type : object_class->must) AddType(*type, {});
  for (const model::AttributeType* type : object_class->may) AddType(*type, {});
}

void AttributeSelection::AddType(const model::AttributeType& type,
                                 std::vector<std::string> options) {
  wanted_.push_back({&type, std::move(options)});
}

void AttributeSelection::Normalize() {
  const auto order = [](const Wanted& a, const Wanted& b) {
    return std::tie(a.type->index, a.options) < std::tie(b.type->index, b.options);
  };
  if (wanted_.size() < 2) return;
  std::sort(wanted_.begin(), wanted_.end(), order);
  const auto last = std::unique(
      wanted_.begin(), wanted_.end(),
      [](const Wanted& a, const Wanted& b) { return a.type == b.type && a.options == b.options; });
  wanted_.erase(last, wanted_.end());
}

bool AttributeSelection::Names(const model::AttributeType& type, std::string_view description,
                               bool has_options) const {
  for (const model::AttributeType* at = &type; at != nullptr; at = at->superior) {
    auto wanted = std::lower_bound(
        wanted_.begin(), wanted_.end(), at->index,
        [](const Wanted& one, std::uint32_t index) { return one.type->index < index; });
    // The one without options, which takes everything, is the first of its type.
    for (; wanted != wanted_.end() && wanted->type == at; ++wanted) {
      if (wanted->options.empty()) return true;
      if (!has_options) break;
      if (model::HasOptions(description, wanted->options)) return true;
    }
  }
  return false;
}

bool AttributeSelection::Selects(const model::StoredAttribute& attribute, bool user) const {
  if (user ? all_user_ : all_operational_) return true;
  return attribute.type() != nullptr && !wanted_.empty() &&
         Names(*attribute.type(), attribute.description(), attribute.has_options());
}

bool AttributeSelection::SelectsDerived(const model::AttributeType& type) const {
  return all_operational_ || (!wanted_.empty() && Names(type, type.name(), false));
}

}  // namespace twintree::directory
