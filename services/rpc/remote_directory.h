// A Directory in another process, reached over a few gateway streams.
//
// Connects in the background and again whenever a stream breaks, for as long as it lives. While no
// stream is up, operations are answered with kUnavailable at once; those that were under way when
// their stream broke are answered with kUnavailable too, and nothing is ever sent twice. A peer
// that has stopped answering is given up after 9 s. Each stream has a TCP connection of its own;
// operations of one thread keep to one stream, so they share messages.
//
// The deadline of a request travels as time left. If the directory does not answer until 2 s after
// it, the operation is answered with kTimeLimitExceeded here; so is a search that waits for a full
// sink beyond its deadline.
//
// Thread-safety: safe. Callbacks and sinks are called from gRPC's threads and from one of its own;
// they must not block.
#ifndef TWINTREE_SERVICES_RPC_REMOTE_DIRECTORY_H_
#define TWINTREE_SERVICES_RPC_REMOTE_DIRECTORY_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "services/directory/directory.h"
#include "services/model/result.h"
#include "services/model/secret.h"
#include "services/rpc/tls_options.h"

namespace twintree::rpc {

struct RemoteDirectoryOptions {
  std::string target;   // "host:port", or a gRPC name such as "dns:///directory:8389"
  model::Secret token;  // the secret shared with the directory; empty: a certificate must do
  std::optional<ClientTls> tls;  // nullopt: plain text
  // Operations on different streams run in parallel in the directory; on one, short ones run one
  // after the other. Each stream has a thread of its own. Fewer streams carry more operations a
  // message, so half as many as threads that start operations is about right.
  std::size_t streams = 1;
  // What one search may have in flight or waiting for its reader, in bytes; one entry more may be.
  std::size_t search_window_bytes = 256u << 10;
  // A search whose sink is full for longer than this ends with kTimeLimitExceeded.
  std::chrono::milliseconds max_pause{300000};
  // So many searches may be paused at a time; one more ends the one that has been paused longest
  // with kBusy. Each holds up to its window.
  std::size_t max_paused_searches = 256;
  // Waits between attempts to connect grow from the first to the second, which is never exceeded.
  std::chrono::milliseconds first_backoff{100};
  std::chrono::milliseconds max_backoff{2000};
  // Told when the directory becomes reachable (`reachable`, with an empty reason) or is lost. From
  // any thread; must not block. Not called when this itself goes. May be empty.
  std::function<void(bool reachable, const std::string& reason)> on_change;
};

inline constexpr std::string_view kRefusedByDirectory = "the directory refuses this gateway";

class RemoteDirectory : public directory::Directory {
 public:
  // Errors: kOther for unusable TLS files. An unreachable target is no error.
  static model::Result<std::unique_ptr<RemoteDirectory>> Make(RemoteDirectoryOptions options);

  // Ends every operation with kUnavailable, and returns when the last callback has.
  ~RemoteDirectory() override = default;

  // Is any stream up?
  virtual bool connected() const = 0;
  // Why none is: for operators, not for clients, since addresses stand in it. Begins with
  // kRefusedByDirectory when that is so; empty while the first attempt is under way.
  virtual std::string WhyUnreachable() const = 0;
  // Waits for a stream; false when none is up in time.
  virtual bool WaitUntilConnected(std::chrono::milliseconds limit) = 0;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_REMOTE_DIRECTORY_H_
