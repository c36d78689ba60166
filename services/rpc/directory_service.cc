#include "services/rpc/directory_service.h"

#include <google/protobuf/util/time_util.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "services/log/log.h"
#include "services/model/quotation.h"
#include "services/model/redaction.h"
#include "services/rpc/entry_codec.h"
#include "services/rpc/entry_message.h"
#include "services/rpc/error_translation.h"
#include "services/rpc/message_octets.h"
#include "services/rpc/search_call.h"
#include "services/rpc/unary_call.h"
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

// RFC 3062.
constexpr char kPasswordModifyOid[] = "1.3.6.1.4.1.4203.1.11.1";

// Deadlines in more than a day are none: no clock can overflow.
constexpr std::chrono::hours kLongestDeadline{24};

steady_clock::time_point DeadlineOf(const CallbackServerContext& context) {
  const auto now = system_clock::now();
  if (context.deadline() > now + kLongestDeadline) return steady_clock::time_point::max();
  return steady_clock::now() + (context.deadline() - now);
}

// Errors: kInvalidCredentials for more than one, of which none is better than the others.
model::Result<std::optional<std::string_view>> AuthorizationOf(
    const CallbackServerContext& context) {
  const auto [first, end] = context.client_metadata().equal_range("authorization");
  if (first == end) return std::optional<std::string_view>();
  if (std::next(first) != end) {
    return model::Error{ResultCode::kInvalidCredentials, "authorization is given more than once",
                        ""};
  }
  return std::optional(std::string_view(first->second.data(), first->second.size()));
}

// Calls from one address are one client's, whatever connection they come on: connections cost
// nothing. "ipv4:192.0.2.1:51000" is how gRPC writes it.
std::uint64_t ClientOf(const CallbackServerContext& context) {
  const std::string peer = context.peer();
  return std::hash<std::string_view>()(std::string_view(peer).substr(0, peer.rfind(':')));
}

WaitingCall WaitingCallOf(const CallbackServerContext* context,
                          std::shared_ptr<directory::SingleInterest> interest,
                          std::size_t body_bytes) {
  return {std::move(interest), [context] { return ClientOf(*context); }, body_bytes};
}
WaitingCall WaitingCallOf(const UnaryCall& call) {
  return WaitingCallOf(call.context(), call.reactor()->interest(), call.body_bytes());
}

model::Error ErrorOf(const Outcome& outcome) {
  return {outcome.code, outcome.diagnostic, outcome.matched_dn};
}

// The same for a write that was given an etag.
model::Error ErrorOf(const Outcome& outcome, const std::string& etag) {
  if (outcome.code != ResultCode::kAssertionFailed || etag.empty()) return ErrorOf(outcome);
  constexpr std::size_t kMostOfEtag = 128;
  return {outcome.code,
          "the entry's etag is not " + model::Quoted(etag, kMostOfEtag) + " (any more)", ""};
}

// The field to blame for an outcome, when it is not `other`.
std::string_view FieldOf(ResultCode code, std::string_view name_field, std::string_view other) {
  return code == ResultCode::kInvalidDnSyntax ? name_field : other;
}

bool WantsCsn(const google::protobuf::RepeatedPtrField<std::string>& wanted) {
  return !wanted.empty() && !SelectWithEtag(wanted).hide_csn;
}

// Takes the one entry of a GetEntry.
class OneEntrySink final : public directory::SearchSink {
 public:
  OneEntrySink(UnaryCall call, std::string dn, bool hide_csn, grpc::ByteBuffer* response)
      : call_(std::move(call)), dn_(std::move(dn)), hide_csn_(hide_csn), response_(response) {}

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

// Every method takes octets (message_octets.h). Entries are read often: GetEntry and SearchEntries
// write the octets of their answers themselves.
using Service = directory_pb::DirectoryService;
using RawReads = Service::WithRawCallbackMethod_Authenticate<
    Service::WithRawCallbackMethod_GetEntry<Service::WithRawCallbackMethod_SearchEntries<
        Service::WithRawCallbackMethod_CompareEntry<Service::CallbackService>>>>;
using RawService =
    Service::WithRawCallbackMethod_CreateEntry<Service::WithRawCallbackMethod_ModifyEntry<
        Service::WithRawCallbackMethod_DeleteEntry<Service::WithRawCallbackMethod_RenameEntry<
            Service::WithRawCallbackMethod_ChangePassword<RawReads>>>>>;

class DirectoryServiceImpl final : public RawService {
 public:
  DirectoryServiceImpl(std::shared_ptr<directory::Directory> directory,
                       AuthenticationOptions authentication, std::shared_ptr<SearchCalls> searches,
                       RpcObserver* observer)
      : directory_(std::move(directory)),
        authenticator_(std::make_shared<Authenticator>(directory_, std::move(authentication))),
        searches_(std::move(searches)),
        observer_(observer) {}

