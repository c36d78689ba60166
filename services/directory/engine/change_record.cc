#include "services/directory/engine/change_record.h"

#include <utility>

#include "ldap_gateway/ber/ber.h"
#include "services/model/entry.h"

namespace twintree::directory {

std::string EncodeModifications(std::span<const BoundModification> modifications) {
  std::string encoded;
  ber::Writer writer(&encoded);
  const std::size_t list = writer.Begin(ber::kSequence);
  for (const BoundModification& modification : modifications) {
    const std::size_t one = writer.Begin(ber::kSequence);
    writer.Enumerated(static_cast<std::int64_t>(modification.kind));
    model::AppendPartialAttribute(modification.attribute.description.text,
                                  modification.attribute.values, &encoded);
    writer.End(one);
  }
  writer.End(list);
  return encoded;
}

BoundModification Replacement(const model::AttributeType& type, std::string_view value) {
  BoundModification modification;
  modification.attribute.description.type = &type;
  modification.attribute.description.text = type.name();
  modification.attribute.values.Append(value);
  return modification;
}

}  // namespace twintree::directory
