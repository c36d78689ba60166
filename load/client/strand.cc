#include "load/client/strand.h"

namespace twintree::load {

StrandDriver::Start StrandDriver::TryStart(Strand* strand, Nanoseconds now) {
  if (IsOver(now)) return Start::kFinished;
  Pacer& pacer = strand->paced ? pacer_ : closed_;
  const auto intended = pacer.Take(now);
  if (!intended) return Start::kLater;
  if (control_->window.Contains(*intended) &&
      control_->budget.fetch_sub(1, std::memory_order_relaxed) <= 0) {
    return Start::kFinished;
  }
  if (!strand->workload->Next(strand->client, &strand->operation)) return Start::kFinished;
  strand->busy = true;
  strand->label = strand->operation.action->label;
  strand->intended = *intended;
  strand->entries = 0;
  strand->problem.clear();
  return Start::kStarted;
}

void StrandDriver::FoundEntry(Strand* strand, std::string_view dn, std::size_t attributes,
                              Nanoseconds now) {
  ++strand->entries;
  recorder_->Entries(strand->label, 1, now);
  if (strand->problem.empty()) strand->problem = CheckEntry(strand->operation, dn, attributes);
}

bool StrandDriver::Finished(Strand* strand, int result, Nanoseconds now) {
  if (strand->problem.empty()) {
    strand->problem = CheckResult(strand->operation, result, strand->entries);
  }
  if (!strand->problem.empty()) {
    Failed(strand, strand->problem);
    return false;
  }
  if (const Action* then = strand->operation.action->then) {
    strand->operation.action = then;
    strand->entries = 0;
    return true;
  }
  recorder_->Finished(strand->label, strand->intended, now);
  Release(strand, true);
  return false;
}

void StrandDriver::Failed(Strand* strand, const std::string& why) {
  recorder_->WrongAnswer(strand->operation.action->name + ": " + why);
  Release(strand, false);
}

void StrandDriver::Release(Strand* strand, bool succeeded) {
  strand->busy = false;
  strand->workload->Done(strand->operation, succeeded);
}

std::uint64_t StrandDriver::CountMissed() {
  if (pacer_.closed_loop() || control_->window.end == kNever) return 0;
  std::uint64_t missed = 0;
  while (pacer_.Take(control_->window.end - 1)) ++missed;
  return missed;
}

}  // namespace twintree::load
