#include "services/rpc/directory_service.h"

#include <google/protobuf/util/time_util.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "services/log/log.h"
#include "services/model/redaction.h"
#include "services/rpc/entry_codec.h"
#include "services/rpc/entry_message.h"
#include "services/rpc/error_translation.h"
#include "services/rpc/search_call.h"
#include "twintree/directory/v1/directory_service.grpc.pb.h"

namespace twintree::rpc {
namespace {

using directory::Outcome;
using directory::RequestContext;
using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;
using model::ResultCode;
using std::chrono::steady_clock;
using std::chrono::system_clock;

std::shared_ptr<CallLog> LogOf(const CallbackServerContext& context, MethodId method,
                               const CallTarget& target) {
  if (!log::AccessEnabled()) return nullptr;
  return CallLog::Begin(AllRpcMethods()[static_cast<std::size_t>(method)].name, context.peer(),
                        target);
}

// What a call is about, for the access log. Empty unless that is on.
CallTarget TargetOf(std::string_view kind, const std::string& dn, std::string_view extra_key = {},
                    std::string extra = {}) {
  if (!log::AccessEnabled()) return {};
  CallTarget target;
  target.kind = kind;
  target.dn = dn;
  target.extra_key = extra_key;
  target.extra = std::move(extra);
  return target;
}

CallTarget GetTargetOf(const std::string& dn) {
  CallTarget target = TargetOf("search", dn);
  target.scope = "base";
  return target;
}

CallTarget SearchTargetOf(const directory_pb::SearchEntriesRequest& request) {
  CallTarget target = TargetOf("search", request.base_dn());
  switch (request.scope()) {
    case directory_pb::SEARCH_SCOPE_BASE: target.scope = "base"; break;
    case directory_pb::SEARCH_SCOPE_ONE_LEVEL: target.scope = "one"; break;
    case directory_pb::SEARCH_SCOPE_SUBORDINATE: target.scope = "children"; break;
    default: target.scope = "sub";
  }
  if (log::AccessEnabled()) target.filter = request.filter();
  return target;
}

// A unary call and how it ends.
class UnaryCall {
 public:
  UnaryCall(CallbackServerContext* context, RpcObserver* observer, MethodId method,
            const CallTarget& target)
      : context_(context),
        reactor_(context->DefaultReactor()),
        observed_(observer, method, LogOf(*context, method, target)) {}

  CallbackServerContext* context() const { return context_; }
  ServerUnaryReactor* reactor() const { return reactor_; }
  const ObservedCall& observed() const { return observed_; }
  // REQUIRES: called once. Request and response are gone afterwards.
  void Finish(const grpc::Status& status) const {
    observed_.Handled(status.error_code());
    reactor_->Finish(status);
  }
  void Fail(const model::Error& error, const ErrorContext& context) const {
    observed_.SetResult(error.code, error.message);
    Finish(ToGrpcStatus(error, context));
  }

