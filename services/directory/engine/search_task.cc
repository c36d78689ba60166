#include "services/directory/engine/search_task.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "services/directory/engine/operations.h"
#include "services/directory/request_size.h"

namespace twintree::directory {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;
using std::chrono::steady_clock;

// What one thread does for one search before others get their turn.
constexpr std::size_t kSliceCandidates = 500;
constexpr std::chrono::milliseconds kSliceTime{5};
// The clock is looked at every so many candidates.
constexpr std::size_t kClockInterval = 4;

// The number of searches bounds what smaller ones hold.
constexpr std::size_t kSmallSearchBytes = std::size_t{16} << 10;

Error NoRoom() {
  return {ResultCode::kBusy, "too many searches with large filters are under way", {}};
}

}  // namespace

SearchTask::SearchTask(Engine& engine, const RequestContext& context, SearchRequest request,
                       std::shared_ptr<SearchSink> sink)
    : engine_(engine),
      subject_(context.subject),
      request_(std::move(request)),
      sink_(std::move(sink)) {
  SetLimits(context);
}

void SearchTask::Start() {
  if (deadline_ != TimePoint::max()) {
    model::Status status = CheckGoingOn(steady_clock::now());
    if (!status.ok()) return Finish(std::move(status).error());
  }
  if (model::Status status = Prepare(); !status.ok()) return Finish(std::move(status).error());
  prepared_ = true;
  if (request_.controls.paged && request_.controls.paged->size == 0) return FinishEstimate();
  if (only_special_) return AnswerSpecial();
  if (!planned_ || large_filter_) return HandOver();
  Run();
}

// Sends the root DSE or the subschema, which the target shows.
void SearchTask::AnswerSpecial() {
  const bool matches =
      special_in_scope_ && filter_.Evaluate(*target_, engine_.schema()) == model::Truth::kTrue;
  if (matches && Send(storage::kNoEntry) != Progress::kMore) return;
  FinishOk();
}

void SearchTask::Resume() {
  const std::uint32_t before = state_.fetch_or(kResumed);
  if ((before & (kActive | kDone)) == 0 && Claim()) Schedule();
}

void SearchTask::Cancel() {
  const std::uint32_t before = state_.fetch_or(kCanceled);
  if ((before & (kActive | kDone)) == 0 && Claim()) {
    Finish({ResultCode::kCanceled, "the search was canceled", {}});
  }
}

SearchTask::TimePoint SearchTask::ExpireIfDue(TimePoint now, std::chrono::seconds max_pause) {
  if ((state_.load() & kDone) != 0) return TimePoint::max();
  if (!Claim()) return now + max_pause;
  const TimePoint due = paused_at_ ? std::min(*paused_at_ + max_pause, deadline_) : deadline_;
  if (due <= now) {
    Finish({ResultCode::kTimeLimitExceeded,
            paused_at_ ? "the search was paused for too long" : "the time limit is over",
            {}});
    return TimePoint::max();
  }
  if (!TryPark()) Schedule();
  return due;
}

bool SearchTask::EndIfPaused() {
  if (!Claim()) return false;
  Finish({ResultCode::kBusy,
          "the search was paused, and others need its place: read its entries faster",
          {}});
  return true;
}

void SearchTask::Begin() {
  state_.fetch_or(kResumed);
  if (Claim()) Schedule();
}

// Gives the search up until it is resumed. False when that has happened already.
bool SearchTask::TryPark() {
  std::uint32_t state = state_.load();
  do {
    if ((state & (kResumed | kCanceled)) != 0) return false;
  } while (!state_.compare_exchange_weak(state, state & ~kActive));
  return true;
}

// Takes a parked search.
bool SearchTask::Claim() {
  std::uint32_t state = state_.load();
  do {
    if ((state & (kActive | kDone)) != 0) return false;
  } while (!state_.compare_exchange_weak(state, state | kActive));
  return true;
}

// A compiled filter takes up to twice as much as one that is not.
std::size_t SearchTask::HeldBytes() const {
  return SizeOf(request_) + 2 * SizeOf(*request_.filter);
}

bool SearchTask::Register() {
  if (registered_) return true;
  if (const std::size_t bytes = HeldBytes(); bytes > kSmallSearchBytes) {
    share_ = engine_.search_budget().Take(bytes);
    if (!share_) return false;
  }
  ticket_ = engine_.searches().Add(weak_from_this());
  registered_ = true;
  return true;
}

void SearchTask::HandOver() {
  if (!Register()) return Finish(NoRoom());
  // Before others may begin it.
  state_.fetch_and(~kResumed);
  switch (engine_.searches().Admit(ticket_, shared_from_this(), deadline_)) {
    case SearchRegistry::Admission::kNow:
      if (engine_.executor().Post([self = shared_from_this()] { self->Run(); })) return;
      break;
    case SearchRegistry::Admission::kLater:
      ForgetPreparation();
      paused_at_.reset();
      if (!TryPark()) Schedule();
      return;
    case SearchRegistry::Admission::kRefused: break;
  }
  Finish({ResultCode::kBusy, "too many searches are waiting", {}});
}

// Gives the snapshot back, and what the filter takes that is compiled.
void SearchTask::ForgetPreparation() {
  target_.reset();
  snapshot_.reset();
  reader_.reset();
  base_entry_.reset();
  filter_ = model::CompiledFilter();
  scope_ = SearchScope();
  plan_ = SearchPlan();
  expand_aliases_ = false;
  prepared_ = planned_ = false;
}

void SearchTask::Schedule() {
  if (!engine_.executor().PostContinuation([self = shared_from_this()] { self->Run(); })) {
    Finish({ResultCode::kUnavailable, "the server is stopping", {}});
  }
}

