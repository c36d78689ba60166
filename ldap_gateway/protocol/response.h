// Responses: each function appends one whole LDAPMessage to a buffer.
//
// Source: RFC 4511 4.1.9, 4.2.2, 4.4.1, 4.5.2, 4.12.
#ifndef TWINTREE_LDAP_GATEWAY_PROTOCOL_RESPONSE_H_
#define TWINTREE_LDAP_GATEWAY_PROTOCOL_RESPONSE_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ldap_gateway/protocol/envelope.h"
#include "services/model/result.h"

namespace twintree::ldap {

struct LdapResult {
  model::ResultCode code = model::ResultCode::kSuccess;
  std::string_view matched_dn;
  std::string_view diagnostic;
};

// The final response to any request but an extended one. `controls` are Control elements, joined.
// REQUIRES: `request` has a response (is neither unbind nor abandon) and is not extended.
void EncodeResponse(MessageId id, OperationKind request, const LdapResult& result,
                    std::string_view controls, std::string* out);

void EncodeExtendedResponse(MessageId id, const LdapResult& result,
                            std::optional<std::string_view> name,
                            std::optional<std::string_view> value, std::string* out);

// A SearchResultEntry. `attribute_pieces`, joined, are PartialAttribute elements.
void EncodeSearchEntry(MessageId id, std::string_view dn,
                       std::span<const std::string_view> attribute_pieces, std::string* out);

// The unsolicited notification that the server is about to end the session.
void EncodeNoticeOfDisconnection(model::ResultCode code, std::string_view diagnostic,
                                 std::string* out);

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_PROTOCOL_RESPONSE_H_
