// Controls of requests, decoded and checked against the operation that carries them.
//
// A control that is not known, or not meant for the operation, fails a request that calls it
// critical and is ignored otherwise.
//
// Source: RFC 4511 4.1.11; RFC 2696; RFC 3296; RFC 4527; RFC 4528.
#ifndef TWINTREE_LDAP_GATEWAY_PROTOCOL_CONTROLS_H_
#define TWINTREE_LDAP_GATEWAY_PROTOCOL_CONTROLS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ldap_gateway/protocol/envelope.h"
#include "services/model/filter.h"
#include "services/model/result.h"

namespace twintree::ldap {

struct PagedResultsControl {
  std::uint32_t size = 0;
  std::string cookie;
};

struct RequestControls {
  std::shared_ptr<const model::Filter> assertion;
  std::optional<PagedResultsControl> paged_results;
  std::optional<std::vector<std::string>> pre_read;   // the attributes asked for
  std::optional<std::vector<std::string>> post_read;  // the attributes asked for
  bool manage_dsa_it = false;
};

// The controls that there are, for whoever counts them; kOther: one that is not known.
enum class ControlKind { kPagedResults, kAssertion, kPreRead, kPostRead, kManageDsaIt, kOther };
inline constexpr std::size_t kControlKinds = 6;
// How many of each a request carries.
using ControlCounts = std::array<std::uint8_t, kControlKinds>;

// `content` is that of Controls. `seen`, which may be null, gets what was looked at, also if that
// failed.
// Errors: kUnavailableCriticalExtension; kProtocolError for a control that cannot be read or comes
//         twice; kAdminLimitExceeded for too many.
model::Result<RequestControls> DecodeControls(std::string_view content, OperationKind operation,
                                              ControlCounts* seen = nullptr);

// The OIDs that DecodeControls knows, for supportedControl.
std::span<const std::string_view> SupportedControls();

// Append one Control element of a response.
void AppendPagedResults(std::uint32_t estimate, std::string_view cookie, std::string* controls);
// `oid` is that of pre-read or post-read; `attributes` are PartialAttribute elements.
void AppendReadEntry(std::string_view oid, std::string_view dn, std::string_view attributes,
                     std::string* controls);

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_PROTOCOL_CONTROLS_H_
