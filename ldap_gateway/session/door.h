// What all sessions of a gateway share: the directory behind it, limits, the root DSE's additions.
#ifndef TWINTREE_LDAP_GATEWAY_SESSION_DOOR_H_
#define TWINTREE_LDAP_GATEWAY_SESSION_DOOR_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "ldap_gateway/limits.h"
#include "ldap_gateway/session/observer.h"
#include "services/directory/budget.h"
#include "services/directory/directory.h"
#include "services/model/attribute.h"

namespace twintree::ldap {

struct SessionLimits {
  std::size_t max_message_bytes = kMaxMessageBytes;
  std::size_t max_anonymous_message_bytes = kMaxAnonymousMessageBytes;
  std::size_t max_pending_operations = kMaxPendingOperations;
  std::size_t max_pending_bytes = kMaxPendingBytes;
  std::size_t output_high_watermark_bytes = kOutputHighWatermarkBytes;
  std::size_t output_low_watermark_bytes = kOutputLowWatermarkBytes;
  std::size_t max_output_bytes = kMaxOutputBytes;
  std::chrono::milliseconds max_turn_time = kMaxTurnTime;
  std::size_t max_input_bytes = kMaxInputBytes;
  std::size_t max_anonymous_input_bytes = kMaxAnonymousInputBytes;
};

// Immutable once sessions use it, but for what they hold together.
class Door {
 public:
  // `observer` may be null. `start_tls`: StartTLS can be had on connections in clear.
  Door(std::shared_ptr<directory::Directory> directory,
       std::shared_ptr<ConnectionObserver> observer, SessionLimits limits, bool start_tls);

  directory::Directory& directory() const { return *directory_; }
  ConnectionObserver* observer() const { return observer_.get(); }
  const SessionLimits& limits() const { return limits_; }
  bool start_tls() const { return start_tls_; }
  // For the buffers of requests that come in.
  directory::Budget& input_budget(bool anonymous) const {
    return anonymous ? anonymous_input_ : input_;
  }
  // supportedLDAPVersion, supportedControl, supportedExtension, supportedFeatures, as they are for
  // a connection. StartTLS is listed where it would work.
  std::shared_ptr<const std::vector<model::RawAttribute>> RootDse(bool tls_active) const {
    return start_tls_ && !tls_active ? root_dse_in_clear_ : root_dse_;
  }

 private:
  const std::shared_ptr<directory::Directory> directory_;
  const std::shared_ptr<ConnectionObserver> observer_;
  const SessionLimits limits_;
  const bool start_tls_;
  mutable directory::Budget input_;
  mutable directory::Budget anonymous_input_;
  const std::shared_ptr<const std::vector<model::RawAttribute>> root_dse_;
  const std::shared_ptr<const std::vector<model::RawAttribute>> root_dse_in_clear_;
};

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_SESSION_DOOR_H_
