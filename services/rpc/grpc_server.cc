#include "services/rpc/grpc_server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/service_type.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "services/log/limiter.h"
#include "services/log/log.h"
#include "services/log/peer.h"
#include "services/rpc/credentials.h"
#include "services/rpc/directory_service.h"
#include "services/rpc/gateway_limits.h"
#include "services/rpc/gateway_server.h"
#include "services/rpc/health_service.h"
#include "services/rpc/port_splitter.h"
#include "services/rpc/search_calls.h"
#include "services/rpc/tcp_listener.h"

namespace twintree::rpc {
namespace {

using grpc::experimental::ExternalConnectionAcceptor;
using std::chrono::milliseconds;

// Clients may ping this often, also without calls; gateways do so every five seconds.
constexpr int kMinPingIntervalMs = 3000;
// A client that has vanished is noticed after two minutes.
constexpr int kKeepaliveTimeMs = 100000;
constexpr int kKeepaliveTimeoutMs = 20000;
// Gateway streams leave this much before gRPC would cut their connection off: its ages vary by a
// tenth.
constexpr int kStreamAgePercent = 80;
constexpr std::string_view kUnixScheme = "unix:";
// Three for each of the snapshots that may be open.
constexpr std::size_t kMostKeptDescriptors = 2048;

// Takes reflection off one server; linking gRPC's library adds it to every server of the process.
class NoReflectionOption final : public grpc::ServerBuilderOption {
 public:
  void UpdateArguments(grpc::ChannelArguments*) override {}
  void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
    const std::string name = grpc::reflection::ProtoServerReflectionPlugin().name();
    std::erase_if(*plugins, [&name](const auto& plugin) { return plugin->name() == name; });
  }
};

GatewayServerOptions GatewayOptions(const GrpcServerOptions& options) {
  GatewayServerOptions gateway;
  gateway.token = options.gateway_token;
  gateway.certificate_names = options.gateway_certificate_names;
  gateway.max_stream_age = options.max_connection_age * kStreamAgePercent / 100;
  gateway.observer = options.observer.get();
  return gateway;
}

std::vector<std::string> ServiceNames(const GrpcServerOptions& options) {
  std::vector<std::string> names = {std::string(kDirectoryServiceName)};
  if (GatewayOptions(options).enabled()) names.emplace_back(kGatewayServiceName);
  return names;
}

int Milliseconds(milliseconds duration) { return static_cast<int>(duration.count()); }

void SetArguments(const GrpcServerOptions& options, grpc::ServerBuilder* builder) {
  // A second server on the same port is a mistake, not a way to share it.
  builder->AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveTimeMs);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                              kMinPingIntervalMs);
  builder->AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
                              Milliseconds(options.handshake_limit));
  builder->AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, options.max_calls_per_connection);
  if (options.max_connection_age.count() > 0) {
    builder->AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS,
                                Milliseconds(options.max_connection_age));
    builder->AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS,
                                Milliseconds(options.connection_age_grace));
  }
  grpc::ResourceQuota quota;
  quota.Resize(options.max_transport_bytes);
  builder->SetResourceQuota(quota);
  // A gateway's message is up to two batches long.
  builder->SetMaxReceiveMessageSize(
      static_cast<int>(std::max(options.max_request_bytes, 3 * kMaxBatchBytes)));
}

// What connections leave of the descriptors for the store's readers, new listeners and the like.
std::size_t KeptDescriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return std::min<std::size_t>(limit.rlim_cur / 4, kMostKeptDescriptors);
}

std::unique_ptr<ExternalConnectionAcceptor> AddAcceptor(
    std::shared_ptr<grpc::ServerCredentials> credentials, grpc::ServerBuilder* builder) {
  using Type = grpc::ServerBuilder::experimental_type::ExternalConnectionType;
  return builder->experimental().AddExternalConnectionAcceptor(Type::FROM_FD,
                                                               std::move(credentials));
}

// The connection becomes gRPC's, which reads it from its first octet.
PortSplitterOptions::Take HandTo(ExternalConnectionAcceptor* acceptor) {
  return [acceptor](OwnedFd connection, int listener) {
    ExternalConnectionAcceptor::NewConnectionParameters parameters;
    parameters.listener_fd = listener;
    parameters.fd = connection.Release();
    acceptor->HandleNewConnection(&parameters);
  };
}

// gRPC would only say that a handshake has failed, not whose.
void RefusePlainText(const OwnedFd& connection, log::Limiter* limiter) {
  if (const std::optional<std::uint64_t> left_out = limiter->Pass()) {
    log::Event event = log::Warning("plain_text_refused");
    event.With("protocol", "grpc").With("peer", log::PeerOf(connection.get()));
    if (*left_out > 0) event.With("suppressed", *left_out);
  }
  // What was sent must not be left unread: the client should see an end, not a reset.
  char octets[4096];
  shutdown(connection.get(), SHUT_WR);
  for (int i = 0; i < 16 && recv(connection.get(), octets, sizeof octets, MSG_DONTWAIT) > 0; ++i) {
  }
}

class GrpcServerImpl final : public GrpcServer {
 public:
  GrpcServerImpl(std::shared_ptr<directory::Directory> directory, GrpcServerOptions options)
      : options_(std::move(options)),
        directory_service_(MakeDirectoryService(
            directory, options_.authentication,
            std::make_shared<SearchCalls>(options_.max_searches, options_.search_patience),
            options_.observer.get())),
        gateway_(GatewayServer::Make(directory, GatewayOptions(options_))),
        health_(HealthService::Make(ServiceNames(options_))) {}
  ~GrpcServerImpl() override { Drain(milliseconds(0)); }

