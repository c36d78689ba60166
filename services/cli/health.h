// Whether the process takes requests, and why not.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_CLI_HEALTH_H_
#define TWINTREE_SERVICES_CLI_HEALTH_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "services/model/result.h"

namespace twintree::cli {

class Health {
 public:
  // What a probe has found.
  struct Finding {
    std::string reason;     // why the process is not ready; empty: it is
    bool starting = false;  // nothing is wrong: it is just not there yet
    static Finding Of(const model::Status& status) {
      return {status.ok() ? "" : status.error().message};
    }
  };

  // Not ready, because the process is starting.
  Health();
  ~Health();

  // Empty: ready. Asks a live probe, see Watch().
  std::string not_ready_because() const;
  bool ready() const { return not_ready_because().empty(); }
  // Watch() was called: everything is open. Stays so when the process ends.
  bool started() const { return started_.load(); }

  // Asks `probe` now and then every `interval`, on a thread of its own. Changes are logged, as
  // warnings where something is wrong. `on_change` is told of each change; it must not block for
  // long. A probe that is `live` costs nothing, and is also asked whenever somebody wants to know.
  // Call when everything is open that the process needs.
  void Watch(std::function<Finding()> probe, std::chrono::milliseconds interval, bool live,
             std::function<void(bool ready)> on_change);
  // The process is ending; never ready again. Ends the watch.
  void Drain();

 private:
  void Run();
  void Set(const Finding& finding);

  std::atomic<bool> started_{false};
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::string reason_;     // guarded by mutex_
  bool draining_ = false;  // guarded by mutex_
  bool live_ = false;      // guarded by mutex_
  std::function<Finding()> probe_;
  std::function<void(bool)> on_change_;
  std::chrono::milliseconds interval_{0};
  std::thread thread_;
};

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_HEALTH_H_
