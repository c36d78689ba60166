// Decoding of the requests that carry attributes: add and modify.
#include <utility>

#include "ldap_gateway/limits.h"
#include "ldap_gateway/protocol/request.h"

namespace twintree::ldap {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Status;

Error Malformed(const char* message) { return Error{ResultCode::kProtocolError, message, {}}; }

// What a message may still hold.
class Budget {
 public:
  bool TakeAttribute() { return attributes_ > 0 && attributes_-- > 0; }
  bool TakeValue() { return values_ > 0 && values_-- > 0; }

 private:
  std::size_t attributes_ = kMaxAttributesPerMessage;
  std::size_t values_ = kMaxValuesPerMessage;
};

Error TooMany(std::size_t limit, const char* what) {
  return Error{ResultCode::kAdminLimitExceeded,
               "more than " + std::to_string(limit) + " " + what + " in one message",
               {}};
}

// Reads the content of a PartialAttribute.
Status DecodeAttribute(std::string_view content, Budget* budget, model::RawAttribute* attribute) {
  if (!budget->TakeAttribute()) return TooMany(kMaxAttributesPerMessage, "attributes");
  ber::Reader reader(content);
  std::string_view description;
  std::string_view set;
  if (!reader.Expect(ber::kOctetString, &description) || !reader.Expect(ber::kSet, &set) ||
      !SkipExtensions(&reader)) {
    return Malformed("an attribute cannot be read");
  }
  attribute->description.assign(description);
  ber::Reader values(set);
  std::string_view value;
  while (!values.at_end()) {
    if (!values.Expect(ber::kOctetString, &value)) {
      return Malformed("a value of an attribute cannot be read");
    }
    if (!budget->TakeValue()) return TooMany(kMaxValuesPerMessage, "values");
    attribute->values.emplace_back(value);
  }
  return model::OkStatus();
}

Status DecodeModification(std::string_view content, Budget* budget,
                          model::Modification* modification) {
  ber::Reader reader(content);
  std::int64_t kind = 0;
  std::string_view attribute;
  if (!reader.ExpectInteger(&kind, ber::kEnumerated)) {
    return Malformed("modify: the kind of a change cannot be read");
  }
  if (kind < 0 || kind > 3) return Malformed("modify: the kind of a change is not one of 0 to 3");
  if (!reader.Expect(ber::kSequence, &attribute) || !SkipExtensions(&reader)) {
    return Malformed("modify: a change cannot be read");
  }
  modification->kind = static_cast<model::ModificationKind>(kind);
  return DecodeAttribute(attribute, budget, &modification->attribute);
}

}  // namespace

Result<AddRequest> DecodeAdd(std::string_view content) {
  ber::Reader reader(content);
  std::string_view dn;
  std::string_view list;
  if (!reader.Expect(ber::kOctetString, &dn)) return Malformed("add: the entry cannot be read");
  if (!reader.Expect(ber::kSequence, &list) || !SkipExtensions(&reader)) {
    return Malformed("add: the list of attributes cannot be read");
  }
  AddRequest request;
  request.dn.assign(dn);
  Budget budget;
  ber::Reader items(list);
  std::string_view item;
  while (!items.at_end()) {
    if (!items.Expect(ber::kSequence, &item)) return Malformed("add: an attribute cannot be read");
    TT_RETURN_IF_ERROR(DecodeAttribute(item, &budget, &request.attributes.emplace_back()));
    if (request.attributes.back().values.empty()) {
      return Malformed("add: an attribute has no values");
    }
  }
  return request;
}

Result<ModifyRequest> DecodeModify(std::string_view content) {
  ber::Reader reader(content);
  std::string_view dn;
  std::string_view list;
  if (!reader.Expect(ber::kOctetString, &dn)) return Malformed("modify: the entry cannot be read");
  if (!reader.Expect(ber::kSequence, &list) || !SkipExtensions(&reader)) {
    return Malformed("modify: the list of changes cannot be read");
  }
  ModifyRequest request;
  request.dn.assign(dn);
  Budget budget;
  ber::Reader items(list);
  std::string_view item;
  while (!items.at_end()) {
    if (!items.Expect(ber::kSequence, &item)) return Malformed("modify: a change cannot be read");
    TT_RETURN_IF_ERROR(DecodeModification(item, &budget, &request.modifications.emplace_back()));
  }
  return request;
}

}  // namespace twintree::ldap
