// Requests that are about the session itself: bind, unbind, abandon and the extended operations.
#include <utility>

#include "ldap_gateway/protocol/oids.h"
#include "ldap_gateway/session/session.h"
#include "services/model/quotation.h"

namespace twintree::ldap {
namespace {

using model::Error;
using model::ResultCode;

Error ProtocolError(std::string message) {
  return Error{ResultCode::kProtocolError, std::move(message), {}};
}

std::string_view MethodName(BindRequest::Method method) {
  switch (method) {
    case BindRequest::Method::kSimple: return "simple";
    case BindRequest::Method::kSasl: return "sasl";
    case BindRequest::Method::kUnknown: break;
  }
  return "unknown";
}

AccessDetails BindDetails(const BindRequest& request) {
  return DetailsOf(request.name, "method", std::string(MethodName(request.method)));
}

BindMechanism MechanismOf(const BindRequest& request) {
  switch (request.method) {
    case BindRequest::Method::kSimple: break;
    case BindRequest::Method::kSasl: return BindMechanism::kSasl;
    case BindRequest::Method::kUnknown: return BindMechanism::kOther;
  }
  if (!request.password.empty()) return BindMechanism::kSimple;
  return request.name.empty() ? BindMechanism::kAnonymous : BindMechanism::kUnauthenticated;
}

// Why this bind is refused without asking anybody.
model::Status CheckBind(const BindRequest& request) {
  if (request.version != 3) {
    return ProtocolError("bind: LDAP version " + std::to_string(request.version) +
                         " is not supported, only 3");
  }
  if (request.method == BindRequest::Method::kSasl) {
    return Error{ResultCode::kAuthMethodNotSupported,
                 "bind: SASL mechanism " + model::Quoted(request.sasl_mechanism) +
                     " is not supported, only simple authentication",
                 {}};
  }
  if (request.method == BindRequest::Method::kUnknown) {
    return Error{ResultCode::kAuthMethodNotSupported,
                 "bind: the authentication is not supported, only simple",
                 {}};
  }
  return model::OkStatus();
}

AccessDetails TargetDetails(MessageId id) { return DetailsOf({}, "target", std::to_string(id)); }

LdapResult ResultOf(const Error& error) { return {error.code, error.matched_dn, error.message}; }

}  // namespace

void Session::HandleBind(Incoming in) {
  auto request = DecodeBind(in.envelope.content);
  auto controls = ControlsOf(in);
  if (request.ok()) in.info.mechanism = MechanismOf(*request);
  if (!request.ok() || !controls.ok()) {
    context_.subject = {};
    const AccessDetails details = request.ok()
                                      ? BindDetails(*request)
                                      : DetailsOf(TargetNameOf(in.info.kind, in.envelope.content));
    return Reject(in, details, request.ok() ? controls.error() : request.error());
  }
  waiting_bind_.emplace(WaitingBind{in.info, *std::move(request)});
}

void Session::StartBind(WaitingBind bind) {
  context_.subject = {};
  AccessDetails details = BindDetails(bind.request);
  if (const model::Status status = CheckBind(bind.request); !status.ok()) {
    return Answer(bind.info, details, ResultOf(status.error()));
  }
  binding_ = true;
  auto task = std::make_shared<BindTask>(shared_from_this(), bind.info, std::move(details));
  context_.interest = task->interest();
  door_->directory().Bind(
      Context(),
      directory::BindRequest{std::move(bind.request.name), std::move(bind.request.password)},
      [task](directory::BindOutcome outcome) { task->Complete(std::move(outcome)); });
  context_.interest.reset();
  Track(std::move(task));
}

void Session::HandleUnbind(const Incoming& in) {
  Report(in.info, {}, ResultCode::kSuccess, {}, 0);
  next_ = Next::kClose;
  AbandonAll();
}

void Session::HandleAbandon(const Incoming& in) {
  const auto id = DecodeAbandon(in.envelope.content);
  const auto controls = ControlsOf(in);
  if (!id.ok()) return Reject(in, {}, id.error());
  const AccessDetails details = TargetDetails(*id);
  if (!controls.ok()) return Reject(in, details, controls.error());
  Report(in.info, details, ResultCode::kSuccess, {}, 0);
  Task* target = Find(*id);
  if (target == nullptr || target->info().kind != OperationKind::kSearch) return;
  const std::shared_ptr<Task> task = target->shared_from_this();
  Report(task->info(), task->details(), ResultCode::kCanceled, "abandoned", task->entries());
  Untrack(target);
  AnswerCancel(target, ResultCode::kCanceled);
  GiveUp(target);
}

void Session::HandleExtended(const Incoming& in) {
  const auto request = DecodeExtended(in.envelope.content);
  if (!request.ok()) return Reject(in, {}, request.error());
  const auto controls = ControlsOf(in);
  if (!controls.ok()) return Reject(in, ExtendedDetails(request->name), controls.error());
  if (request->name == oid::kWhoAmI) return HandleWhoAmI(in, *request);
  if (request->name == oid::kPasswordModify) return HandlePasswordModify(in, *request);
  if (request->name == oid::kStartTls) return HandleStartTls(in, *request);
  if (request->name == oid::kCancel) return HandleCancel(in, *request);
  Reject(in, ExtendedDetails(request->name),
         ProtocolError("extended operation " + model::Quoted(request->name) + " is not supported"));
}

void Session::HandleStartTls(const Incoming& in, const ExtendedRequest& request) {
  if (request.value)
    return Reject(in, ExtendedDetails(request.name),
                  ProtocolError("StartTLS: there must be no value"));
  if (peer_.tls_active) {
    return Reject(in, ExtendedDetails(request.name),
                  Error{ResultCode::kOperationsError, "StartTLS: TLS is active already", {}});
  }
  if (!door_->start_tls()) {
    return Reject(in, ExtendedDetails(request.name),
                  ProtocolError("StartTLS: this server has no certificate"));
  }
  if (!tasks_.empty()) {
    return Reject(
        in, ExtendedDetails(request.name),
        Error{ResultCode::kOperationsError, "StartTLS: other operations are under way", {}});
  }
  if (!in.last) {
    // They would be taken for something that came through TLS, and anybody could have sent them.
    return Disconnect(ResultCode::kProtocolError,
                      "StartTLS: octets follow before TLS was negotiated");
  }
  EncodeExtendedResponse(in.info.id, {}, oid::kStartTls, std::nullopt, output_.tail());
  Report(in.info, ExtendedDetails(request.name), ResultCode::kSuccess, {}, 0);
  next_ = Next::kStartTls;
}

void Session::HandleWhoAmI(const Incoming& in, const ExtendedRequest& request) {
  if (request.value)
    return Reject(in, ExtendedDetails(request.name),
                  ProtocolError("Who am I: there must be no value"));
  std::string authorization;
  if (!context_.subject.anonymous()) authorization = "dn:" + context_.subject.dn;
  EncodeExtendedResponse(in.info.id, {}, std::nullopt, authorization, output_.tail());
  Report(in.info, ExtendedDetails(request.name), ResultCode::kSuccess, {}, 0);
}

void Session::HandleCancel(const Incoming& in, const ExtendedRequest& request) {
  const auto id = DecodeCancel(request.value);
  if (!id.ok()) return Reject(in, ExtendedDetails(request.name), id.error());
  Task* target = Find(*id);
  if (target == nullptr) {
    return Reject(in, TargetDetails(*id),
                  Error{ResultCode::kNoSuchOperation,
                        "cancel: no operation " + std::to_string(*id) + " is under way",
                        {}});
  }
  if (target->info().kind != OperationKind::kSearch || target->canceled_by()) {
    return Reject(in, TargetDetails(*id),
                  Error{ResultCode::kCannotCancel,
                        "cancel: operation " + std::to_string(*id) + " cannot be canceled",
                        {}});
  }
  auto cancel = std::make_shared<CancelTask>(shared_from_this(), in.info, TargetDetails(*id));
  const std::shared_ptr<Task> task = target->shared_from_this();
  task->set_canceled_by(cancel);
  Track(std::move(cancel));
  task->Stop();
}

}  // namespace twintree::ldap
