// The searches that left their caller's thread, and the timer that ends those nobody resumes.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_REGISTRY_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_REGISTRY_H_

#include <chrono>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "services/directory/directory.h"

namespace twintree::directory {

// A search that can be looked after.
class LongSearch : public SearchOperation {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  // Ends the search if it is paused and that has lasted for `max_pause` or its own time is over.
  // Returns when to ask again.
  virtual TimePoint ExpireIfDue(TimePoint now, std::chrono::seconds max_pause) = 0;
};

// Holds a search from the moment it is first posted or paused until it is done. A thread of its own
// exists from the first pause on, and sleeps until some search may expire.
//
// Thread-safety: safe.
class SearchRegistry {
 public:
  using Ticket = std::list<std::weak_ptr<LongSearch>>::iterator;

  explicit SearchRegistry(std::chrono::seconds max_pause) : max_pause_(max_pause) {}
  ~SearchRegistry();

  Ticket Add(std::weak_ptr<LongSearch> search);
  // The last thing a search does with its engine.
  void Remove(Ticket ticket);
  // A search is about to pause; see that it is asked no later than `due`.
  void WatchFrom(LongSearch::TimePoint due);
  std::chrono::seconds max_pause() const { return max_pause_; }

  // Cancels all and waits until the last one is gone.
  void CancelAll();

 private:
  void Run();
  // Asks every search; REQUIRES: the lock is not held.
  LongSearch::TimePoint Sweep();
  std::list<std::shared_ptr<LongSearch>> Living();

  const std::chrono::seconds max_pause_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::weak_ptr<LongSearch>> searches_;                    // guarded by mutex_
  LongSearch::TimePoint next_sweep_ = LongSearch::TimePoint::max();  // guarded by mutex_
  bool stopping_ = false;                                            // guarded by mutex_
  std::thread timer_;                                                // guarded by mutex_
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_REGISTRY_H_
