#include "services/directory/engine/password_line.h"

#include <utility>

namespace twintree::directory {

bool PasswordLine::Post(std::uint64_t client, std::function<void()> work) {
  // Held meanwhile, so that nobody takes the work of a piece that is refused.
  std::lock_guard lock(mutex_);
  if (waiting_.SizeOf(client) >= kMostOfClient) return false;
  if (!executor_.Post([this] { RunNext(); })) return false;
  waiting_.Push(client, {++last_id_, 0, std::move(work)});
  return true;
}

void PasswordLine::RunNext() {
  std::function<void()> work;
  {
    std::lock_guard lock(mutex_);
    work = waiting_.Pop().item;
  }
  work();
}

}  // namespace twintree::directory
