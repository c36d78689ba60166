// Which operation a client does next.
//
// Thread-safety: safe, but for the Client, which belongs to one thread
#ifndef TWINTREE_LOAD_SCENARIO_WORKLOAD_H_
#define TWINTREE_LOAD_SCENARIO_WORKLOAD_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "load/random.h"
#include "load/scenario/operation.h"
#include "load/scenario/population.h"

namespace twintree::load {

// One strand of operations, each beginning after the one before has ended.
struct Client {
  explicit Client(Random numbers) : random(numbers) {}
  Random random;
  std::uint64_t operations = 0;
};

// The entries of a run that are not part of the population, by number. An entry is here while it
// exists and nobody works on it.
class OwnEntries {
 public:
  // A number that was never used in this run.
  std::uint64_t NewNumber() { return next_.fetch_add(1, std::memory_order_relaxed); }
  void Give(std::uint64_t number);
  // The one that has been here longest.
  std::optional<std::uint64_t> Take();
  std::size_t size() const;

 private:
  std::atomic<std::uint64_t> next_{0};
  mutable std::mutex mutex_;
  std::deque<std::uint64_t> numbers_;  // guarded by mutex_
};

class Workload {
 public:
  virtual ~Workload() = default;
  // False when nothing is left to do.
  virtual bool Next(Client& client, Operation* operation) = 0;
  // The operation has ended; `succeeded` tells whether the answer was the right one.
  virtual void Done(const Operation& operation, bool succeeded) = 0;
};

// What an operation's numbers are drawn from.
enum class Subject : std::uint8_t {
  kPerson,     // number: a person; one entry
  kPrefix,     // number: the first digits of about eleven people
  kInfix,      // number: three digits
  kSuffix,     // number: three digits
  kEverybody,  // all people and the entry above them
  kNewEntry,   // number: new; the entry exists if it succeeds
  kOwnEntry,   // number: an entry of this run, gone if it succeeds
  kRenamed,    // number: an entry of this run; value: new, its number from then on
  kNothing,    // one entry, without a number
};

struct Choice {
  const Action* action;
  Subject subject;
  std::uint32_t weight = 1;
  // With kOwnEntry: what to do when there is none (an add). Without it, that ends the work.
  const Action* otherwise = nullptr;
};

// Draws actions by weight.
class DrawnWorkload : public Workload {
 public:
  struct Options {
    // Before the first and then after every `period` operations, a client does this one.
    std::optional<Choice> first;
    std::uint64_t period = 0;
    // Ends after so many operations; 0: never.
    std::uint64_t limit = 0;
  };

  // REQUIRES: `choices` is not empty; `own` outlives this
  DrawnWorkload(const Population& population, std::vector<Choice> choices, OwnEntries* own,
                Options options);

  bool Next(Client& client, Operation* operation) override;
  void Done(const Operation& operation, bool succeeded) override;

 private:
  const Choice& Draw(Client& client) const;
  bool Fill(const Choice& choice, Client& client, Operation* operation);
  bool FillOwn(const Choice& choice, Operation* operation);
  bool TakeTurn();

  const Population population_;
  const std::vector<Choice> choices_;
  OwnEntries* const own_;
  const Options options_;
  const PrefixRange prefixes_;
  std::uint32_t weights_ = 0;
  TripleCounts infixes_{};
  std::atomic<std::uint64_t> turns_{0};
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_SCENARIO_WORKLOAD_H_
