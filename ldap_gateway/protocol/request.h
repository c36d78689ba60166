// Requests as they are on the wire: one struct and one decoding function an operation.
//
// Each function takes the content octets of the protocolOp (Envelope::content). Values are copied
// out, so the input may go away. Names are not parsed here.
//
// Errors: kProtocolError for what cannot be read, kAdminLimitExceeded beyond a limit of limits.h.
//         The message is for the client and never repeats a value.
// Source: RFC 4511 4.2 to 4.12.
#ifndef TWINTREE_LDAP_GATEWAY_PROTOCOL_REQUEST_H_
#define TWINTREE_LDAP_GATEWAY_PROTOCOL_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ldap_gateway/ber/ber.h"
#include "ldap_gateway/protocol/envelope.h"
#include "services/model/attribute.h"
#include "services/model/filter.h"
#include "services/model/result.h"
#include "services/model/secret.h"

namespace twintree::ldap {

// The name that a request is about: base, entry or bind name, a view of `content`. It stands before
// all that may be wrong. nullopt: there is none, or it cannot be read.
std::optional<std::string_view> TargetNameOf(OperationKind kind, std::string_view content);

struct BindRequest {
  enum class Method { kSimple, kSasl, kUnknown };
  std::int64_t version = 3;
  std::string name;
  Method method = Method::kSimple;
  model::Secret password;      // kSimple
  std::string sasl_mechanism;  // kSasl
};
model::Result<BindRequest> DecodeBind(std::string_view content);

struct SearchRequest {
  std::string base;
  std::uint8_t scope = 0;  // 0 to 3
  std::uint8_t deref = 0;  // 0 to 3
  std::uint32_t size_limit = 0;
  std::uint32_t time_limit_seconds = 0;
  bool types_only = false;
  std::shared_ptr<const model::Filter> filter;  // never null
  std::vector<std::string> attributes;
};
model::Result<SearchRequest> DecodeSearch(std::string_view content);

struct ModifyRequest {
  std::string dn;
  std::vector<model::Modification> modifications;
};
model::Result<ModifyRequest> DecodeModify(std::string_view content);

struct AddRequest {
  std::string dn;
  std::vector<model::RawAttribute> attributes;  // each with a value at least
};
model::Result<AddRequest> DecodeAdd(std::string_view content);

struct ModifyDnRequest {
  std::string dn;
  std::string new_rdn;
  bool delete_old_rdn = false;
  std::optional<std::string> new_superior;
};
model::Result<ModifyDnRequest> DecodeModifyDn(std::string_view content);

struct CompareRequest {
  std::string dn;
  std::string attribute;
  std::string value;
};
model::Result<CompareRequest> DecodeCompare(std::string_view content);

// The ID of the operation to abandon.
model::Result<MessageId> DecodeAbandon(std::string_view content);

struct ExtendedRequest {
  std::string_view name;                  // points into the content
  std::optional<std::string_view> value;  // points into the content
};
model::Result<ExtendedRequest> DecodeExtended(std::string_view content);

// requestValue of the password modify operation (RFC 3062). An empty field is as good as none
// but for the passwords.
struct PasswordModifyValue {
  std::string user;
  std::optional<model::Secret> old_password;
  std::optional<model::Secret> new_password;
};
model::Result<PasswordModifyValue> DecodePasswordModify(std::optional<std::string_view> value);

// requestValue of the cancel operation (RFC 3909): the ID of the operation to cancel.
model::Result<MessageId> DecodeCancel(std::optional<std::string_view> value);

// Reads a SEQUENCE OF LDAPString of at most kMaxSelectedAttributes names.
model::Status DecodeSelection(ber::Reader* reader, std::vector<std::string>* names);

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_PROTOCOL_REQUEST_H_
