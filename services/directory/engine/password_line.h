// Where checks and hashes of passwords wait: each takes long on purpose, and clients take turns, so
// that one with thousands of them keeps no other waiting.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_PASSWORD_LINE_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_PASSWORD_LINE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "services/directory/executor.h"
#include "services/directory/fair_queue.h"

namespace twintree::directory {

class PasswordLine {
 public:
  // Of one client, at a time; the executor bounds those of all together.
  static constexpr std::size_t kMostOfClient = 2000;

  // `executor` must outlive this.
  explicit PasswordLine(Executor& executor) : executor_(executor) {}

  // Runs `work` on the executor when it is the client's turn. False when too much is waiting, of
  // this client or of all. REQUIRES: `work` keeps this alive until it has begun.
  [[nodiscard]] bool Post(std::uint64_t client, std::function<void()> work);

 private:
  void RunNext();

  Executor& executor_;
  std::mutex mutex_;
  // Guarded by mutex_. As many wait here as pieces of work that run one of them wait there.
  FairQueue<std::function<void()>> waiting_;
  std::uint64_t last_id_ = 0;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_PASSWORD_LINE_H_
