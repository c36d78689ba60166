#include "services/directory/engine/write_task.h"

#include <utility>

#include "services/directory/engine/answer.h"
#include "services/directory/engine/change_record.h"
#include "services/directory/engine/operational.h"
#include "services/directory/engine/schema_check.h"

namespace twintree::directory {

using model::Attribute;
using model::Error;
using model::ObjectClass;
using model::Result;
using model::ResultCode;
using model::Status;
using storage::WriteTransaction;

namespace {

// How often a write is tried whose entry's passwords keep changing meanwhile.
constexpr int kMaxAttempts = 4;

// The number of requests bounds what smaller ones hold.
constexpr std::size_t kSmallRequestBytes = 4096;

}  // namespace

WriteTask::WriteTask(Engine& engine, const RequestContext& context, Directory::Callback done)
    : engine_(engine), context_(context), done_(std::move(done)) {}

void WriteTask::Start(std::size_t bytes) {
  pass_ = engine_.in_flight().Enter();
  if (bytes > kSmallRequestBytes) {
    share_ = engine_.write_budget().Take(bytes);
    if (!share_) return Fail({ResultCode::kBusy, "too many large writes are waiting", {}});
  }
  if (Status status = Prepare(); !status.ok()) return Fail(std::move(status).error());
  if (!NeedsSlowPreparation()) return PrepareAndSubmit();
  Post([self = shared_from_this()] {
    if (Status status = self->CheckWanted(); !status.ok()) {
      return self->Fail(std::move(status).error());
    }
    self->PrepareAndSubmit();
  });
}

void WriteTask::PrepareAndSubmit() {
  if (Status status = PrepareSlowly(); !status.ok()) return Fail(std::move(status).error());
  SubmitWork();
}

Status WriteTask::CheckDeadline() const {
  if (context_.deadline == std::chrono::steady_clock::time_point::max() ||
      std::chrono::steady_clock::now() < context_.deadline) {
    return {};
  }
  return Error{ResultCode::kTimeLimitExceeded, "the time limit was over before the write", {}};
}

Status WriteTask::CheckWanted() const {
  if (context_.IsUnwanted()) return Error{ResultCode::kCanceled, "nobody waits any more", {}};
  return CheckDeadline();
}

void WriteTask::Post(std::function<void()> work) {
  if (!engine_.password_line().Post(context_.client, std::move(work))) {
    Fail({ResultCode::kBusy, "too many passwords are being hashed", {}});
  }
}

void WriteTask::SubmitWork() {
  engine_.store().Submit(
      [self = shared_from_this()](WriteTransaction& transaction) {
        return self->Work(transaction);
      },
      [self = shared_from_this()](Status status) { self->Finish(std::move(status)); });
}

Status WriteTask::Work(WriteTransaction& transaction) {
  outcome_ = {};
  if (Status status = CheckDeadline(); !status.ok()) return status;
  Request request(engine_, transaction, context_.subject, Request::Names::kUncached);
  TT_RETURN_IF_ERROR(Apply(transaction, request));
  outcome_.change_number = transaction.version();
  return {};
}

void WriteTask::Finish(Status status) {
  if (matches_.has_unknown() && !status.ok() && ++attempts_ < kMaxAttempts) {
    return Post([self = shared_from_this()] {
      if (Status wanted = self->CheckWanted(); !wanted.ok()) {
        return self->Fail(std::move(wanted).error());
      }
      self->matches_.LearnUnknown();
      self->SubmitWork();
    });
  }
  if (!status.ok()) return Fail(std::move(status).error());
  const InFlight::Pass pass = std::move(pass_);
  share_.GiveBack();
  done_(std::move(outcome_));
}

void WriteTask::Fail(Error error) {
  // The pass goes last: nothing of the engine is used after it.
  const InFlight::Pass pass = std::move(pass_);
  share_.GiveBack();
  done_(OutcomeOf(std::move(error)));
}

Result<storage::StoredEntryPtr> WriteTask::Find(Request& request, const model::DnKey& key) {
  if (key.empty() || key.text() == kSubschemaKey) {
    return Error{ResultCode::kUnwillingToPerform, "this entry is the server's own", {}};
  }
  TT_ASSIGN_OR_RETURN(const Location location, request.Locate(key));
  if (!location.found()) return request.NotFound(key, location);
  return request.Get(location.id);
}

Status WriteTask::Stamp(WriteTransaction& transaction, std::vector<Attribute>* attributes,
                        std::vector<BoundModification>* record) {
  const model::Schema::WellKnown& known = schema().well_known();
  const auto now = engine_.Now();
  TT_ASSIGN_OR_RETURN(const std::string csn, engine_.csn_clock().Next(transaction, now));
  const auto set = [&](const model::AttributeType& type, std::string_view value) {
    if (record != nullptr) record->push_back(Replacement(type, value));
    SetValue(type, value, attributes);
  };
  set(*known.modify_timestamp, GeneralizedTime(now));
  set(*known.modifiers_name, subject().dn);
  set(*known.entry_csn, csn);
  return {};
}

Status WriteTask::CheckChanged(const model::Entry& entry,
                               std::span<const Attribute> attributes) const {
  TT_ASSIGN_OR_RETURN(const ObjectClass* const after, CheckEntry(attributes, schema()));
  // An entry from before a change of the schema may not be valid any more; then there is nothing
  // to compare with.
  const Result<const ObjectClass*> before =
      schema().StructuralClassOf(model::ObjectClassesOf(entry, schema()));
  if (!before.ok() || *before == after) return {};
  return Error{ResultCode::kObjectClassModsProhibited,
               "the structural object class cannot change from " + (*before)->name() + " to " +
                   after->name(),
               {}};
}

Result<model::Entry> WriteTask::EncodeEntry(std::span<const Attribute> attributes) const {
  model::Entry entry = model::Entry::Encode(attributes, schema());
  if (entry.octets().size() <= engine_.options().max_entry_bytes) return entry;
  return Error{ResultCode::kAdminLimitExceeded, "the entry would be larger than the limit", {}};
}

Status WriteTask::Read(EntryTarget& target, const std::optional<ReadEntry>& control,
                       std::optional<ReadEntryResult>* result) {
  if (!control || !target.MayReadEntry()) return {};
  Answer answer;
  const auto selection = AttributeSelection::Make(control->attributes, schema());
  result->emplace();
  (*result)->dn = target.dn();
  for (std::string_view piece : answer.Build(target, selection, false)) {
    (*result)->attributes.append(piece);
  }
  return target.status();
}

storage::Change WriteTask::ChangeOf(storage::ChangeKind kind, const storage::StoredEntry& entry,
                                    std::string dn) const {
  storage::Change change;
  change.kind = kind;
  change.id = entry.id;
  change.entry_uuid = FirstValue(entry.entry, *schema().well_known().entry_uuid);
  change.dn = std::move(dn);
  change.actor_dn = subject().dn;
  return change;
}

}  // namespace twintree::directory
