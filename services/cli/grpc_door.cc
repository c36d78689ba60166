#include "services/cli/grpc_door.h"

#include <chrono>
#include <utility>

#include "services/cli/addresses.h"
#include "services/cli/input_files.h"
#include "services/cli/memory_limit.h"
#include "services/cli/tls_files.h"
#include "services/log/log.h"

namespace twintree::cli {
namespace {

class GrpcObserver : public rpc::RpcObserver {
 public:
  explicit GrpcObserver(std::shared_ptr<metrics::GrpcMetrics> metrics)
      : metrics_(std::move(metrics)) {
    for (const rpc::RpcMethod& method : rpc::AllRpcMethods()) {
      metrics_->Declare(method.type, method.service, method.name);
    }
  }
  void OnStarted(const rpc::RpcMethod& method) override {
    metrics_->Started(method.type, method.service, method.name);
  }
  void OnHandled(const rpc::RpcMethod& method, int code,
                 std::chrono::nanoseconds duration) override {
    metrics_->Handled(method.type, method.service, method.name, rpc::GrpcCodeName(code), duration);
  }

 private:
  const std::shared_ptr<metrics::GrpcMetrics> metrics_;
};

}  // namespace

model::Result<rpc::GrpcServerOptions> PlanGrpcDoor(const GrpcSettings& settings,
                                                   const TlsSettings& tls) {
  TT_RETURN_IF_ERROR(CheckTlsSettings(tls));
  if (!settings.gateway_names.empty() && tls.client_ca_file.empty()) {
    return model::Error{model::ResultCode::kOther,
                        "--gateway-name needs --tls-client-ca, --tls-cert and --tls-key", ""};
  }
  rpc::GrpcServerOptions options;
  TT_ASSIGN_OR_RETURN(options.listen, GrpcListenAddress("--grpc-listen", settings.grpc_listen));
  options.reflection = settings.reflection;
  options.max_connection_age = std::chrono::seconds(settings.max_connection_age_seconds);
  options.max_transport_bytes = DefaultTransportBytes(MemoryLimit());
  if (!tls.certificate_file.empty()) {
    options.tls = rpc::ServerTls{tls.certificate_file, tls.key_file, tls.client_ca_file};
    options.tls_required = settings.grpc_tls == "require";
    // Who shows a certificate of the operator's own authority may be a gateway.
    options.gateway_certificate_names = settings.gateway_names;
  } else if (settings.grpc_tls == "require") {
    return model::Error{model::ResultCode::kOther,
                        "--grpc-tls require needs --tls-cert and --tls-key", ""};
  }
  if (!settings.gateway_token_file.empty()) {
    TT_ASSIGN_OR_RETURN(options.gateway_token,
                        ReadSecretFile("--gateway-token-file", settings.gateway_token_file));
  }
  return options;
}

model::Result<std::unique_ptr<rpc::GrpcServer>> StartGrpcDoor(
    rpc::GrpcServerOptions plan, std::shared_ptr<directory::Directory> directory,
    std::shared_ptr<const directory::LocalDirectory> engine,
    std::shared_ptr<metrics::GrpcMetrics> metrics) {
  plan.authentication.password_state = [engine = std::move(engine)](std::string_view dn) {
    return engine->PasswordState(dn);
  };
  plan.observer = std::make_shared<GrpcObserver>(std::move(metrics));
  TT_ASSIGN_OR_RETURN(auto server, rpc::GrpcServer::Start(std::move(directory), std::move(plan)));
  log::Info("listening").With("protocol", "grpc").With("address", server->address());
  return server;
}

}  // namespace twintree::cli
