#include "ldap_gateway/protocol/request.h"

#include <limits>
#include <utility>

#include "ldap_gateway/limits.h"

namespace twintree::ldap {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Status;

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();

Error Malformed(std::string message) {
  return Error{ResultCode::kProtocolError, std::move(message), {}};
}

bool ReadString(ber::Reader* reader, std::string* out, ber::Tag tag = ber::kOctetString) {
  std::string_view content;
  if (!reader->Expect(tag, &content)) return false;
  out->assign(content);
  return true;
}

bool ReadBounded(ber::Reader* reader, std::int64_t max, std::int64_t* out,
                 ber::Tag tag = ber::kInteger) {
  return reader->ExpectInteger(out, tag) && *out >= 0 && *out <= max;
}

std::optional<std::string_view> OptionalAt(ber::Reader* reader, ber::Tag tag) {
  if (reader->at_end()) return std::nullopt;
  return reader->Optional(tag);
}

Result<MessageId> ToMessageId(std::optional<std::int64_t> id, const char* what) {
  if (!id || *id < 0 || *id > kMaxInt) {
    return Malformed(std::string(what) + ": the message ID is not between 0 and 2147483647");
  }
  return static_cast<MessageId>(*id);
}

}  // namespace

std::optional<std::string_view> TargetNameOf(OperationKind kind, std::string_view content) {
  ber::Reader reader(content);
  std::int64_t version = 0;
  std::string_view name;
  switch (kind) {
    case OperationKind::kDelete: return content;
    case OperationKind::kBind:
      if (!reader.ExpectInteger(&version)) return std::nullopt;
      [[fallthrough]];
    case OperationKind::kSearch:
    case OperationKind::kCompare:
    case OperationKind::kAdd:
    case OperationKind::kModify:
    case OperationKind::kModifyDn:
      if (!reader.Expect(ber::kOctetString, &name)) return std::nullopt;
      return name;
    case OperationKind::kUnbind:
    case OperationKind::kAbandon:
    case OperationKind::kExtended: break;
  }
  return std::nullopt;
}

Result<BindRequest> DecodeBind(std::string_view content) {
  ber::Reader reader(content);
  BindRequest request;
  if (!reader.ExpectInteger(&request.version)) return Malformed("bind: the version cannot be read");
  if (!ReadString(&reader, &request.name)) return Malformed("bind: the name cannot be read");
  ber::Element choice;
  if (!reader.Next(&choice)) return Malformed("bind: the authentication cannot be read");
  if (choice.tag == ber::Context(0, false)) {
    request.password = model::Secret(std::string(choice.content));
  } else if (choice.tag == ber::Context(3, true)) {
    request.method = BindRequest::Method::kSasl;
    ber::Reader sasl(choice.content);
    if (!ReadString(&sasl, &request.sasl_mechanism)) {
      return Malformed("bind: the SASL mechanism cannot be read");
    }
  } else {
    request.method = BindRequest::Method::kUnknown;
  }
  if (!SkipExtensions(&reader)) return Malformed("bind: something follows the authentication");
  return request;
}

Status DecodeSelection(ber::Reader* reader, std::vector<std::string>* names) {
  std::string_view list;
  if (!reader->Expect(ber::kSequence, &list)) return Malformed("no list of attributes follows");
  ber::Reader items(list);
  std::string_view name;
  while (!items.at_end()) {
    if (!items.Expect(ber::kOctetString, &name)) {
      return Malformed("the list of attributes cannot be read");
    }
    if (names->size() == kMaxSelectedAttributes) {
      return Error{ResultCode::kAdminLimitExceeded,
                   "more than " + std::to_string(kMaxSelectedAttributes) + " attributes asked for",
                   {}};
    }
    names->emplace_back(name);
  }
  return model::OkStatus();
}

