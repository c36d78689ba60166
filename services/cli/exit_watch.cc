#include "services/cli/exit_watch.h"

#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "services/log/log.h"

namespace twintree::cli {
namespace {

// Nobody may be reading the log.
constexpr std::chrono::milliseconds kLogTime{1000};

void EndAfter(std::chrono::milliseconds limit) {
  std::this_thread::sleep_for(limit);
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

void ExitWithin(std::chrono::milliseconds limit) {
  std::thread([limit] {
    std::this_thread::sleep_for(limit);
    std::thread(EndAfter, kLogTime).detach();
    log::Error("drain_took_too_long").With("limit_seconds", limit);
    log::Flush();
    std::_Exit(EXIT_FAILURE);
  }).detach();
}

}  // namespace twintree::cli
