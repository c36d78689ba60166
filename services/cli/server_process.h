// What every server process does besides its doors: logs, the HTTP door, health, signals.
#ifndef TWINTREE_SERVICES_CLI_SERVER_PROCESS_H_
#define TWINTREE_SERVICES_CLI_SERVER_PROCESS_H_

#include <prometheus/collectable.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "services/cli/health.h"
#include "services/cli/settings.h"
#include "services/metrics/http_server.h"
#include "services/model/result.h"

namespace twintree::cli {

// Makes the log what the settings say; the first thing that a server does.
void ConfigureLog(const ProcessSettings& settings);

// A process from its first log line to its last.
//
//   ServerProcess process("serve", settings);
//   TT_RETURN_IF_ERROR(process.Start(collectables));      // HTTP answers: alive, not ready
//   TT_RETURN_IF_ERROR(process.Run([&] { ...open... }));  // may take long; SIGTERM ends it
//   process.WaitForStop([&] { ...read files again... });  // until SIGTERM; then not ready
//
// Thread-safety: confined to the main thread, but health().
class ServerProcess {
 public:
  ServerProcess(std::string role, ProcessSettings settings);
  ~ServerProcess();

  // Opens the HTTP door. Call before any other thread is started.
  model::Status Start(std::vector<std::shared_ptr<prometheus::Collectable>> collectables);

  // Runs `open` while signals are watched: SIGTERM before it is done ends the process at once with
  // status 0, since nothing has been answered yet.
  model::Status Run(const std::function<model::Status()>& open);

  // Until SIGTERM or SIGINT. Then the process is no longer ready, and has the time to drain and a
  // few seconds to end; what does not end by then is ended, with exit status 1. SIGHUP calls
  // `reload`.
  void WaitForStop(const std::function<void()>& reload);

  Health& health() { return health_; }
  // Of the time to drain, after WaitForStop().
  std::chrono::milliseconds drain_time_left() const;

 private:
  const std::string role_;
  const ProcessSettings settings_;
  std::chrono::steady_clock::time_point drain_deadline_;
  Health health_;
  std::unique_ptr<metrics::HttpServer> http_;
};

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_SERVER_PROCESS_H_
