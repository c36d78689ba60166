// The HTTP door for machines that watch: /metrics, /healthz, /readyz, and a page at / with links.
//
// One thread of its own, so that a scrape is answered however busy the doors are. Requests are
// bounded (8 KiB, GET and HEAD), connections too: kMaxConnections, ten seconds idle; for one more,
// the one that has waited longest is closed.
//
//   /livez    200 "ok" while the process lives; /healthz, the older name, is the same
//   /startupz 200 "started" once everything is open, before that 503
//   /readyz   200 "ready", or 503 and the reason
//   /metrics  text format 0.0.4
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_METRICS_HTTP_SERVER_H_
#define TWINTREE_SERVICES_METRICS_HTTP_SERVER_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "services/model/result.h"

namespace twintree::metrics {

struct HttpOptions {
  std::string listen;  // HOST:PORT; port 0: any free one
  // Is everything open?
  std::function<bool()> started;
  // Empty text: ready; otherwise why not.
  std::function<std::string()> not_ready_because;
  // Read at every scrape, in order.
  std::vector<std::shared_ptr<prometheus::Collectable>> collectables;
};

class HttpServer {
 public:
  static constexpr std::size_t kMaxConnections = 64;

  // Listens and starts answering. Errors: kOther, with the address and the system's words.
  static model::Result<std::unique_ptr<HttpServer>> Start(HttpOptions options);
  virtual ~HttpServer() = default;
  // "127.0.0.1:9389", with the port that was bound.
  virtual std::string address() const = 0;
  virtual void Stop() = 0;
};

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_HTTP_SERVER_H_
