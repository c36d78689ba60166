// Strands of operations and the rules by which they begin and end, the same for both protocols.
//
// Thread-safety: PhaseControl is safe, all else confined
#ifndef TWINTREE_LOAD_CLIENT_STRAND_H_
#define TWINTREE_LOAD_CLIENT_STRAND_H_

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "load/measure/clock.h"
#include "load/measure/pacer.h"
#include "load/measure/recorder.h"
#include "load/scenario/workload.h"

namespace twintree::load {

// What the threads of a phase share.
struct PhaseControl {
  // Set before any thread starts its first operation.
  Window window;
  // Operations that may still begin in the window.
  std::atomic<std::int64_t> budget{std::numeric_limits<std::int64_t>::max()};
  // Set from outside to end the phase early; may be null.
  const std::atomic<bool>* stop = nullptr;
  // How long to wait for answers after the end.
  Nanoseconds patience = 30 * kSecond;
};

// One operation at a time, each beginning after the one before.
struct Strand {
  Strand(Workload* work, bool at_rate, Random random)
      : workload(work), paced(at_rate), client(random) {}

  Workload* workload;
  bool paced;
  Client client;
  // Of the operation under way.
  bool busy = false;
  Operation operation;
  std::size_t label = 0;
  Nanoseconds intended = 0;
  std::uint64_t entries = 0;
  std::string problem;
};

class StrandDriver {
 public:
  StrandDriver(PhaseControl* control, Recorder* recorder, const Pacer& pacer)
      : control_(control), recorder_(recorder), pacer_(pacer), closed_(Pacer::ClosedLoop()) {}

  // To be called when the phase begins.
  void Begin(Nanoseconds now) { pacer_.Begin(now); }

  enum class Start {
    kStarted,   // strand->operation is to be sent
    kLater,     // its moment comes at next()
    kFinished,  // it has nothing more to do
  };
  Start TryStart(Strand* strand, Nanoseconds now);
  // Whether no operation begins any more.
  bool IsOver(Nanoseconds now) const {
    return now >= control_->window.end ||
           (control_->stop != nullptr && control_->stop->load(std::memory_order_relaxed));
  }
  Nanoseconds next() const { return pacer_.next(); }

  void FoundEntry(Strand* strand, std::string_view dn, std::size_t attributes, Nanoseconds now);
  // The answer has come. True if strand->operation goes on with another request, to be sent now;
  // otherwise the strand is free.
  bool Finished(Strand* strand, int result, Nanoseconds now);
  // No answer comes, or none that can be understood. The strand is free.
  void Failed(Strand* strand, const std::string& why);
  // An answer that belongs to no operation.
  void Stray(const std::string& what) { recorder_->WrongAnswer(what); }

  // Moments before the end of the window at which nothing could begin, because every strand waited
  // for an answer. To be called once, at the end.
  std::uint64_t CountMissed();

 private:
  void Release(Strand* strand, bool succeeded);

  PhaseControl* const control_;
  Recorder* const recorder_;
  Pacer pacer_;
  Pacer closed_;
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_CLIENT_STRAND_H_
