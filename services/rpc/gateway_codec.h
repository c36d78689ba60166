// Requests and outcomes of the directory port to and from messages of the gateway stream.
//
// Encode* fill a cleared message. Decode* move strings out of the message they are given. Nothing
// is lost on the way but the directory's clock: a deadline travels as time left.
#ifndef TWINTREE_SERVICES_RPC_GATEWAY_CODEC_H_
#define TWINTREE_SERVICES_RPC_GATEWAY_CODEC_H_

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "ldap_gateway/ber/ber.h"
#include "services/directory/directory.h"
#include "services/model/result.h"
#include "twintree/gateway/v1/gateway_service.pb.h"

namespace twintree::rpc {

namespace gateway_pb = ::twintree::gateway::v1;

void EncodeContext(const directory::RequestContext& context,
                   std::chrono::steady_clock::time_point now, gateway_pb::Operation* operation);
directory::RequestContext DecodeContext(gateway_pb::Operation* operation,
                                        std::chrono::steady_clock::time_point now);

void EncodeRequest(const directory::BindRequest& request, gateway_pb::Operation* operation);
// `credit_bytes` is the receiver's business and is not touched.
void EncodeRequest(const directory::SearchRequest& request, gateway_pb::Operation* operation);
void EncodeRequest(const directory::CompareRequest& request, gateway_pb::Operation* operation);
void EncodeRequest(const directory::AddRequest& request, gateway_pb::Operation* operation);
void EncodeRequest(const directory::ModifyRequest& request, gateway_pb::Operation* operation);
void EncodeRequest(const directory::DeleteRequest& request, gateway_pb::Operation* operation);
void EncodeRequest(const directory::ModifyDnRequest& request, gateway_pb::Operation* operation);
void EncodeRequest(const directory::ModifyPasswordRequest& request,
                   gateway_pb::Operation* operation);

// May it change the directory?
bool IsWrite(const gateway_pb::Operation& operation);

// Errors: kProtocolError for values outside the enumerations and for broken filters.
directory::BindRequest DecodeBind(gateway_pb::Operation* operation);
model::Result<directory::SearchRequest> DecodeSearch(gateway_pb::Operation* operation);
model::Result<directory::CompareRequest> DecodeCompare(gateway_pb::Operation* operation);
model::Result<directory::AddRequest> DecodeAdd(gateway_pb::Operation* operation);
model::Result<directory::ModifyRequest> DecodeModify(gateway_pb::Operation* operation);
model::Result<directory::DeleteRequest> DecodeDelete(gateway_pb::Operation* operation);
model::Result<directory::ModifyDnRequest> DecodeModifyDn(gateway_pb::Operation* operation);
directory::ModifyPasswordRequest DecodeModifyPassword(gateway_pb::Operation* operation);

// SearchResultEntry, RFC 4511 4.5.2.
inline constexpr ber::Tag kSearchResultEntryTag = ber::Application(4, true);
// Appends one such element. `attribute_pieces`, joined, are PartialAttribute elements.
void AppendSearchEntry(std::string_view dn, std::span<const std::string_view> attribute_pieces,
                       std::string* out);

void EncodeOutcome(directory::BindOutcome outcome, gateway_pb::Outcome* message);
void EncodeOutcome(directory::SearchOutcome outcome, gateway_pb::Outcome* message);
void EncodeOutcome(directory::Outcome outcome, gateway_pb::Outcome* message);
directory::BindOutcome DecodeBindOutcome(gateway_pb::Outcome* message);
directory::SearchOutcome DecodeSearchOutcome(gateway_pb::Outcome* message);
directory::Outcome DecodeOutcome(gateway_pb::Outcome* message);

// About how much an outcome adds to a message.
std::size_t EstimateBytes(const directory::BindOutcome& outcome);
std::size_t EstimateBytes(const directory::SearchOutcome& outcome);
std::size_t EstimateBytes(const directory::Outcome& outcome);

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_GATEWAY_CODEC_H_
