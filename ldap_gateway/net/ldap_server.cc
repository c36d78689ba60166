#include "ldap_gateway/net/ldap_server.h"

#include <unistd.h>

#include <utility>

#include "ldap_gateway/net/worker.h"
#include "services/log/log.h"

namespace twintree::ldap {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Status;

Error Failed(const char* message) { return Error{ResultCode::kOther, message, {}}; }

Status CheckOptions(const LdapServerOptions& options) {
  if (options.threads == 0) return Failed("the LDAP door needs a thread at least");
  if (options.max_connections == 0) return Failed("the LDAP door must allow a connection at least");
  if (!options.ldaps_listen.empty() && !options.tls.enabled()) {
    return Failed("LDAPS needs a certificate and a key");
  }
  const LdapTimeouts& t = options.timeouts;
  if (t.read.count() <= 0 || t.write.count() <= 0 || t.handshake.count() <= 0) {
    return Failed("the timeouts for reading, writing and the TLS handshake must be positive");
  }
  const SessionLimits& limits = options.limits;
  if (limits.max_pending_operations == 0 || limits.output_low_watermark_bytes == 0 ||
      limits.output_low_watermark_bytes > limits.output_high_watermark_bytes ||
      limits.output_high_watermark_bytes > limits.max_output_bytes) {
    return Failed("the limits of an LDAP session contradict one another");
  }
  return model::OkStatus();
}

Result<std::vector<Listener>> ListenEverywhere(const LdapServerOptions& options) {
  std::vector<Listener> all;
  for (const std::string& text : options.ldap_listen) {
    TT_ASSIGN_OR_RETURN(auto some, ListenTcp(Transport::kLdap, text, options.threads));
    for (Listener& listener : some) all.push_back(std::move(listener));
  }
  for (const std::string& text : options.ldaps_listen) {
    TT_ASSIGN_OR_RETURN(auto some, ListenTcp(Transport::kLdaps, text, options.threads));
    for (Listener& listener : some) all.push_back(std::move(listener));
  }
  for (const std::string& path : options.ldapi_listen) {
    TT_ASSIGN_OR_RETURN(Listener listener, ListenUnix(path, options.threads, options.ldapi_mode));
    all.push_back(std::move(listener));
  }
  return all;
}

}  // namespace

class LdapServer::Impl {
 public:
  Impl(std::shared_ptr<ServerState> state, std::vector<std::string> socket_files)
      : state_(std::move(state)), socket_files_(std::move(socket_files)) {}

  ~Impl() { Stop(); }

  void AddWorker(std::vector<Worker::Socket> sockets) {
    workers_.push_back(std::make_shared<Worker>(state_, std::move(sockets)));
  }
  void Start() {
    for (const auto& worker : workers_) worker->Start();
  }
  void Drain(std::chrono::milliseconds limit) {
    for (const auto& worker : workers_) worker->BeginDrain();
    if (!WaitUntilEmpty(limit)) {
      for (const auto& worker : workers_) worker->CutOff();
      WaitUntilEmpty(kCutOffTime);
    }
    Stop();
  }
  std::size_t connections() const {
    const std::lock_guard lock(state_->mutex);
    return state_->connections;
  }
  TlsContext* tls() const { return state_->tls.get(); }

 private:
  bool WaitUntilEmpty(std::chrono::milliseconds limit) {
    std::unique_lock lock(state_->mutex);
    return state_->changed.wait_for(lock, limit, [this] { return state_->connections == 0; });
  }
  void Stop() {
    for (const auto& worker : workers_) worker->Stop();
    workers_.clear();
    for (const std::string& path : std::exchange(socket_files_, {})) unlink(path.c_str());
  }

  const std::shared_ptr<ServerState> state_;
  std::vector<std::shared_ptr<Worker>> workers_;
  std::vector<std::string> socket_files_;
};

LdapServer::LdapServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

LdapServer::~LdapServer() = default;

Result<std::unique_ptr<LdapServer>> LdapServer::Start(
    const LdapServerOptions& options, std::shared_ptr<directory::Directory> directory) {
  TT_RETURN_IF_ERROR(CheckOptions(options));
  auto state = std::make_shared<ServerState>();
  if (options.tls.enabled()) {
    TT_ASSIGN_OR_RETURN(state->tls, TlsContext::Load(options.tls));
  }
  state->door = std::make_shared<const Door>(std::move(directory), options.observer, options.limits,
                                             state->tls != nullptr);
  state->timeouts = options.timeouts;
  state->max_connections = options.max_connections;
  TT_ASSIGN_OR_RETURN(std::vector<Listener> listeners, ListenEverywhere(options));
  std::unique_ptr<LdapServer> server(
      new LdapServer(std::make_unique<Impl>(std::move(state), options.ldapi_listen)));
  for (std::size_t i = 0; i < options.threads; ++i) {
    std::vector<Worker::Socket> sockets;
    sockets.reserve(listeners.size());
    for (Listener& listener : listeners) {
      sockets.push_back({listener.bound.transport, std::move(listener.sockets[i])});
    }
    server->impl_->AddWorker(std::move(sockets));
  }
  server->impl_->Start();
  for (const Listener& listener : listeners) {
    log::Info("listening")
        .With("protocol", TransportName(listener.bound.transport))
        .With("address", listener.bound.address);
    server->addresses_.push_back(listener.bound);
  }
  return server;
}

std::size_t LdapServer::connections() const { return impl_->connections(); }

std::optional<std::chrono::system_clock::time_point> LdapServer::certificate_not_after() const {
  if (impl_->tls() == nullptr) return std::nullopt;
  return impl_->tls()->not_after();
}

void LdapServer::ReloadCertificate() {
  if (impl_->tls() != nullptr) impl_->tls()->ReloadIfChanged();
}

void LdapServer::Drain(std::chrono::milliseconds limit) { impl_->Drain(limit); }

}  // namespace twintree::ldap
