// The searches that left their caller's thread: how many may hold a snapshot, and the timer that
// ends those nobody resumes.
//
// Every snapshot is one of the store's few (EntryStore::max_snapshots). So that no number of
// searches, slow clients or gone ones keeps the others from getting one,
//   - a quarter of them is for searches that began here and have not paused yet; the others wait
//     for their turn, in order and without a snapshot;
//   - half of them is for searches that have paused. For one more, the one that has been paused
//     longest without getting on is ended (kBusy): a client that reads, however slowly, outlives
//     those that do not.
// What is left is for requests that end on their caller's thread.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_REGISTRY_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_REGISTRY_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
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
  // Ends the search with kBusy if it is paused just now. False if it is not.
  virtual bool EndIfPaused() = 0;
  // It is the search's turn: goes on, on the executor.
  virtual void Begin() = 0;
};

// Holds a search from the moment it is first posted or paused until it is done. A thread of its own
// exists from the first pause on, and sleeps until some search may expire.
//
// Thread-safety: safe.
class SearchRegistry {
 public:
  enum class Stage { kNew, kWaiting, kRunning, kPaused };
  struct Item {
    std::weak_ptr<LongSearch> search;
    Stage stage = Stage::kNew;
  };
  using Ticket = std::list<Item>::iterator;

  // How many searches may be in the stages kRunning and kPaused, and how many may be waiting.
  struct Limits {
    std::size_t running = 1;
    std::size_t paused = 1;
    std::size_t waiting = 10000;
  };
  static Limits LimitsFor(std::size_t max_snapshots);

  SearchRegistry(std::chrono::seconds max_pause, const Limits& limits)
      : max_pause_(max_pause), limits_(limits) {}
  ~SearchRegistry();

  Ticket Add(std::weak_ptr<LongSearch> search);
  // The last thing a search does with its engine.
  void Remove(Ticket ticket);

  enum class Admission {
    kNow,     // go on
    kLater,   // Begin() will be called
    kRefused  // too many are waiting
  };
  // REQUIRES: kNew. May the search go on beyond its caller's thread? While it waits it is kept,
  // and asked no later than `due`.
  Admission Admit(Ticket ticket, std::shared_ptr<LongSearch> search, LongSearch::TimePoint due);
  // A search is about to pause; see that it is asked no later than `due`. False when there is no
  // room for it, even after others were ended.
  bool EnterPause(Ticket ticket, LongSearch::TimePoint due);
  std::chrono::seconds max_pause() const { return max_pause_; }

  // Cancels all and waits until the last one is gone.
  void CancelAll();

 private:
  void Run();
  // Asks every search; REQUIRES: the lock is not held.
  LongSearch::TimePoint Sweep();
  std::list<std::shared_ptr<LongSearch>> Living();
  struct Waiting {
    Ticket ticket;
    std::shared_ptr<LongSearch> search;
  };
  void WatchFrom(LongSearch::TimePoint due);  // REQUIRES: the lock is held
  std::size_t& CountOf(Stage stage);
  void Enter(Ticket ticket, Stage stage);
  // Those whose turn it is now. REQUIRES: the lock is held.
  std::list<std::shared_ptr<LongSearch>> TakeNext();
  static void BeginAll(const std::list<std::shared_ptr<LongSearch>>& searches);

  const std::chrono::seconds max_pause_;
  const Limits limits_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // What follows is guarded by mutex_.
  std::list<Item> searches_;     // not paused yet
  std::list<Item> paused_;       // have paused; the longest ago first
  std::deque<Waiting> waiting_;  // in order
  std::size_t counts_[4] = {};   // of each stage
  LongSearch::TimePoint next_sweep_ = LongSearch::TimePoint::max();
  bool stopping_ = false;
  std::thread timer_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_REGISTRY_H_
