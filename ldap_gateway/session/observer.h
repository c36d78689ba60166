// What the gateway reports as it happens, for metrics.
//
// Thread-safety: safe; calls come from all the gateway's threads and must not block.
#ifndef TWINTREE_LDAP_GATEWAY_SESSION_OBSERVER_H_
#define TWINTREE_LDAP_GATEWAY_SESSION_OBSERVER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ldap_gateway/protocol/controls.h"
#include "ldap_gateway/protocol/envelope.h"
#include "services/model/result.h"

namespace twintree::ldap {

// How a client came in.
enum class Transport { kLdap, kLdaps, kLdapi };
// "ldap", "ldaps", "ldapi".
std::string_view TransportName(Transport transport);

// How a bind authenticates (RFC 4513 5.1); kOther: the request cannot be read.
enum class BindMechanism { kSimple, kAnonymous, kUnauthenticated, kSasl, kOther };

class ConnectionObserver {
 public:
  virtual ~ConnectionObserver() = default;

  virtual void OnOpened(Transport transport) = 0;
  virtual void OnClosed(Transport transport) = 0;
  // A client was turned away because there are too many.
  virtual void OnRefused(Transport transport) = 0;
  // Octets of LDAP messages, before encryption.
  virtual void OnReceived(std::size_t bytes) = 0;
  virtual void OnSent(std::size_t bytes) = 0;
  virtual void OnTlsHandshake(bool succeeded) = 0;
  // Exactly once for each request that was understood as one, answered or not.
  virtual void OnOperation(OperationKind kind, model::ResultCode code,
                           std::chrono::nanoseconds duration, std::uint64_t entries) = 0;
  // Besides OnOperation, for each bind.
  virtual void OnBind(BindMechanism mechanism, model::ResultCode code) = 0;
  // For each request with controls that were looked at.
  virtual void OnControls(const ControlCounts& counts) = 0;
};

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_SESSION_OBSERVER_H_
