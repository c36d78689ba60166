#include "services/rpc/search_call.h"

#include <grpcpp/server_context.h>

#include <utility>

#include "services/rpc/error_translation.h"

namespace twintree::rpc {
namespace {

using model::ResultCode;
using std::chrono::steady_clock;

constexpr std::size_t kMaxDiagnosticBytes = 1024;

// How a search ended whose entries are good; nullopt for an error.
std::optional<directory_pb::SearchResult::Completion> CompletionOf(ResultCode code) {
  using Result = directory_pb::SearchResult;
  switch (code) {
    case ResultCode::kSuccess: return Result::COMPLETION_COMPLETE;
    case ResultCode::kSizeLimitExceeded: return Result::COMPLETION_SIZE_LIMIT;
    case ResultCode::kTimeLimitExceeded: return Result::COMPLETION_TIME_LIMIT;
    case ResultCode::kAdminLimitExceeded: return Result::COMPLETION_ADMIN_LIMIT;
    default: return std::nullopt;
  }
}

}  // namespace

SearchCall::SearchCall(ObservedCall call, const directory_pb::SearchEntriesRequest& request)
    : SearchCall(std::move(call), request, SelectWithEtag(request.attributes())) {}

SearchCall::SearchCall(ObservedCall call, const directory_pb::SearchEntriesRequest& request,
                       const AttributeSelection& selection)
    : call_(std::move(call)),
      base_dn_(request.base_dn()),
      hide_csn_(selection.hide_csn),
      search_(ToSearchRequest(request, selection)) {}

bool SearchCall::Start(grpc::CallbackServerContext* context, std::shared_ptr<SearchCalls> calls) {
  self_ = shared_from_this();
  context_ = context;
  calls_ = std::move(calls);
  message_bytes_ = calls_->Enter(self_);
  if (message_bytes_ > 0) return true;
  Refuse({ResultCode::kAdminLimitExceeded,
          "too many searches are open on this server; read or cancel them", ""});
  return false;
}

void SearchCall::CutOff() {
  const std::lock_guard lock(context_mutex_);
  if (context_ != nullptr) context_->TryCancel();
}

std::optional<steady_clock::time_point> SearchCall::writing_since() const {
  const steady_clock::duration since(writing_since_.load(std::memory_order_relaxed));
  if (since.count() == 0) return std::nullopt;
  return steady_clock::time_point(since);
}

void SearchCall::Search(directory::Directory* directory, const directory::RequestContext& context) {
  if (!search_.ok()) return Refuse(search_.error());
  {
    std::lock_guard lock(mutex_);
    if (cancelled_) return;
    searching_ = true;
  }
  auto operation = directory->Search(context, std::move(search_).value(), shared_from_this());
  bool cancel = false;
  bool resume = false;
  Step step = Step::kNothing;
  {
    std::lock_guard lock(mutex_);
    searching_ = false;
    if (!ended_) operation_ = operation;
    cancel = cancelled_ && !ended_;
    step = Next();
    resume = std::exchange(resume_on_return_, false);
  }
  Do(step);
  if (cancel) return operation->Cancel();
  if (resume) operation->Resume();
}

void SearchCall::Refuse(const model::Error& error, std::string_view field) {
  call_.SetResult(error.code, error.message);
  FinishWith(ToGrpcStatus(error, {base_dn_, field}));
}

void SearchCall::FinishWith(grpc::Status status) {
  Step step = Step::kNothing;
  {
    std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
    status_ = std::move(status);
    step = Next();
  }
  Do(step);
}

directory::SearchSink::Flow SearchCall::OnEntry(std::string_view dn,
                                                std::span<const std::string_view> pieces) {
  Flow flow = Flow::kMore;
  Step step = Step::kNothing;
  {
    std::lock_guard lock(mutex_);
    if (cancelled_ || damaged_) return flow;
    if (const model::Status read = entry_.Read(dn, pieces, hide_csn_); !read.ok()) {
      damaged_ = true;
      status_ = ToGrpcStatus(read.error(), {dn, ""});
      return flow;
    }
    entry_.AppendField(directory_pb::SearchEntriesResponse::kEntriesFieldNumber, &gathering_);
    if (gathering_.size() < message_bytes_) return flow;
    step = Next();
    if (step == Step::kNothing) {
      full_ = true;
      flow = Flow::kFull;
    }
  }
  Do(step);
  return flow;
}

void SearchCall::Flush() {
  Step step = Step::kNothing;
  {
    std::lock_guard lock(mutex_);
    step = Next();
  }
  Do(step);
}

void SearchCall::OnDone(directory::SearchOutcome outcome) {
  std::shared_ptr<directory::SearchOperation> operation;
  Step step = Step::kNothing;
  {
    std::lock_guard lock(mutex_);
    operation = std::move(operation_);
    if (ended_) return;
    ended_ = true;
    call_.SetResult(outcome.code, outcome.diagnostic, outcome.entries);
    const auto completion = CompletionOf(outcome.code);
    if (!damaged_ && completion) {
      has_result_ = true;
      directory_pb::SearchEntriesResponse last;
      directory_pb::SearchResult* const result = last.mutable_result();
      result->set_completion(*completion);
      result->set_ldap_result_code(static_cast<int>(outcome.code));
      result->set_diagnostic(PrintableText(outcome.diagnostic, kMaxDiagnosticBytes));
      result->set_entry_count(outcome.entries);
      last.AppendToString(&gathering_);
    } else if (!damaged_) {
      status_ = ToGrpcStatus({outcome.code, outcome.diagnostic, outcome.matched_dn},
                             {base_dn_, "base_dn"});
    }
    step = Next();
  }
  Do(step);
}

SearchCall::Step SearchCall::Next() {
  if (writing_ || finished_) return Step::kNothing;
  if (cancelled_) {
    finished_ = true;
    status_ = grpc::Status(grpc::StatusCode::CANCELLED, "the caller is gone");
    return Step::kFinish;
  }
  if (ended_ && !has_result_) {
    finished_ = true;
    return Step::kFinish;
  }
  const bool worth_it = !gathering_.empty() && (!searching_ || gathering_.size() >= message_bytes_);
  if (!worth_it && !has_result_) return Step::kNothing;
  in_flight_ = ToByteBuffer(std::exchange(gathering_, {}));
  writing_ = true;
  if (!has_result_) return Step::kWrite;
  finished_ = true;
  return Step::kWriteAndFinish;
}

void SearchCall::Do(Step step) {
  if (step == Step::kWrite || step == Step::kWriteAndFinish) {
    writing_since_.store(steady_clock::now().time_since_epoch().count(), std::memory_order_relaxed);
  }
  switch (step) {
    case Step::kNothing: return;
    case Step::kWrite: return StartWrite(&in_flight_);
    case Step::kWriteAndFinish:
      return StartWriteAndFinish(&in_flight_, grpc::WriteOptions(), grpc::Status::OK);
    case Step::kFinish: return Finish(status_);
  }
}

void SearchCall::OnWriteDone(bool ok) {
  std::shared_ptr<directory::SearchOperation> resumed;
  Step step = Step::kNothing;
  {
    std::lock_guard lock(mutex_);
    writing_ = false;
    writing_since_.store(0, std::memory_order_relaxed);
    if (!ok) cancelled_ = true;  // OnCancel follows
    step = Next();
    if (full_ && !cancelled_) {
      full_ = false;
      resume_on_return_ = searching_;
      if (!searching_) resumed = operation_;
    }
  }
  Do(step);
  if (resumed != nullptr) resumed->Resume();
}

void SearchCall::OnCancel() {
  std::shared_ptr<directory::SearchOperation> operation;
  Step step = Step::kNothing;
  {
    std::lock_guard lock(mutex_);
    cancelled_ = true;
    operation = operation_;
    step = Next();
  }
  if (operation != nullptr) operation->Cancel();
  Do(step);
  interest_->Lose();
}

void SearchCall::OnDone() {
  std::shared_ptr<directory::SearchOperation> operation;
  int code = 0;
  {
    std::lock_guard lock(mutex_);
    code = status_.error_code();
    operation = operation_;
  }
  // The call may have ended before the search, which nobody waits for any more.
  if (operation != nullptr) operation->Cancel();
  call_.Handled(code);
  {
    const std::lock_guard lock(context_mutex_);
    context_ = nullptr;
  }
  calls_->Leave(this);
  self_.reset();
}

}  // namespace twintree::rpc
