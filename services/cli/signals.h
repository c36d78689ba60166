// Waiting for the signals that end a process.
#ifndef TWINTREE_SERVICES_CLI_SIGNALS_H_
#define TWINTREE_SERVICES_CLI_SIGNALS_H_

#include <functional>

namespace twintree::cli {

// Blocks SIGTERM, SIGINT and SIGHUP in this thread and all that it starts, and ignores SIGPIPE
// and SIGXFSZ: what cannot be written fails. Call before the first thread.
void BlockSignals();

// Has SIGTERM or SIGINT come? Takes the signal, so ask once.
bool StopRequested();

// Waits for SIGTERM or SIGINT; each SIGHUP meanwhile calls `on_hangup`.
void WaitForStop(const std::function<void()>& on_hangup);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_SIGNALS_H_
