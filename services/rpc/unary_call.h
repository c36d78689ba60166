// Unary calls of the public API and how they end.
#ifndef TWINTREE_SERVICES_RPC_UNARY_CALL_H_
#define TWINTREE_SERVICES_RPC_UNARY_CALL_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "services/directory/interest.h"
#include "services/model/result.h"
#include "services/rpc/error_translation.h"
#include "services/rpc/message_octets.h"
#include "services/rpc/observer.h"

namespace twintree::rpc {

// The log of a call; null unless the access log is on.
std::shared_ptr<CallLog> LogOf(const grpc::CallbackServerContext& context, MethodId method,
                               const CallTarget& target);

// What a call is about, for the access log. Empty unless that is on. REQUIRES: `extra` holds no
// secret.
CallTarget TargetOf(std::string_view kind, const std::string& dn, std::string_view extra_key = {},
                    std::string extra = {});

// gRPC's end of a unary call; lives until gRPC has done with it.
class UnaryReactor final : public grpc::ServerUnaryReactor {
 public:
  // In the call's answer: lost when the call is cancelled.
  const std::shared_ptr<directory::SingleInterest>& interest() const { return interest_; }

  void OnCancel() override { interest_->Lose(); }
  void OnDone() override { delete this; }

 private:
  // As gRPC's default reactor: what is done here is too little for a thread of its own.
  bool InternalInlineable() override { return true; }

  const std::shared_ptr<directory::SingleInterest> interest_ =
      std::make_shared<directory::SingleInterest>();
};

class UnaryCall {
 public:
  UnaryCall(grpc::CallbackServerContext* context, RpcObserver* observer, MethodId method,
            const grpc::ByteBuffer& octets, const CallTarget& target)
      : context_(context),
        body_bytes_(octets.Length()),
        reactor_(new UnaryReactor),
        observed_(observer, method, LogOf(*context, method, target)) {}

  grpc::CallbackServerContext* context() const { return context_; }
  UnaryReactor* reactor() const { return reactor_; }
  std::size_t body_bytes() const { return body_bytes_; }
  const ObservedCall& observed() const { return observed_; }
  // REQUIRES: called once. The context and the answer's octets are gone afterwards.
  void Finish(const grpc::Status& status) const {
    observed_.Handled(status.error_code());
    reactor_->Finish(status);
  }
  void Fail(const model::Error& error, const ErrorContext& context) const {
    observed_.SetResult(error.code, error.message);
    Finish(ToGrpcStatus(error, context));
  }

 private:
  grpc::CallbackServerContext* context_;
  std::size_t body_bytes_;
  UnaryReactor* reactor_;  // its own; gone with the context
  ObservedCall observed_;
};

// A call with its request and response, which live as long as this.
//
// Thread-safety: compatible.
template <typename Request, typename Response>
class MessageCall : public UnaryCall {
 public:
  // `answer` lives until the call has ended.
  static std::shared_ptr<MessageCall> Begin(grpc::CallbackServerContext* context,
                                            RpcObserver* observer, MethodId method,
                                            const grpc::ByteBuffer& octets,
                                            grpc::ByteBuffer* answer,
                                            CallTarget (*target)(const Request&)) {
    auto request = std::make_unique<Request>();
    model::Status parsed = ParseOctets(octets, request.get());
    const UnaryCall call(context, observer, method, octets, target(*request));
    return std::shared_ptr<MessageCall>(
        new MessageCall(call, std::move(request), std::move(parsed), answer));
  }

  // Is the request one? An error is to be answered with it.
  const model::Status& parsed() const { return parsed_; }
  const Request& request() const { return *request_; }
  Response* response() { return &response_; }

  // Ends the call with the response. REQUIRES: nothing else has.
  void Succeed() const {
    WriteOctets(response_, answer_);
    Finish(grpc::Status::OK);
  }

 private:
  MessageCall(const UnaryCall& call, std::unique_ptr<const Request> request, model::Status parsed,
              grpc::ByteBuffer* answer)
      : UnaryCall(call),
        request_(std::move(request)),
        parsed_(std::move(parsed)),
        answer_(answer) {}

  const std::unique_ptr<const Request> request_;
  const model::Status parsed_;
  grpc::ByteBuffer* const answer_;
  Response response_;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_UNARY_CALL_H_
