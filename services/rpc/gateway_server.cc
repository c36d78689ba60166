#include "services/rpc/gateway_server.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "services/log/limiter.h"
#include "services/log/log.h"
#include "services/rpc/call_log.h"
#include "services/rpc/gateway_server_stream.h"

namespace twintree::rpc {
namespace {

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

Digest Sha256(std::string_view octets) {
  Digest digest;
  SHA256(reinterpret_cast<const unsigned char*>(octets.data()), octets.size(), digest.data());
  return digest;
}

// In a time that does not depend on where they differ, nor on the length of either.
bool SameSecret(std::string_view a, std::string_view b) {
  const Digest x = Sha256(a);
  const Digest y = Sha256(b);
  return CRYPTO_memcmp(x.data(), y.data(), x.size()) == 0;
}

// A stream that was refused.
class RefusedStream final
    : public grpc::ServerBidiReactor<gateway_pb::ConnectRequest, gateway_pb::ConnectResponse> {
 public:
  explicit RefusedStream(const grpc::Status& status) { Finish(status); }
  void OnDone() override { delete this; }
};

class GatewayServerImpl final : public GatewayServer,
                                public gateway_pb::GatewayService::CallbackService {
 public:
  GatewayServerImpl(std::shared_ptr<directory::Directory> directory, GatewayServerOptions options)
      : directory_(std::move(directory)), options_(std::move(options)) {}

  grpc::Service* service() override { return this; }

  void RetireStreams() override {
    std::vector<std::shared_ptr<GatewayServerStream>> streams;
    {
      std::lock_guard lock(mutex_);
      retiring_ = true;
      for (const auto& [key, stream] : streams_) {
        if (auto alive = stream.lock()) streams.push_back(std::move(alive));
      }
    }
    for (const auto& stream : streams) stream->Retire();
  }

  grpc::ServerBidiReactor<gateway_pb::ConnectRequest, gateway_pb::ConnectResponse>* Connect(
      grpc::CallbackServerContext* context) override {
    ObservedCall call(options_.observer, MethodId::kConnect);
    grpc::Status status = Admit(*context);
    if (!status.ok()) {
      TellRefusal(*context, status);
      call.Handled(status.error_code());
      return new RefusedStream(status);
    }
    auto stream = std::make_shared<GatewayServerStream>(
        directory_, call, [this](GatewayServerStream* closed) { Forget(closed); });
    GatewayServerStream* const raw = stream.get();
    bool retiring = false;
    {
      std::lock_guard lock(mutex_);
      streams_.emplace(raw, stream);
      retiring = retiring_;
    }
    raw->Start(options_.max_stream_age);
    if (retiring) raw->Retire();
    return raw;
  }

 private:
  grpc::Status Admit(const grpc::CallbackServerContext& context) {
    if (TokensShown(context) < 2 && (HasToken(context) || HasCertificate(context))) {
      std::lock_guard lock(mutex_);
      if (!retiring_) return grpc::Status::OK;
      return grpc::Status(grpc::StatusCode::UNAVAILABLE, "this directory is shutting down");
    }
    return grpc::Status(grpc::StatusCode::UNAUTHENTICATED, WhyRefused(context));
  }

  static std::size_t TokensShown(const grpc::CallbackServerContext& context) {
    return context.client_metadata().count("authorization");
  }

  std::string WhyRefused(const grpc::CallbackServerContext& context) const {
    const std::size_t tokens = TokensShown(context);
    if (tokens > 1) return "it shows more than one gateway token";
    const bool shows_token = tokens > 0;
    const auto auth = context.auth_context();
    const bool shows_certificate = auth != nullptr && auth->IsPeerAuthenticated();
    if (shows_token && !options_.token.empty()) return "its gateway token is wrong";
    if (shows_token) return "gateway tokens are not accepted, only client certificates";
    if (shows_certificate && options_.certificate_names.empty()) {
      return "client certificates are not accepted, only the gateway token";
    }
    if (shows_certificate) return "its client certificate has no name of a gateway";
    return "it shows neither a gateway token nor a client certificate";
  }

  // At most one warning in a while: refused gateways come back every few seconds.
  void TellRefusal(const grpc::CallbackServerContext& context, const grpc::Status& status) {
    if (status.error_code() != grpc::StatusCode::UNAUTHENTICATED) return;
    const std::optional<std::uint64_t> others = refusals_.Pass();
    if (!others) return;
    log::Event event = log::Warning("gateway_refused");
    event.With("peer", LoggedPeer(context.peer())).With("reason", status.error_message());
    if (*others > 0) event.With("refused_meanwhile", *others);
  }

  bool HasToken(const grpc::CallbackServerContext& context) const {
    if (options_.token.empty()) return false;
    const auto field = context.client_metadata().find("authorization");
    if (field == context.client_metadata().end()) return false;
    const std::string_view value(field->second.data(), field->second.size());
    constexpr std::string_view kScheme = "Bearer ";
    return value.substr(0, kScheme.size()) == kScheme &&
           SameSecret(value.substr(kScheme.size()), options_.token.Reveal());
  }

  bool HasCertificate(const grpc::CallbackServerContext& context) const {
    const auto auth = context.auth_context();
    if (options_.certificate_names.empty() || auth == nullptr || !auth->IsPeerAuthenticated()) {
      return false;
    }
    for (const std::string& wanted : options_.certificate_names) {
      if (wanted == "*") return true;
      for (const char* property : {"x509_subject_alternative_name", "x509_common_name"}) {
        for (const grpc::string_ref& name : auth->FindPropertyValues(property)) {
          if (std::string_view(name.data(), name.size()) == wanted) return true;
        }
      }
    }
    return false;
  }

  void Forget(GatewayServerStream* stream) {
    std::lock_guard lock(mutex_);
    streams_.erase(stream);
  }

  const std::shared_ptr<directory::Directory> directory_;
  const GatewayServerOptions options_;

  log::Limiter refusals_;

  std::mutex mutex_;
  // Guarded by mutex_.
  std::unordered_map<GatewayServerStream*, std::weak_ptr<GatewayServerStream>> streams_;
  bool retiring_ = false;
};

}  // namespace

std::unique_ptr<GatewayServer> GatewayServer::Make(std::shared_ptr<directory::Directory> directory,
                                                   GatewayServerOptions options) {
  return std::make_unique<GatewayServerImpl>(std::move(directory), std::move(options));
}

}  // namespace twintree::rpc