 private:
  CallbackServerContext* context_;
  ServerUnaryReactor* reactor_;
  ObservedCall observed_;
};

// RFC 3062.
constexpr char kPasswordModifyOid[] = "1.3.6.1.4.1.4203.1.11.1";

// Deadlines in more than a day are none: no clock can overflow.
constexpr std::chrono::hours kLongestDeadline{24};

steady_clock::time_point DeadlineOf(const CallbackServerContext& context) {
  const auto now = system_clock::now();
  if (context.deadline() > now + kLongestDeadline) return steady_clock::time_point::max();
  return steady_clock::now() + (context.deadline() - now);
}

std::optional<std::string_view> AuthorizationOf(const CallbackServerContext& context) {
  const auto found = context.client_metadata().find("authorization");
  if (found == context.client_metadata().end()) return std::nullopt;
  return std::string_view(found->second.data(), found->second.size());
}

model::Error ErrorOf(const Outcome& outcome) {
  return {outcome.code, outcome.diagnostic, outcome.matched_dn};
}

// The same for a write that was given an etag.
model::Error ErrorOf(const Outcome& outcome, const std::string& etag) {
  if (outcome.code != ResultCode::kAssertionFailed || etag.empty()) return ErrorOf(outcome);
  constexpr std::size_t kMostOfEtag = 128;
  return {outcome.code,
          "the entry's etag is not \"" + PrintableText(etag, kMostOfEtag) + "\" (any more)", ""};
}

// The field to blame for an outcome, when it is not `other`.
std::string_view FieldOf(ResultCode code, std::string_view name_field, std::string_view other) {
  return code == ResultCode::kInvalidDnSyntax ? name_field : other;
}

bool WantsCsn(const google::protobuf::RepeatedPtrField<std::string>& wanted) {
  return !wanted.empty() && !SelectWithEtag(wanted).hide_csn;
}

// The request of a method whose messages are taken as octets.
template <typename Message>
grpc::Status Parse(const grpc::ByteBuffer& octets, Message* message) {
  grpc::ByteBuffer taken = octets;
  return grpc::SerializationTraits<Message>::Deserialize(&taken, message);
}

// Takes the one entry of a GetEntry.
class OneEntrySink final : public directory::SearchSink {
 public:
  OneEntrySink(UnaryCall call, std::string dn, bool hide_csn, grpc::ByteBuffer* response)
      : call_(call), dn_(std::move(dn)), hide_csn_(hide_csn), response_(response) {}

  Flow OnEntry(std::string_view dn, std::span<const std::string_view> pieces) override {
    EntryMessage entry;
    found_ = entry.Read(dn, pieces, hide_csn_);
    if (!found_->ok()) return Flow::kMore;
    std::string octets;
    entry.AppendField(directory_pb::GetEntryResponse::kEntryFieldNumber, &octets);
    *response_ = ToByteBuffer(std::move(octets));
    return Flow::kMore;
  }
  void OnDone(directory::SearchOutcome outcome) override {
    call_.observed().SetResult(outcome.code, outcome.diagnostic, outcome.entries);
    const ErrorContext context{dn_, "dn"};
    if (outcome.code != ResultCode::kSuccess) {
      return call_.Fail({outcome.code, outcome.diagnostic, outcome.matched_dn}, context);
    }
    if (!found_) {
      return call_.Fail({ResultCode::kNoSuchObject, "no such entry", outcome.matched_dn}, context);
    }
    if (!found_->ok()) return call_.Fail(found_->error(), context);
    call_.Finish(grpc::Status::OK);
  }

 private:
  const UnaryCall call_;
  const std::string dn_;
  const bool hide_csn_;
  grpc::ByteBuffer* const response_;
  std::optional<model::Status> found_;
};

// Entries are read often: those methods write their answers' octets themselves.
using Service = directory_pb::DirectoryService;
using RawService = Service::WithRawCallbackMethod_GetEntry<
    Service::WithRawCallbackMethod_SearchEntries<Service::CallbackService>>;

class DirectoryServiceImpl final : public RawService {
 public:
  DirectoryServiceImpl(std::shared_ptr<directory::Directory> directory,
                       AuthenticationOptions authentication, std::shared_ptr<SearchCalls> searches,
                       RpcObserver* observer)
      : directory_(std::move(directory)),
        authenticator_(std::make_shared<Authenticator>(directory_, std::move(authentication))),
        searches_(std::move(searches)),
        observer_(observer) {}