Result<SearchRequest> DecodeSearch(std::string_view content) {
  ber::Reader reader(content);
  SearchRequest request;
  std::int64_t scope = 0;
  std::int64_t deref = 0;
  std::int64_t size_limit = 0;
  std::int64_t time_limit = 0;
  if (!ReadString(&reader, &request.base)) return Malformed("search: the base cannot be read");
  if (!ReadBounded(&reader, 3, &scope, ber::kEnumerated)) {
    return Malformed("search: the scope is not one of 0 to 3");
  }
  if (!ReadBounded(&reader, 3, &deref, ber::kEnumerated)) {
    return Malformed("search: derefAliases is not one of 0 to 3");
  }
  if (!ReadBounded(&reader, kMaxInt, &size_limit)) {
    return Malformed("search: the size limit is not between 0 and 2147483647");
  }
  if (!ReadBounded(&reader, kMaxInt, &time_limit)) {
    return Malformed("search: the time limit is not between 0 and 2147483647");
  }
  if (!reader.ExpectBoolean(&request.types_only)) {
    return Malformed("search: typesOnly cannot be read");
  }
  ber::Element filter;
  if (!reader.Next(&filter)) return Malformed("search: the filter cannot be read");
  TT_ASSIGN_OR_RETURN(model::Filter tree, model::Filter::Decode(filter.whole));
  TT_RETURN_IF_ERROR(DecodeSelection(&reader, &request.attributes));
  if (!SkipExtensions(&reader)) return Malformed("search: something follows the attributes");
  request.filter = std::make_shared<const model::Filter>(std::move(tree));
  request.scope = static_cast<std::uint8_t>(scope);
  request.deref = static_cast<std::uint8_t>(deref);
  request.size_limit = static_cast<std::uint32_t>(size_limit);
  request.time_limit_seconds = static_cast<std::uint32_t>(time_limit);
  return request;
}

Result<ModifyDnRequest> DecodeModifyDn(std::string_view content) {
  ber::Reader reader(content);
  ModifyDnRequest request;
  if (!ReadString(&reader, &request.dn)) return Malformed("modifyDN: the entry cannot be read");
  if (!ReadString(&reader, &request.new_rdn)) {
    return Malformed("modifyDN: the new RDN cannot be read");
  }
  if (!reader.ExpectBoolean(&request.delete_old_rdn)) {
    return Malformed("modifyDN: deleteoldrdn cannot be read");
  }
  if (auto superior = OptionalAt(&reader, ber::Context(0, false))) {
    request.new_superior.emplace(*superior);
  }
  if (!SkipExtensions(&reader)) return Malformed("modifyDN: the new superior cannot be read");
  return request;
}

Result<CompareRequest> DecodeCompare(std::string_view content) {
  ber::Reader reader(content);
  CompareRequest request;
  if (!ReadString(&reader, &request.dn)) return Malformed("compare: the entry cannot be read");
  std::string_view assertion;
  if (!reader.Expect(ber::kSequence, &assertion) || !SkipExtensions(&reader)) {
    return Malformed("compare: the assertion cannot be read");
  }
  ber::Reader inner(assertion);
  if (!ReadString(&inner, &request.attribute)) {
    return Malformed("compare: the attribute cannot be read");
  }
  if (!ReadString(&inner, &request.value) || !SkipExtensions(&inner)) {
    return Malformed("compare: the value cannot be read");
  }
  return request;
}

Result<MessageId> DecodeAbandon(std::string_view content) {
  return ToMessageId(ber::DecodeInteger(content), "abandon");
}

Result<ExtendedRequest> DecodeExtended(std::string_view content) {
  ber::Reader reader(content);
  ExtendedRequest request;
  if (!reader.Expect(ber::Context(0, false), &request.name)) {
    return Malformed("extended: the name of the operation cannot be read");
  }
  request.value = OptionalAt(&reader, ber::Context(1, false));
  if (!SkipExtensions(&reader)) return Malformed("extended: the value cannot be read");
  return request;
}

Result<PasswordModifyValue> DecodePasswordModify(std::optional<std::string_view> value) {
  PasswordModifyValue request;
  if (!value) return request;
  ber::Reader outer(*value);
  std::string_view body;
  if (!outer.Expect(ber::kSequence, &body) || !outer.Finished()) {
    return Malformed("password modify: the value is no SEQUENCE");
  }
  ber::Reader reader(body);
  if (auto user = OptionalAt(&reader, ber::Context(0, false))) request.user.assign(*user);
  if (auto password = OptionalAt(&reader, ber::Context(1, false))) {
    request.old_password.emplace(std::string(*password));
  }
  if (auto password = OptionalAt(&reader, ber::Context(2, false))) {
    request.new_password.emplace(std::string(*password));
  }
  if (!SkipExtensions(&reader)) return Malformed("password modify: the value cannot be read");
  return request;
}

Result<MessageId> DecodeCancel(std::optional<std::string_view> value) {
  if (!value) return Malformed("cancel: the value is missing");
  ber::Reader outer(*value);
  std::string_view body;
  if (!outer.Expect(ber::kSequence, &body) || !outer.Finished()) {
    return Malformed("cancel: the value is no SEQUENCE");
  }
  ber::Reader reader(body);
  std::int64_t id = -1;
  if (!reader.ExpectInteger(&id) || !SkipExtensions(&reader)) {
    return Malformed("cancel: the message ID cannot be read");
  }
  return ToMessageId(id, "cancel");
}

}  // namespace twintree::ldap