  ServerUnaryReactor* Authenticate(CallbackServerContext* context, const grpc::ByteBuffer* octets,
                                   grpc::ByteBuffer* answer) override;
  ServerUnaryReactor* GetEntry(CallbackServerContext* context, const grpc::ByteBuffer* request,
                               grpc::ByteBuffer* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* SearchEntries(
      CallbackServerContext* context, const grpc::ByteBuffer* request) override;
  ServerUnaryReactor* CompareEntry(CallbackServerContext* context, const grpc::ByteBuffer* octets,
                                   grpc::ByteBuffer* answer) override;
  ServerUnaryReactor* CreateEntry(CallbackServerContext* context, const grpc::ByteBuffer* octets,
                                  grpc::ByteBuffer* answer) override;
  ServerUnaryReactor* ModifyEntry(CallbackServerContext* context, const grpc::ByteBuffer* octets,
                                  grpc::ByteBuffer* answer) override;
  ServerUnaryReactor* DeleteEntry(CallbackServerContext* context, const grpc::ByteBuffer* octets,
                                  grpc::ByteBuffer* answer) override;
  ServerUnaryReactor* RenameEntry(CallbackServerContext* context, const grpc::ByteBuffer* octets,
                                  grpc::ByteBuffer* answer) override;
  ServerUnaryReactor* ChangePassword(CallbackServerContext* context, const grpc::ByteBuffer* octets,
                                     grpc::ByteBuffer* answer) override;

 private:
  template <typename Request, typename Response>
  std::shared_ptr<MessageCall<Request, Response>> Begin(
      CallbackServerContext* context, MethodId method, const grpc::ByteBuffer& octets,
      grpc::ByteBuffer* answer, CallTarget (*target)(const Request&)) const {
    return MessageCall<Request, Response>::Begin(context, observer_, method, octets, answer,
                                                 target);
  }

  // Calls `handler(RequestContext)` once the caller is known, or ends the call.
  template <typename Handler>
  ServerUnaryReactor* WithCaller(const UnaryCall& call, Handler handler) {
    ServerUnaryReactor* const reactor = call.reactor();
    const auto authorization = AuthorizationOf(*call.context());
    if (!authorization.ok()) {
      call.Fail(authorization.error(), {});
      return reactor;
    }
    const auto deadline = DeadlineOf(*call.context());
    authenticator_->Resolve(*authorization, WaitingCallOf(call),
                            [call, deadline, handler = std::move(handler)](
                                model::Result<directory::Subject> subject) mutable {
                              if (!subject.ok()) return call.Fail(subject.error(), {});
                              call.observed().SetSubject(subject->dn);
                              handler(RequestContext{std::move(subject).value(), deadline});
                            });
    return reactor;
  }
  // The same for a request that may be none.
  template <typename Call, typename Handler>
  ServerUnaryReactor* WithCaller(const std::shared_ptr<Call>& call, Handler handler) {
    if (call->parsed().ok()) return WithCaller(*call, std::move(handler));
    call->Fail(call->parsed().error(), {});
    return call->reactor();
  }

  // The end of a call whose answer has an entry and a change number.
  template <typename Call>
  static void FinishWrite(const std::shared_ptr<Call>& call, const Outcome& outcome,
                          bool wants_csn) {
    call->response()->set_change_number(outcome.change_number);
    if (outcome.post_read) {
      const model::Status filled = FillEntry(outcome.post_read->dn, outcome.post_read->attributes,
                                             !wants_csn, call->response()->mutable_entry());
      if (!filled.ok()) return call->Fail(filled.error(), {});
    }
    call->Succeed();
  }

  const std::shared_ptr<directory::Directory> directory_;
  const std::shared_ptr<Authenticator> authenticator_;
  const std::shared_ptr<SearchCalls> searches_;
  RpcObserver* const observer_;
};

ServerUnaryReactor* DirectoryServiceImpl::Authenticate(CallbackServerContext* context,
                                                       const grpc::ByteBuffer* octets,
                                                       grpc::ByteBuffer* answer) {
  const auto call = Begin<directory_pb::AuthenticateRequest, directory_pb::AuthenticateResponse>(
      context, MethodId::kAuthenticate, *octets, answer,
      [](const directory_pb::AuthenticateRequest& request) {
        return TargetOf("bind", request.dn(), "method", "simple");
      });
  ServerUnaryReactor* const reactor = call->reactor();
  if (!call->parsed().ok()) {
    call->Fail(call->parsed().error(), {});
    return reactor;
  }
  for (const auto& [field, value] : {std::pair("dn", &call->request().dn()),
                                     std::pair("password", &call->request().password())}) {
    if (!value->empty()) continue;
    call->Fail({ResultCode::kProtocolError, std::string(field) + " is required", ""},
               {call->request().dn(), field});
    return reactor;
  }
  authenticator_->LogIn(call->request().dn(), model::Secret(call->request().password()),
                        WaitingCallOf(*call), [call](model::Result<Login> login) {
                          if (!login.ok())
                            return call->Fail(login.error(), {call->request().dn(), "dn"});
                          call->observed().SetSubject(login->subject.dn);
                          call->response()->set_dn(Utf8Dn(login->subject.dn));
                          call->response()->set_token(login->token);
                          *call->response()->mutable_expire_time() =
                              google::protobuf::util::TimeUtil::TimeTToTimestamp(
                                  system_clock::to_time_t(login->expiry));
                          call->Succeed();
                        });
  return reactor;
}

ServerUnaryReactor* DirectoryServiceImpl::GetEntry(CallbackServerContext* context,
                                                   const grpc::ByteBuffer* octets,
                                                   grpc::ByteBuffer* response) {
  directory_pb::GetEntryRequest request;
  model::Status parsed = ParseOctets(*octets, &request);
  if (parsed.ok()) parsed = CheckSelection(request.attributes());
  const UnaryCall call(context, observer_, MethodId::kGetEntry, *octets, GetTargetOf(request.dn()));
  if (!parsed.ok()) {
    call.Fail(parsed.error(), {});
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
  model::Status parsed = ParseOctets(*octets, &request);
  if (parsed.ok()) parsed = CheckSelection(request.attributes());
  auto search = std::make_shared<SearchCall>(
      ObservedCall(observer_, MethodId::kSearchEntries,
                   LogOf(*context, MethodId::kSearchEntries, SearchTargetOf(request))),
      request);
  SearchCall* const reactor = search.get();
  if (!search->Start(context, searches_)) return reactor;
  if (!parsed.ok()) {
    search->Refuse(parsed.error(), "");
    return reactor;
  }
  for (const char* field : {"size_limit", "time_limit"}) {
    const model::Status status = CheckLimit(request, field);
    if (status.ok()) continue;
    search->Refuse(status.error(), field);
    return reactor;
  }
  const auto authorization = AuthorizationOf(*context);
  if (!authorization.ok()) {
    search->Refuse(authorization.error());
    return reactor;
  }
  const WaitingCall waiting = WaitingCallOf(context, search->interest(), octets->Length());
  authenticator_->Resolve(
      *authorization, waiting,
      [directory = directory_, search = std::move(search),
       deadline = DeadlineOf(*context)](model::Result<directory::Subject> subject) {
        if (!subject.ok()) return search->Refuse(subject.error());
        search->SetSubject(subject->dn);
        search->Search(directory.get(), RequestContext{std::move(subject).value(), deadline});
      });
  return reactor;
}

ServerUnaryReactor* DirectoryServiceImpl::CompareEntry(CallbackServerContext* context,
                                                       const grpc::ByteBuffer* octets,
                                                       grpc::ByteBuffer* answer) {
  const auto call = Begin<directory_pb::CompareEntryRequest, directory_pb::CompareEntryResponse>(
      context, MethodId::kCompareEntry, *octets, answer,
      [](const directory_pb::CompareEntryRequest& request) {
        return TargetOf("compare", request.dn(), "attribute",
                        model::LoggedType(request.attribute()));
      });
  return WithCaller(call, [this, call](const RequestContext& caller) {
    directory_->Compare(
        caller,
        directory::CompareRequest{
            call->request().dn(), call->request().attribute(), call->request().value(), {}},
        [call](const Outcome& outcome) {
          if (outcome.code != ResultCode::kCompareTrue &&
              outcome.code != ResultCode::kCompareFalse) {
            return call->Fail(ErrorOf(outcome),
                              {call->request().dn(), FieldOf(outcome.code, "dn", "attribute")});
          }
          call->observed().SetResult(outcome.code, "");
          call->response()->set_matches(outcome.code == ResultCode::kCompareTrue);
          call->Succeed();
        });
  });
}

ServerUnaryReactor* DirectoryServiceImpl::CreateEntry(CallbackServerContext* context,
                                                      const grpc::ByteBuffer* octets,
                                                      grpc::ByteBuffer* answer) {
  const auto call = Begin<directory_pb::CreateEntryRequest, directory_pb::CreateEntryResponse>(
      context, MethodId::kCreateEntry, *octets, answer,
      [](const directory_pb::CreateEntryRequest& request) {
        return TargetOf("add", request.entry().dn());
      });
  return WithCaller(call, [this, call](const RequestContext& caller) {
    directory_->Add(caller, ToAddRequest(call->request()), [call](const Outcome& outcome) {
      if (outcome.code != ResultCode::kSuccess) {
        return call->Fail(
            ErrorOf(outcome),
            {call->request().entry().dn(), FieldOf(outcome.code, "entry.dn", "entry.attributes")});
      }
      FinishWrite(call, outcome, WantsCsn(call->request().return_attributes()));
    });
  });
}

ServerUnaryReactor* DirectoryServiceImpl::ModifyEntry(CallbackServerContext* context,
                                                      const grpc::ByteBuffer* octets,
                                                      grpc::ByteBuffer* answer) {
  const auto call = Begin<directory_pb::ModifyEntryRequest, directory_pb::ModifyEntryResponse>(
      context, MethodId::kModifyEntry, *octets, answer,
      [](const directory_pb::ModifyEntryRequest& request) {
        return TargetOf("modify", request.dn());
      });
  return WithCaller(call, [this, call](const RequestContext& caller) {
    model::Result<directory::ModifyRequest> modify = ToModifyRequest(call->request());
    if (!modify.ok()) {
      return call->Fail(modify.error(), {call->request().dn(), "modifications.operation"});
    }
    directory_->Modify(caller, std::move(modify).value(), [call](const Outcome& outcome) {
      if (outcome.code != ResultCode::kSuccess) {
        return call->Fail(ErrorOf(outcome, call->request().etag()),
                          {call->request().dn(), FieldOf(outcome.code, "dn", "modifications")});
      }
      FinishWrite(call, outcome, WantsCsn(call->request().return_attributes()));
    });
  });
}

ServerUnaryReactor* DirectoryServiceImpl::DeleteEntry(CallbackServerContext* context,
                                                      const grpc::ByteBuffer* octets,
                                                      grpc::ByteBuffer* answer) {
  const auto call = Begin<directory_pb::DeleteEntryRequest, directory_pb::DeleteEntryResponse>(
      context, MethodId::kDeleteEntry, *octets, answer,
      [](const directory_pb::DeleteEntryRequest& request) {
        return TargetOf("delete", request.dn());
      });
  return WithCaller(call, [this, call](const RequestContext& caller) {
    directory_->Delete(caller, ToDeleteRequest(call->request()), [call](const Outcome& outcome) {
      if (outcome.code != ResultCode::kSuccess) {
        return call->Fail(ErrorOf(outcome, call->request().etag()), {call->request().dn(), "dn"});
      }
      call->response()->set_change_number(outcome.change_number);
      call->Succeed();
    });
  });
}

ServerUnaryReactor* DirectoryServiceImpl::RenameEntry(CallbackServerContext* context,
                                                      const grpc::ByteBuffer* octets,
                                                      grpc::ByteBuffer* answer) {
  const auto call = Begin<directory_pb::RenameEntryRequest, directory_pb::RenameEntryResponse>(
      context, MethodId::kRenameEntry, *octets, answer,
      [](const directory_pb::RenameEntryRequest& request) {
        return TargetOf("modify_dn", request.dn(), "newrdn", model::LoggedName(request.new_rdn()));
      });
  return WithCaller(call, [this, call](const RequestContext& caller) {
    directory_->ModifyDn(
        caller, ToModifyDnRequest(call->request()), [call](const Outcome& outcome) {
          if (outcome.code != ResultCode::kSuccess) {
            return call->Fail(ErrorOf(outcome, call->request().etag()),
                              {call->request().dn(), FieldOf(outcome.code, "dn", "new_rdn")});
          }
          if (outcome.post_read) call->response()->set_dn(Utf8Dn(outcome.post_read->dn));
          call->response()->set_change_number(outcome.change_number);
          call->Succeed();
        });
  });
}

ServerUnaryReactor* DirectoryServiceImpl::ChangePassword(CallbackServerContext* context,
                                                         const grpc::ByteBuffer* octets,
                                                         grpc::ByteBuffer* answer) {
  const auto call =
      Begin<directory_pb::ChangePasswordRequest, directory_pb::ChangePasswordResponse>(
          context, MethodId::kChangePassword, *octets, answer,
          [](const directory_pb::ChangePasswordRequest& request) {
            return TargetOf("extended", request.dn(), "oid", kPasswordModifyOid);
          });
  return WithCaller(call, [this, call](const RequestContext& caller) {
    std::string whose = call->request().dn().empty() ? caller.subject.dn : call->request().dn();
    directory_->ModifyPassword(caller, ToModifyPasswordRequest(call->request()),
                               [call, whose = std::move(whose)](const Outcome& outcome) {
                                 if (outcome.code != ResultCode::kSuccess) {
                                   return call->Fail(
                                       ErrorOf(outcome),
                                       {whose, FieldOf(outcome.code, "dn", "new_password"), true});
                                 }
                                 if (outcome.generated_password) {
                                   call->response()->set_generated_password(
                                       std::string(outcome.generated_password->Reveal()));
                                 }
                                 call->response()->set_change_number(outcome.change_number);
                                 call->Succeed();
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
