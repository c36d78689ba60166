// Waiting for the signals that end a process.
#ifndef TWINTREE_SERVICES_CLI_SIGNALS_H_
#define TWINTREE_SERVICES_CLI_SIGNALS_H_

namespace twintree::cli {

// Blocks SIGTERM, SIGINT and SIGHUP in this thread and all that it starts, and ignores SIGPIPE.
// Call before the first thread.
void BlockSignals();

// Has SIGTERM or SIGINT come? Takes the signal, so ask once.
bool StopRequested();

// Waits for SIGTERM or SIGINT. SIGHUP is taken and does nothing: certificates are read again on
// their own when they change.
void WaitForStop();

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_SIGNALS_H_