model::Status SearchTask::CheckGoingOn(TimePoint now) const {
  if (Canceled()) return Error{ResultCode::kCanceled, "the search was canceled", {}};
  if (now < deadline_) return {};
  return Error{ResultCode::kTimeLimitExceeded, "the time limit is over", {}};
}

void SearchTask::Run() {
  if (!std::exchange(prepared_, true)) {
    model::Status status = CheckGoingOn(steady_clock::now());
    if (status.ok()) status = Prepare();
    if (!status.ok()) return Finish(std::move(status).error());
  }
  if (!planned_) {
    if (model::Status status = PrepareFully(); !status.ok()) {
      return Finish(std::move(status).error());
    }
  }
  if (Slice() != Progress::kYield) return;
  if (std::exchange(flushed_, sent_) != sent_) sink_->Flush();
  if (registered_) return Schedule();
  HandOver();
}

SearchTask::Progress SearchTask::Slice() {
  std::optional<TimePoint> begin;  // when the clock was first looked at
  for (std::size_t count = 0; count < kSliceCandidates; ++count) {
    if (count % kClockInterval == kClockInterval - 1 || Canceled()) {
      const TimePoint now = steady_clock::now();
      if (model::Status status = CheckGoingOn(now); !status.ok()) {
        Finish(std::move(status).error());
        return Progress::kOver;
      }
      if (!begin) begin = now;
      if (now - *begin > kSliceTime) return Progress::kYield;
    }
    Result<storage::StoredEntryPtr> entry = plan_.candidates.Next(*reader_);
    if (!entry.ok()) {
      Finish(std::move(entry).error());
      return Progress::kOver;
    }
    if (const Progress progress = Take(*entry); progress != Progress::kMore) return progress;
  }
  return Progress::kYield;
}

SearchTask::Progress SearchTask::Take(const storage::StoredEntryPtr& entry) {
  if (entry == nullptr) {
    FinishOk();
    return Progress::kOver;
  }
  ++looked_at_;
  const Result<bool> matches = Matches(*entry);
  if (!matches.ok()) {
    Finish(matches.error());
    return Progress::kOver;
  }
  if (!*matches) return Progress::kMore;
  if (size_limit_ != 0 && mark_.sent == size_limit_) {
    Finish({ResultCode::kSizeLimitExceeded, "there are more entries than the size limit", {}});
    return Progress::kOver;
  }
  if (page_size_ != 0 && sent_ == page_size_) {
    FinishPage();
    return Progress::kOver;
  }
  return Send(entry->id);
}

// Sends the entry that the target shows.
SearchTask::Progress SearchTask::Send(storage::EntryId id) {
  const std::string& dn = target_->dn();
  const auto pieces = answer_.Build(*target_, selection_, request_.types_only);
  if (!target_->status().ok()) {
    Finish(target_->status().error());
    return Progress::kOver;
  }
  ++sent_;
  ++mark_.sent;
  mark_.last_id = id;
  // Mostly there is nothing to take back, and a locked instruction for each entry is dear.
  if ((state_.load() & kResumed) != 0) state_.fetch_and(~kResumed);
  if (sink_->OnEntry(dn, pieces) == SearchSink::Flow::kMore) return Progress::kMore;
  // The result may follow a full sink, so there is nothing to wait for at the end.
  if (plan_.candidates.at_end()) return Progress::kMore;
  if (!Register()) {
    Finish(NoRoom());
    return Progress::kOver;
  }
  paused_at_ = steady_clock::now();
  const TimePoint due = std::min(*paused_at_ + engine_.searches().max_pause(), deadline_);
  if (!engine_.searches().EnterPause(ticket_, due)) {
    Finish({ResultCode::kBusy, "too many searches are paused", {}});
    return Progress::kOver;
  }
  plan_.candidates.Pause();
  return TryPark() ? Progress::kOver : Progress::kMore;
}

void SearchTask::FinishPage() {
  outcome_.paged.emplace();
  outcome_.paged->cookie = mark_.ToCookie(search_hash_, engine_.cookie_key());
  FinishOk();
}

// RFC 2696: size 0 asks how many entries there are, or, with a cookie, ends the pages.
void SearchTask::FinishEstimate() {
  outcome_.paged.emplace();
  if (request_.controls.paged->cookie.empty() && !only_special_) {
    const Result<std::uint64_t> entries = planned_ && plan_.candidates.listed()
                                              ? *plan_.candidates.listed()
                                              : reader_->EstimateEntries();
    if (!entries.ok()) return Finish(entries.error());
    outcome_.paged->size = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(*entries, std::numeric_limits<std::int32_t>::max()));
  }
  FinishOk();
}

void SearchTask::Finish(Error how) {
  target_.reset();
  snapshot_.reset();
  reader_.reset();
  outcome_.code = how.code;
  outcome_.diagnostic = std::move(how.message);
  outcome_.matched_dn = std::move(how.matched_dn);
  outcome_.entries = sent_;
  if (request_.controls.paged && !outcome_.paged) outcome_.paged.emplace();
  engine_.counters().CountEnded(looked_at_, sent_);
  state_.fetch_or(kDone);
  share_.GiveBack();
  const std::shared_ptr<SearchSink> sink = std::move(sink_);
  sink->OnDone(std::move(outcome_));
  if (registered_) engine_.searches().Remove(ticket_);
}

std::shared_ptr<SearchOperation> RunSearch(Engine& engine, const RequestContext& context,
                                           SearchRequest request,
                                           std::shared_ptr<SearchSink> sink) {
  auto task = std::make_shared<SearchTask>(engine, context, std::move(request), std::move(sink));
  task->Start();
  return task;
}

}  // namespace twintree::directory
