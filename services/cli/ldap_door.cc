#include "services/cli/ldap_door.h"

#include <string>
#include <utility>

#include "services/cli/addresses.h"
#include "services/cli/tls_files.h"

namespace twintree::cli {
namespace {

using ldap::OperationKind;
using metrics::LdapMetrics;

LdapMetrics::Transport TransportOf(ldap::Transport transport) {
  switch (transport) {
    case ldap::Transport::kLdap: return LdapMetrics::kLdap;
    case ldap::Transport::kLdaps: return LdapMetrics::kLdaps;
    case ldap::Transport::kLdapi: return LdapMetrics::kLdapi;
  }
  return LdapMetrics::kLdap;
}

LdapMetrics::Operation OperationOf(OperationKind kind) {
  switch (kind) {
    case OperationKind::kBind: return LdapMetrics::kBind;
    case OperationKind::kUnbind: return LdapMetrics::kUnbind;
    case OperationKind::kSearch: return LdapMetrics::kSearch;
    case OperationKind::kModify: return LdapMetrics::kModify;
    case OperationKind::kAdd: return LdapMetrics::kAdd;
    case OperationKind::kDelete: return LdapMetrics::kDelete;
    case OperationKind::kModifyDn: return LdapMetrics::kModifyDn;
    case OperationKind::kCompare: return LdapMetrics::kCompare;
    case OperationKind::kAbandon: return LdapMetrics::kAbandon;
    case OperationKind::kExtended: return LdapMetrics::kExtended;
  }
  return LdapMetrics::kExtended;
}

LdapMetrics::Mechanism MechanismOf(ldap::BindMechanism mechanism) {
  switch (mechanism) {
    case ldap::BindMechanism::kSimple: return LdapMetrics::kSimple;
    case ldap::BindMechanism::kAnonymous: return LdapMetrics::kAnonymous;
    case ldap::BindMechanism::kUnauthenticated: return LdapMetrics::kUnauthenticated;
    case ldap::BindMechanism::kSasl: return LdapMetrics::kSasl;
    case ldap::BindMechanism::kOther: break;
  }
  return LdapMetrics::kOtherBind;
}

LdapMetrics::Control ControlOf(ldap::ControlKind kind) {
  switch (kind) {
    case ldap::ControlKind::kPagedResults: return LdapMetrics::kPagedResults;
    case ldap::ControlKind::kAssertion: return LdapMetrics::kAssertion;
    case ldap::ControlKind::kPreRead: return LdapMetrics::kPreRead;
    case ldap::ControlKind::kPostRead: return LdapMetrics::kPostRead;
    case ldap::ControlKind::kManageDsaIt: return LdapMetrics::kManageDsaIt;
    case ldap::ControlKind::kOther: break;
  }
  return LdapMetrics::kOtherControl;
}

class LdapObserver : public ldap::ConnectionObserver {
 public:
  explicit LdapObserver(std::shared_ptr<LdapMetrics> metrics) : metrics_(std::move(metrics)) {}

  void OnOpened(ldap::Transport transport) override { metrics_->Opened(TransportOf(transport)); }
  void OnClosed(ldap::Transport transport) override { metrics_->Closed(TransportOf(transport)); }
  void OnRefused(ldap::Transport transport) override { metrics_->Refused(TransportOf(transport)); }
  void OnReceived(std::size_t bytes) override { metrics_->Received(bytes); }
  void OnSent(std::size_t bytes) override { metrics_->Sent(bytes); }
  void OnTlsHandshake(bool succeeded) override { metrics_->Handshake(succeeded); }
  void OnOperation(OperationKind kind, model::ResultCode code, std::chrono::nanoseconds duration,
                   std::uint64_t entries) override {
    metrics_->Request(OperationOf(kind), code, duration, entries);
  }
  void OnBind(ldap::BindMechanism mechanism, model::ResultCode code) override {
    metrics_->Bind(MechanismOf(mechanism), code);
  }
  void OnControls(const ldap::ControlCounts& counts) override {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] != 0)
        metrics_->Controls(ControlOf(static_cast<ldap::ControlKind>(i)), counts[i]);
    }
  }

 private:
  const std::shared_ptr<LdapMetrics> metrics_;
};

}  // namespace

model::Status CheckLdapSettings(const LdapSettings& settings, const TlsSettings& tls) {
  TT_RETURN_IF_ERROR(CheckTlsSettings(tls));
  if (settings.ldaps_asked() && !settings.ldaps_listen.empty() && tls.certificate_file.empty()) {
    return model::Error{
        model::ResultCode::kOther,
        "--ldaps-listen '" + settings.ldaps_listen + "' needs --tls-cert and --tls-key", ""};
  }
  if (!settings.ldap_listen.empty()) {
    TT_RETURN_IF_ERROR(CheckListenAddress("--ldap-listen", settings.ldap_listen));
  }
  if (!settings.ldaps_listen.empty()) {
    TT_RETURN_IF_ERROR(CheckListenAddress("--ldaps-listen", settings.ldaps_listen));
  }
  if (settings.ldapi_listen.empty()) return model::OkStatus();
  return CheckSocketPath("--ldapi-listen", settings.ldapi_listen);
}

model::Result<std::unique_ptr<ldap::LdapServer>> StartLdapDoor(
    const LdapSettings& settings, const TlsSettings& tls, const ProcessSettings& process,
    std::shared_ptr<directory::Directory> directory,
    std::shared_ptr<metrics::LdapMetrics> metrics) {
  ldap::LdapServerOptions options;
  if (!settings.ldap_listen.empty()) options.ldap_listen.push_back(settings.ldap_listen);
  if (!settings.ldaps_listen.empty() && !tls.certificate_file.empty()) {
    options.ldaps_listen.push_back(settings.ldaps_listen);
  }
  if (!settings.ldapi_listen.empty()) options.ldapi_listen.push_back(settings.ldapi_listen);
  options.ldapi_mode = settings.ldapi_mode;
  options.threads = ThreadCount(process);
  options.tls.certificate_file = tls.certificate_file;
  options.tls.key_file = tls.key_file;
  options.tls.client_ca_file = tls.client_ca_file;
  options.timeouts.idle = std::chrono::seconds(settings.idle_timeout_seconds);
  options.timeouts.read = std::chrono::seconds(settings.read_timeout_seconds);
  options.timeouts.write = std::chrono::seconds(settings.write_timeout_seconds);
  options.timeouts.handshake = std::chrono::seconds(settings.handshake_timeout_seconds);
  options.max_connections = settings.max_connections;
  options.observer = std::make_shared<LdapObserver>(std::move(metrics));
  return ldap::LdapServer::Start(options, std::move(directory));
}

}  // namespace twintree::cli
