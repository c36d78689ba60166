// Sees to it that a process which is to end does.
#ifndef TWINTREE_SERVICES_CLI_EXIT_WATCH_H_
#define TWINTREE_SERVICES_CLI_EXIT_WATCH_H_

#include <chrono>

namespace twintree::cli {

// From now on the process has this long to end by itself. Then it is ended, with an error in the
// log and exit status 1, whatever its threads are doing: each may be in a call that takes long.
// What was answered is on disk by then.
//
// Thread-safety: safe.
void ExitWithin(std::chrono::milliseconds limit);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_EXIT_WATCH_H_
