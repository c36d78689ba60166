#include "services/cli/health.h"

#include <utility>

#include "services/log/log.h"

namespace twintree::cli {

Health::Health() : reason_("starting") {}

Health::~Health() { Drain(); }

std::string Health::not_ready_because() const {
  {
    const std::lock_guard lock(mutex_);
    if (!live_ || !reason_.empty()) return reason_;
  }
  return probe_().reason;
}

void Health::Watch(std::function<Finding()> probe, std::chrono::milliseconds interval, bool live,
                   std::function<void(bool)> on_change) {
  probe_ = std::move(probe);
  interval_ = interval;
  on_change_ = std::move(on_change);
  {
    const std::lock_guard lock(mutex_);
    live_ = live;
  }
  started_ = true;
  thread_ = std::thread([this] { Run(); });
}

void Health::Set(const Finding& finding) {
  const std::string& reason = finding.reason;
  const bool ready = reason.empty();
  {
    const std::lock_guard lock(mutex_);
    if (draining_ || reason_ == reason) return;
    reason_ = reason;
  }
  if (ready) {
    log::Info("ready");
  } else {
    (finding.starting ? log::Info("not_ready") : log::Warning("not_ready")).With("reason", reason);
  }
  if (on_change_) on_change_(ready);
}

void Health::Run() {
  for (;;) {
    Set(probe_());
    std::unique_lock lock(mutex_);
    if (wake_.wait_for(lock, interval_, [this] { return draining_; })) return;
  }
}

void Health::Drain() {
  {
    const std::lock_guard lock(mutex_);
    draining_ = true;
    reason_ = "ending";
  }
  wake_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
    if (on_change_) on_change_(false);
  }
}

}  // namespace twintree::cli
