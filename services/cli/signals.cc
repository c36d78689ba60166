#include "services/cli/signals.h"

#include <csignal>

namespace twintree::cli {
namespace {

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

void BlockSignals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  sigset_t signals = StopSignals();
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

bool StopRequested() {
  const sigset_t signals = StopSignals();
  const timespec at_once{0, 0};
  return sigtimedwait(&signals, nullptr, &at_once) > 0;
}

void WaitForStop(const std::function<void()>& on_hangup) {
  sigset_t signals = StopSignals();
  sigaddset(&signals, SIGHUP);
  for (int signal = 0; signal != SIGTERM && signal != SIGINT;) {
    if (sigwait(&signals, &signal) == 0 && signal == SIGHUP) on_hangup();
  }
}

}  // namespace twintree::cli