  model::Status Listen() {
    TT_ASSIGN_OR_RETURN(const auto credentials, MakeServerCredentials(options_.tls));
    grpc::ServerBuilder builder;
    SetArguments(options_, &builder);
    if (!options_.reflection) builder.SetOption(std::make_unique<NoReflectionOption>());
    builder.RegisterService(directory_service_.get());
    if (GatewayOptions(options_).enabled()) builder.RegisterService(gateway_->service());
    builder.RegisterService(health_->service());
    if (!IsUnixSocket()) return ListenOnPort(credentials, &builder);
    TT_RETURN_IF_ERROR(CheckFree());
    builder.AddListeningPort(options_.listen, credentials, &port_);
    server_ = builder.BuildAndStart();
    // Unix sockets have port 1 by gRPC's count, so 0 is always a failure.
    if (server_ == nullptr || port_ == 0) return CannotListen();
    return model::OkStatus();
  }

  int port() const override { return IsUnixSocket() ? 0 : port_; }

  std::string address() const override {
    if (IsUnixSocket()) return options_.listen;
    return options_.listen.substr(0, options_.listen.rfind(':') + 1) + std::to_string(port_);
  }

  void SetServing(bool serving) override { health_->SetServing(serving); }

  void Drain(milliseconds limit) override {
    std::lock_guard lock(drain_mutex_);
    if (drained_ || server_ == nullptr) return;
    drained_ = true;
    health_->ShutDown();
    // gRPC loses connections that it is handed while it shuts down.
    if (splitter_ != nullptr) splitter_->Stop();
    gateway_->RetireStreams();
    server_->Shutdown(std::chrono::system_clock::now() + limit);
    server_->Wait();
  }

 private:
  model::Error CannotListen(const std::string& reason = "gRPC does not start there") const {
    return {model::ResultCode::kOther,
            "cannot listen for gRPC on " + options_.listen + ": " + reason, ""};
  }

  // gRPC only logs why it cannot listen, so that is tried before.
  model::Status CheckFree() const {
    const std::filesystem::path path = options_.listen.substr(kUnixScheme.size());
    std::error_code error;
    const auto kind = std::filesystem::status(path, error).type();
    if (kind != std::filesystem::file_type::not_found &&
        kind != std::filesystem::file_type::socket) {
      return CannotListen("there is a file that is no socket");
    }
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
      return CannotListen(folder + ": " + std::strerror(errno));
    }
    return model::OkStatus();
  }

  // Connections are accepted here, not by gRPC, which would take all descriptors there are.
  model::Status ListenOnPort(const std::shared_ptr<grpc::ServerCredentials>& credentials,
                             grpc::ServerBuilder* builder) {
    TT_ASSIGN_OR_RETURN(TcpListener listener,
                        ListenTcp(options_.listen, milliseconds(kKeepaliveTimeoutMs)));
    port_ = listener.port;
    acceptor_ = AddAcceptor(credentials, builder);
    const bool both = options_.tls && !options_.tls_required;
    if (both) plain_acceptor_ = AddAcceptor(grpc::InsecureServerCredentials(), builder);
    server_ = builder->BuildAndStart();
    if (server_ == nullptr) return CannotListen();
    PortSplitterOptions splitting;
    splitting.take_tls = HandTo(acceptor_.get());
    if (options_.tls && options_.tls_required) {
      splitting.take_plain = [this](const OwnedFd& connection, int) {
        RefusePlainText(connection, &plain_text_refusals_);
      };
    } else {
      splitting.take_plain = HandTo(both ? plain_acceptor_.get() : acceptor_.get());
    }
    splitting.kept_descriptors = KeptDescriptors();
    splitting.first_octet_limit = options_.handshake_limit;
    TT_ASSIGN_OR_RETURN(splitter_, PortSplitter::Start(std::move(listener), std::move(splitting)));
    return model::OkStatus();
  }

  bool IsUnixSocket() const { return options_.listen.starts_with(kUnixScheme); }

  const GrpcServerOptions options_;
  const std::unique_ptr<grpc::Service> directory_service_;
  const std::unique_ptr<GatewayServer> gateway_;
  const std::unique_ptr<HealthService> health_;
  int port_ = 0;
  std::mutex drain_mutex_;
  bool drained_ = false;  // guarded by drain_mutex_
  // The splitter hands to the acceptors. Null for a Unix socket, the second also where the port
  // does not take both TLS and plain text.
  std::unique_ptr<ExternalConnectionAcceptor> acceptor_;
  std::unique_ptr<ExternalConnectionAcceptor> plain_acceptor_;
  std::unique_ptr<grpc::Server> server_;
  log::Limiter plain_text_refusals_;
  std::unique_ptr<PortSplitter> splitter_;
};

}  // namespace

model::Result<std::unique_ptr<GrpcServer>> GrpcServer::Start(
    std::shared_ptr<directory::Directory> directory, GrpcServerOptions options) {
  auto server = std::make_unique<GrpcServerImpl>(std::move(directory), std::move(options));
  TT_RETURN_IF_ERROR(server->Listen());
  return std::unique_ptr<GrpcServer>(std::move(server));
}

std::string GrpcServer::LibraryVersion() { return grpc::Version(); }

}  // namespace twintree::rpc
