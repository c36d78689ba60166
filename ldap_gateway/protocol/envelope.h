// The outside of an LDAPMessage: where one ends in a stream of octets, its ID, its operation.
//
// Source: RFC 4511 4.1.1, 4.2 to 4.12, 5.1.
#ifndef TWINTREE_LDAP_GATEWAY_PROTOCOL_ENVELOPE_H_
#define TWINTREE_LDAP_GATEWAY_PROTOCOL_ENVELOPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ldap_gateway/ber/ber.h"
#include "services/model/result.h"

namespace twintree::ldap {

using MessageId = std::int32_t;  // 1 to 2147483647 in requests; 0 in unsolicited notifications

// The requests of LDAPv3. Values are the numbers of their application tags.
enum class OperationKind : std::uint8_t {
  kBind = 0,
  kUnbind = 2,
  kSearch = 3,
  kModify = 6,
  kAdd = 8,
  kDelete = 10,
  kModifyDn = 12,
  kCompare = 14,
  kAbandon = 16,
  kExtended = 23,
};

// "bind", "search", "modify_dn", ...: for logs and metrics.
std::string_view OperationName(OperationKind kind);

// Looks for one message at the start of `octets`.
struct Frame {
  enum class State {
    kComplete,    // `size` octets are the message
    kIncomplete,  // more octets are needed; `size` is the whole message if already known, else 0
    kTooLarge,    // `size` octets were announced, more than allowed
    kMalformed,   // no LDAPMessage starts like this
  };
  State state = State::kIncomplete;
  std::uint64_t size = 0;
};
Frame NextFrame(std::string_view octets, std::size_t max_bytes);

// A message taken apart one level deep. Views point into the message.
struct Envelope {
  MessageId id = 0;
  OperationKind kind = OperationKind::kUnbind;
  std::string_view content;                  // content octets of protocolOp
  std::optional<std::string_view> controls;  // content octets of Controls
};

// `message` is one whole frame.
// Errors: kProtocolError; after one the session has to end with a Notice of Disconnection.
model::Result<Envelope> DecodeEnvelope(std::string_view message);

// Do all lengths of the elements in `message`, at every depth, fit into one another? Tells a
// request that is structurally broken (the session must end) from one that is only wrong (which is
// answered with protocolError). What nests deeper than kMaxNesting is not looked into, and no.
bool IsWellFormed(std::string_view message);

// Skips what a later version of the protocol may have added to a SEQUENCE: elements of the
// context-specific or private class. Anything else fails the reader. True if all was read.
bool SkipExtensions(ber::Reader* reader);

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_PROTOCOL_ENVELOPE_H_
