// What the access log tells of one call: the event `operation`, as the LDAP door writes it.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_CALL_LOG_H_
#define TWINTREE_SERVICES_RPC_CALL_LOG_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "services/model/result.h"

namespace twintree::rpc {

// Names, types and filters go through services/model/redaction.h; values never come here.
struct CallTarget {
  std::string kind;    // "search", as the LDAP door calls it
  std::string dn;      // base, entry or bind name
  std::string scope;   // of a search
  std::string filter;  // of a search, as it was sent
  std::string extra_key;
  std::string extra;
};

// An address of gRPC's ("ipv4:192.0.2.1:51000") as the log has addresses: "192.0.2.1:51000",
// "[2001:db8::1]:51000", "" for a Unix socket.
std::string LoggedPeer(std::string_view peer);

class CallLog {
 public:
  // Null unless the access log is on. `method`: "GetEntry".
  static std::shared_ptr<CallLog> Begin(std::string_view method, std::string_view peer,
                                        const CallTarget& target);

  void SetSubject(std::string_view dn);
  // The LDAP result. Without one the gRPC status must do.
  void SetResult(model::ResultCode code, std::string_view diagnostic, std::uint64_t entries);
  // Writes the event. Further calls do nothing.
  void End(int grpc_code);

 private:
  std::string method_;
  std::string peer_;
  CallTarget target_;
  std::chrono::steady_clock::time_point begin_;

  std::mutex mutex_;
  // Guarded by mutex_.
  std::string subject_;
  std::optional<model::ResultCode> result_;
  std::string diagnostic_;
  std::uint64_t entries_ = 0;
  bool ended_ = false;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_CALL_LOG_H_
