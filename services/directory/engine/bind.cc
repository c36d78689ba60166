// Simple bind (RFC 4511 4.2, RFC 4513 5.1).
//
// Every failure that could tell something about an entry looks the same and takes about as long:
// whenever no expensive comparison was made, one is made for nothing.
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "services/directory/engine/engine.h"
#include "services/directory/engine/entry_target.h"
#include "services/directory/engine/operations.h"
#include "services/directory/engine/request.h"

namespace twintree::directory {
namespace {

using model::Result;
using model::ResultCode;
using model::Status;

BindOutcome Failure(ResultCode code, std::string diagnostic) {
  BindOutcome outcome;
  outcome.code = code;
  outcome.diagnostic = std::move(diagnostic);
  return outcome;
}

BindOutcome InvalidCredentials() {
  return Failure(ResultCode::kInvalidCredentials, "invalid name or password");
}

// Looks at every octet of both, whatever they are.
bool EqualInConstantTime(std::string_view a, std::string_view b) {
  unsigned different = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    different |= static_cast<unsigned char>(a[i] ^ other);
  }
  return different == 0;
}

class BindTask : public std::enable_shared_from_this<BindTask> {
 public:
  BindTask(Engine& engine, const RequestContext& context, BindRequest request,
           Directory::BindCallback done)
      : engine_(engine), context_(context), request_(std::move(request)), done_(std::move(done)) {}

  void Start() {
    if (request_.password.empty()) return done_(WithoutPassword());
    const Result<model::DnKey> key = engine_.schema().NormalizeDn(request_.dn);
    if (!key.ok()) return done_(Failure(key.code(), key.error().message));
    if (IsRootPassword(*key)) {
      subject_ = {Subject::Kind::kRoot, engine_.options().root_dn, key->text()};
      return done_(Success());
    }
    if (const Status status = FindCandidates(*key); !status.ok()) {
      return done_(Failure(status.code(), status.error().message));
    }
    for (const std::string& stored : cheap_) {
      if (passwords::Verify(stored, request_.password)) return done_(Success());
    }
    CompareSlowly();
  }

 private:
  // Without a password there is the anonymous bind, and what RFC 4513 5.1.2 advises to refuse.
  BindOutcome WithoutPassword() const {
    if (request_.dn.empty()) return {};
    return Failure(ResultCode::kUnwillingToPerform, "a name without a password is no bind");
  }

  // When it is not, an entry of that name may still have the password, as with any other name.
  bool IsRootPassword(const model::DnKey& key) const {
    const model::Secret& configured = engine_.options().root_password;
    return engine_.IsRoot(key) && !configured.empty() &&
           EqualInConstantTime(request_.password.Reveal(), configured.Reveal());
  }

  // Collects the stored passwords of the entry, if there is one that may be bound to.
  Status FindCandidates(const model::DnKey& key) {
    TT_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ReadTransaction> reader,
                        engine_.store().Read());
    const Subject anonymous;
    Request snapshot(engine_, *reader, anonymous, Request::Names::kCached);
    TT_ASSIGN_OR_RETURN(const Location location, snapshot.Locate(key));
    if (!location.found()) return {};
    TT_ASSIGN_OR_RETURN(const storage::StoredEntryPtr entry, snapshot.Get(location.id));
    EntryTarget target(snapshot);
    target.Show(*entry);
    const model::AttributeType& type = *engine_.schema().well_known().user_password;
    const bool allowed = target.May(access::kAuth, type);
    const std::string& dn = target.dn();
    TT_RETURN_IF_ERROR(target.status());
    if (!allowed) return {};
    subject_.kind = engine_.IsRoot(key) ? Subject::Kind::kRoot : Subject::Kind::kUser;
    subject_.dn = dn;
    subject_.dn_key = key.text();
    if (const model::StoredAttribute* const stored = entry->entry.Find(type)) {
      for (std::string_view value : stored->values()) {
        (passwords::IsExpensive(value) ? expensive_ : cheap_).emplace_back(value);
      }
    }
    return {};
  }

  void CompareSlowly() {
    pass_ = engine_.in_flight().Enter();
    const bool posted = engine_.password_line().Post(context_.client, [self = shared_from_this()] {
      // The pass goes last: nothing of the engine is used after it.
      const InFlight::Pass pass = std::move(self->pass_);
      self->Answer();
    });
    if (posted) return;
    pass_ = nullptr;
    done_(Failure(ResultCode::kBusy, "too many passwords are being checked"));
  }

  void Answer() {
    for (const std::string& stored : expensive_) {
      if (NobodyWaits()) return done_(Failure(ResultCode::kCanceled, "nobody waits any more"));
      if (passwords::Verify(stored, request_.password)) return done_(Success());
    }
    if (expensive_.empty() && !NobodyWaits()) passwords::VerifyNothing(request_.password);
    done_(InvalidCredentials());
  }

  bool NobodyWaits() const {
    return context_.IsUnwanted() || std::chrono::steady_clock::now() >= context_.deadline;
  }

  BindOutcome Success() {
    BindOutcome outcome;
    outcome.subject = std::move(subject_);
    return outcome;
  }

  Engine& engine_;
  const RequestContext context_;
  BindRequest request_;
  Directory::BindCallback done_;
  Subject subject_;  // who it is if the password is right
  std::vector<std::string> cheap_;
  std::vector<std::string> expensive_;
  InFlight::Pass pass_;
};

}  // namespace

void RunBind(Engine& engine, const RequestContext& context, BindRequest request,
             Directory::BindCallback done) {
  std::make_shared<BindTask>(engine, context, std::move(request), std::move(done))->Start();
}

}  // namespace twintree::directory
