// Answers: from outcomes to messages, metrics and the access log.
#include <algorithm>
#include <utility>

#include "ldap_gateway/protocol/oids.h"
#include "ldap_gateway/session/session.h"
#include "services/log/log.h"

namespace twintree::ldap {
namespace {

using model::ResultCode;

std::string ReadEntryControls(const directory::Outcome& outcome) {
  std::string controls;
  if (outcome.pre_read) {
    AppendReadEntry(oid::kPreRead, outcome.pre_read->dn, outcome.pre_read->attributes, &controls);
  }
  if (outcome.post_read) {
    AppendReadEntry(oid::kPostRead, outcome.post_read->dn, outcome.post_read->attributes,
                    &controls);
  }
  return controls;
}

// responseValue of password modify: SEQUENCE { genPasswd [0] }.
std::optional<model::Secret> PasswordModifyValueOf(const directory::Outcome& outcome) {
  if (!outcome.generated_password) return std::nullopt;
  std::string value;
  ber::Writer writer(&value);
  const std::size_t mark = writer.Begin(ber::kSequence);
  writer.OctetString(outcome.generated_password->Reveal(), ber::Context(0, false));
  writer.End(mark);
  return model::Secret(std::move(value));
}

}  // namespace

void Session::Reject(const Incoming& in, const AccessDetails& details, const model::Error& error) {
  if (error.code == ResultCode::kProtocolError && !IsWellFormed(in.message)) {
    Report(in.info, details, error.code, error.message, 0);
    return Disconnect(error.code, error.message);
  }
  Answer(in.info, details, LdapResult{error.code, error.matched_dn, error.message});
}

void Session::Answer(const RequestInfo& info, const AccessDetails& details,
                     const LdapResult& result) {
  Report(info, details, result.code, result.diagnostic, 0);
  Respond(info, result);
}

void Session::Respond(const RequestInfo& info, const LdapResult& result) {
  switch (info.kind) {
    case OperationKind::kUnbind:
    case OperationKind::kAbandon: return;
    case OperationKind::kExtended:
      return EncodeExtendedResponse(info.id, result, std::nullopt, std::nullopt, output_.tail());
    default: return EncodeResponse(info.id, info.kind, result, {}, output_.tail());
  }
}

void Session::Untrack(const Task* task) {
  const auto found = std::find_if(tasks_.begin(), tasks_.end(),
                                  [task](const auto& other) { return other.get() == task; });
  if (found == tasks_.end()) return;
  std::swap(*found, tasks_.back());
  tasks_.pop_back();
}

bool Session::Finish(Task* task, ResultCode code, std::string_view diagnostic,
                     std::uint64_t entries) {
  task->SetFinished();
  if (task->tracked()) pending_bytes_ -= task->bytes();
  if (task->dropped()) {
    --stopping_;
    return false;
  }
  Report(task->info(), task->details(), code, diagnostic, entries);
  Untrack(task);
  return true;
}

void Session::FinishCall(CallTask* task, const directory::Outcome& outcome) {
  if (!Finish(task, outcome.code, outcome.diagnostic, 0)) return;
  const LdapResult result{outcome.code, outcome.matched_dn, outcome.diagnostic};
  if (task->info().kind != OperationKind::kExtended) {
    EncodeResponse(task->info().id, task->info().kind, result, ReadEntryControls(outcome),
                   output_.tail());
    return;
  }
  const std::optional<model::Secret> value = PasswordModifyValueOf(outcome);
  EncodeExtendedResponse(task->info().id, result, std::nullopt,
                         value ? std::optional(value->Reveal()) : std::nullopt, output_.tail());
}

void Session::FinishBind(BindTask* task, directory::BindOutcome outcome) {
  binding_ = false;
  if (!Finish(task, outcome.code, outcome.diagnostic, 0)) return;
  if (outcome.code == ResultCode::kSuccess) context_.subject = std::move(outcome.subject);
  Respond(task->info(), LdapResult{outcome.code, {}, outcome.diagnostic});
}

void Session::FinishSearch(SearchTask* task, directory::SearchOutcome outcome) {
  const bool canceled = task->canceled_by() != nullptr && outcome.code == ResultCode::kCanceled;
  std::erase_if(paused_, [task](const auto& other) { return other.get() == task; });
  if (!Finish(task, outcome.code, outcome.diagnostic, task->entries())) return;
  std::string controls;
  if (outcome.paged) AppendPagedResults(outcome.paged->size, outcome.paged->cookie, &controls);
  std::string_view diagnostic = outcome.diagnostic;
  if (canceled && diagnostic.empty()) diagnostic = "canceled by the client";
  EncodeResponse(task->info().id, OperationKind::kSearch,
                 LdapResult{outcome.code, outcome.matched_dn, diagnostic}, controls,
                 output_.tail());
  AnswerCancel(task, outcome.code);
}

void Session::AnswerCancel(Task* target, ResultCode target_code) {
  const std::shared_ptr<Task> cancel = target->canceled_by();
  if (!cancel) return;
  target->set_canceled_by(nullptr);
  const bool canceled = target_code == ResultCode::kCanceled;
  const ResultCode code = canceled ? ResultCode::kSuccess : ResultCode::kTooLate;
  const std::string_view text = canceled ? "" : "cancel: the operation had ended already";
  if (Finish(cancel.get(), code, text, 0)) Respond(cancel->info(), LdapResult{code, {}, text});
}

void Session::Report(const RequestInfo& info, const AccessDetails& details, ResultCode code,
                     std::string_view diagnostic, std::uint64_t entries) const {
  ConnectionObserver* const observer = door_->observer();
  const bool logged = log::AccessEnabled();
  if (observer == nullptr && !logged) return;
  const auto duration = std::chrono::steady_clock::now() - info.start;
  if (observer != nullptr) {
    observer->OnOperation(info.kind, code, duration, entries);
    if (info.kind == OperationKind::kBind) observer->OnBind(info.mechanism, code);
  }
  if (logged) {
    LogOperation(peer_, context_.subject.dn, info, details, code, diagnostic, entries, duration);
  }
}

}  // namespace twintree::ldap