  ServerUnaryReactor* Authenticate(CallbackServerContext* context,
                                   const directory_pb::AuthenticateRequest* request,
                                   directory_pb::AuthenticateResponse* response) override;
  ServerUnaryReactor* GetEntry(CallbackServerContext* context, const grpc::ByteBuffer* request,
                               grpc::ByteBuffer* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* SearchEntries(
      CallbackServerContext* context, const grpc::ByteBuffer* request) override;
  ServerUnaryReactor* CompareEntry(CallbackServerContext* context,
                                   const directory_pb::CompareEntryRequest* request,
                                   directory_pb::CompareEntryResponse* response) override;
  ServerUnaryReactor* CreateEntry(CallbackServerContext* context,
                                  const directory_pb::CreateEntryRequest* request,
                                  directory_pb::CreateEntryResponse* response) override;
  ServerUnaryReactor* ModifyEntry(CallbackServerContext* context,
                                  const directory_pb::ModifyEntryRequest* request,
                                  directory_pb::ModifyEntryResponse* response) override;
  ServerUnaryReactor* DeleteEntry(CallbackServerContext* context,
                                  const directory_pb::DeleteEntryRequest* request,
                                  directory_pb::DeleteEntryResponse* response) override;
  ServerUnaryReactor* RenameEntry(CallbackServerContext* context,
                                  const directory_pb::RenameEntryRequest* request,
                                  directory_pb::RenameEntryResponse* response) override;
  ServerUnaryReactor* ChangePassword(CallbackServerContext* context,
                                     const directory_pb::ChangePasswordRequest* request,
                                     directory_pb::ChangePasswordResponse* response) override;

 private:
  // Calls `handler(RequestContext)` once the caller is known, or ends the call.
  template <typename Handler>
  ServerUnaryReactor* WithCaller(UnaryCall call, Handler handler) {
    ServerUnaryReactor* const reactor = call.reactor();
    const auto deadline = DeadlineOf(*call.context());
    authenticator_->Resolve(AuthorizationOf(*call.context()),
                            [call, deadline, handler = std::move(handler)](
                                model::Result<directory::Subject> subject) mutable {
                              if (!subject.ok()) return call.Fail(subject.error(), {});
                              call.observed().SetSubject(subject->dn);
                              handler(RequestContext{std::move(subject).value(), deadline});
                            });
    return reactor;
  }

  // The end of a call whose answer has an entry and a change number.
  template <typename Response>
  static void FinishWrite(const UnaryCall& call, Outcome outcome, bool wants_csn,
                          Response* response) {
    response->set_change_number(outcome.change_number);
    if (outcome.post_read) {
      const model::Status filled = FillEntry(outcome.post_read->dn, outcome.post_read->attributes,
                                             !wants_csn, response->mutable_entry());
      if (!filled.ok()) return call.Fail(filled.error(), {});
    }
    call.Finish(grpc::Status::OK);
  }

  const std::shared_ptr<directory::Directory> directory_;
  const std::shared_ptr<Authenticator> authenticator_;
  const std::shared_ptr<SearchCalls> searches_;
  RpcObserver* const observer_;
};

ServerUnaryReactor* DirectoryServiceImpl::Authenticate(
    CallbackServerContext* context, const directory_pb::AuthenticateRequest* request,
    directory_pb::AuthenticateResponse* response) {
  const UnaryCall call(context, observer_, MethodId::kAuthenticate,
                       TargetOf("bind", request->dn(), "method", "simple"));
  ServerUnaryReactor* const reactor = call.reactor();
  for (const auto& [field, value] :
       {std::pair("dn", &request->dn()), std::pair("password", &request->password())}) {
    if (!value->empty()) continue;
    call.Fail({ResultCode::kProtocolError, std::string(field) + " is required", ""},
              {request->dn(), field});
    return reactor;
  }
  authenticator_->LogIn(request->dn(), model::Secret(request->password()),
                        [call, request, response](model::Result<Login> login) {
                          if (!login.ok()) return call.Fail(login.error(), {request->dn(), "dn"});
                          call.observed().SetSubject(login->subject.dn);
                          response->set_dn(Utf8Dn(login->subject.dn));
                          response->set_token(login->token);
                          *response->mutable_expire_time() =
                              google::protobuf::util::TimeUtil::TimeTToTimestamp(
                                  system_clock::to_time_t(login->expiry));
                          call.Finish(grpc::Status::OK);
                        });
  return reactor;
}

ServerUnaryReactor* DirectoryServiceImpl::GetEntry(CallbackServerContext* context,
                                                   const grpc::ByteBuffer* octets,
                                                   grpc::ByteBuffer* response) {
  directory_pb::GetEntryRequest request;
  const grpc::Status parsed = Parse(*octets, &request);
  const UnaryCall call(context, observer_, MethodId::kGetEntry, GetTargetOf(request.dn()));
  if (!parsed.ok()) {
    call.Finish(parsed);
    return call.reactor();
  }
  const AttributeSelection selection = SelectWithEtag(request.attributes());
  auto sink = std::make_shared<OneEntrySink>(call, request.dn(), selection.hide_csn, response);
  return WithCaller(call, [this, search = ToSearchRequest(request, selection),
                           sink = std::move(sink)](const RequestContext& caller) mutable {
    directory_->Search(caller, std::move(search), std::move(sink));
  });
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* DirectoryServiceImpl::SearchEntries(
    CallbackServerContext* context, const grpc::ByteBuffer* octets) {
  directory_pb::SearchEntriesRequest request;
  const grpc::Status parsed = Parse(*octets, &request);
  auto search = std::make_shared<SearchCall>(
      ObservedCall(observer_, MethodId::kSearchEntries,
                   LogOf(*context, MethodId::kSearchEntries, SearchTargetOf(request))),
      request);
  SearchCall* const reactor = search.get();
  if (!search->Start(context, searches_)) return reactor;
  if (!parsed.ok()) {
    search->FinishWith(parsed);
    return reactor;
  }
  for (const char* field : {"size_limit", "time_limit"}) {
    const model::Status status = CheckLimit(request, field);
    if (status.ok()) continue;
    search->Refuse(status.error(), field);
    return reactor;
  }
  authenticator_->Resolve(
      AuthorizationOf(*context),
      [directory = directory_, search = std::move(search),
       deadline = DeadlineOf(*context)](model::Result<directory::Subject> subject) {
        if (!subject.ok()) return search->Refuse(subject.error());
        search->SetSubject(subject->dn);
        search->Search(directory.get(), RequestContext{std::move(subject).value(), deadline});
      });
  return reactor;
}

ServerUnaryReactor* DirectoryServiceImpl::CompareEntry(
    CallbackServerContext* context, const directory_pb::CompareEntryRequest* request,
    directory_pb::CompareEntryResponse* response) {
  const UnaryCall call(
      context, observer_, MethodId::kCompareEntry,
      TargetOf("compare", request->dn(), "attribute", model::LoggedType(request->attribute())));
  return WithCaller(call, [this, call, request, response](const RequestContext& caller) {
    directory_->Compare(
        caller,
        directory::CompareRequest{request->dn(), request->attribute(), request->value(), {}},
        [call, request, response](const Outcome& outcome) {
          if (outcome.code != ResultCode::kCompareTrue &&
              outcome.code != ResultCode::kCompareFalse) {
            return call.Fail(ErrorOf(outcome),
                             {request->dn(), FieldOf(outcome.code, "dn", "attribute")});
          }
          call.observed().SetResult(outcome.code, "");
          response->set_matches(outcome.code == ResultCode::kCompareTrue);
          call.Finish(grpc::Status::OK);
        });
  });
}

ServerUnaryReactor* DirectoryServiceImpl::CreateEntry(
    CallbackServerContext* context, const directory_pb::CreateEntryRequest* request,
    directory_pb::CreateEntryResponse* response) {
  const UnaryCall call(context, observer_, MethodId::kCreateEntry,
                       TargetOf("add", request->entry().dn()));
  return WithCaller(call, [this, call, request, response](const RequestContext& caller) {
    directory_->Add(caller, ToAddRequest(*request), [call, request, response](Outcome outcome) {
      if (outcome.code != ResultCode::kSuccess) {
        return call.Fail(ErrorOf(outcome), {request->entry().dn(),
                                            FieldOf(outcome.code, "entry.dn", "entry.attributes")});
      }
      FinishWrite(call, std::move(outcome), WantsCsn(request->return_attributes()), response);
    });
  });
}

ServerUnaryReactor* DirectoryServiceImpl::ModifyEntry(
    CallbackServerContext* context, const directory_pb::ModifyEntryRequest* request,
    directory_pb::ModifyEntryResponse* response) {
  const UnaryCall call(context, observer_, MethodId::kModifyEntry,
                       TargetOf("modify", request->dn()));
  return WithCaller(call, [this, call, request, response](const RequestContext& caller) {
    model::Result<directory::ModifyRequest> modify = ToModifyRequest(*request);
    if (!modify.ok()) {
      return call.Fail(modify.error(), {request->dn(), "modifications.operation"});
    }
    directory_->Modify(
        caller, std::move(modify).value(), [call, request, response](Outcome outcome) {
          if (outcome.code != ResultCode::kSuccess) {
            return call.Fail(ErrorOf(outcome, request->etag()),
                             {request->dn(), FieldOf(outcome.code, "dn", "modifications")});
          }
          FinishWrite(call, std::move(outcome), WantsCsn(request->return_attributes()), response);
        });
  });
}

ServerUnaryReactor* DirectoryServiceImpl::DeleteEntry(
    CallbackServerContext* context, const directory_pb::DeleteEntryRequest* request,
    directory_pb::DeleteEntryResponse* response) {
  const UnaryCall call(context, observer_, MethodId::kDeleteEntry,
                       TargetOf("delete", request->dn()));
  return WithCaller(call, [this, call, request, response](const RequestContext& caller) {
    directory_->Delete(
        caller, ToDeleteRequest(*request), [call, request, response](const Outcome& outcome) {
          if (outcome.code != ResultCode::kSuccess) {
            return call.Fail(ErrorOf(outcome, request->etag()), {request->dn(), "dn"});
          }
          response->set_change_number(outcome.change_number);
          call.Finish(grpc::Status::OK);
        });
  });
}

ServerUnaryReactor* DirectoryServiceImpl::RenameEntry(
    CallbackServerContext* context, const directory_pb::RenameEntryRequest* request,
    directory_pb::RenameEntryResponse* response) {
  const UnaryCall call(
      context, observer_, MethodId::kRenameEntry,
      TargetOf("modify_dn", request->dn(), "newrdn", model::LoggedName(request->new_rdn())));
  return WithCaller(call, [this, call, request, response](const RequestContext& caller) {
    directory_->ModifyDn(
        caller, ToModifyDnRequest(*request), [call, request, response](const Outcome& outcome) {
          if (outcome.code != ResultCode::kSuccess) {
            return call.Fail(ErrorOf(outcome, request->etag()),
                             {request->dn(), FieldOf(outcome.code, "dn", "new_rdn")});
          }
          if (outcome.post_read) response->set_dn(Utf8Dn(outcome.post_read->dn));
          response->set_change_number(outcome.change_number);
          call.Finish(grpc::Status::OK);
        });
  });
}

ServerUnaryReactor* DirectoryServiceImpl::ChangePassword(
    CallbackServerContext* context, const directory_pb::ChangePasswordRequest* request,
    directory_pb::ChangePasswordResponse* response) {
  const UnaryCall call(context, observer_, MethodId::kChangePassword,
                       TargetOf("extended", request->dn(), "oid", kPasswordModifyOid));
  return WithCaller(call, [this, call, request, response](const RequestContext& caller) {
    std::string whose = request->dn().empty() ? caller.subject.dn : request->dn();
    directory_->ModifyPassword(
        caller, ToModifyPasswordRequest(*request),
        [call, response, whose = std::move(whose)](const Outcome& outcome) {
          if (outcome.code != ResultCode::kSuccess) {
            return call.Fail(ErrorOf(outcome),
                             {whose, FieldOf(outcome.code, "dn", "new_password"), true});
          }
          if (outcome.generated_password) {
            response->set_generated_password(std::string(outcome.generated_password->Reveal()));
          }
          response->set_change_number(outcome.change_number);
          call.Finish(grpc::Status::OK);
        });
  });
}

}  // namespace

std::unique_ptr<grpc::Service> MakeDirectoryService(std::shared_ptr<directory::Directory> directory,
                                                    AuthenticationOptions authentication,
                                                    std::shared_ptr<SearchCalls> searches,
                                                    RpcObserver* observer) {
  return std::make_unique<DirectoryServiceImpl>(std::move(directory), std::move(authentication),
                                                std::move(searches), observer);
}

}  // namespace twintree::rpc
