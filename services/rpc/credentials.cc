#include "services/rpc/credentials.h"

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <grpcpp/support/channel_arguments.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "services/tls/openssl_error.h"

namespace twintree::rpc {
namespace {

using grpc::experimental::FileWatcherCertificateProvider;
using tls::PemContent;
using tls::TakeFileError;

constexpr unsigned int kReloadSeconds = 10;

// OpenSSL would ask on the terminal. Notes that it wanted to.
int RefusePassphrase(char*, int, int, void* was_asked) {
  *static_cast<bool*>(was_asked) = true;
  return -1;
}

// gRPC only logs what is wrong with a file, so they are looked at before.
model::Status CheckKeyPair(const std::string& certificate_file, const std::string& key_file) {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_method()),
                                                                  SSL_CTX_free);
  if (context == nullptr) {
    return model::Error{model::ResultCode::kOther, "cannot set up TLS: " + tls::TakeError(), ""};
  }
  bool is_encrypted = false;
  SSL_CTX_set_default_passwd_cb(context.get(), RefusePassphrase);
  SSL_CTX_set_default_passwd_cb_userdata(context.get(), &is_encrypted);
  if (SSL_CTX_use_certificate_chain_file(context.get(), certificate_file.c_str()) != 1) {
    return TakeFileError("cannot use the certificate", certificate_file, PemContent::kCertificate);
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
    if (!is_encrypted) {
      return TakeFileError("cannot use the key", key_file, PemContent::kPrivateKey);
    }
    ERR_clear_error();
    return model::Error{model::ResultCode::kOther,
                        "cannot use the key " + key_file +
                            ": it is encrypted; 'openssl pkey -in KEY -out PLAIN' writes it "
                            "without a passphrase",
                        ""};
  }
  return model::OkStatus();
}

model::Status CheckCertificateAuthority(const std::string& file) {
  const std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)> store(X509_STORE_new(),
                                                                      X509_STORE_free);
  if (store == nullptr || X509_STORE_load_file(store.get(), file.c_str()) != 1) {
    return TakeFileError("cannot use the authorities in", file, PemContent::kCertificate);
  }
  return model::OkStatus();
}

}  // namespace

model::Result<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(
    const std::optional<ServerTls>& tls) {
  if (!tls) return grpc::InsecureServerCredentials();
  TT_RETURN_IF_ERROR(CheckKeyPair(tls->certificate_file, tls->key_file));
  const bool asks_clients = !tls->client_ca_file.empty();
  if (asks_clients) TT_RETURN_IF_ERROR(CheckCertificateAuthority(tls->client_ca_file));
  grpc::experimental::TlsServerCredentialsOptions options(
      std::make_shared<FileWatcherCertificateProvider>(tls->key_file, tls->certificate_file,
                                                       tls->client_ca_file, kReloadSeconds));
  options.watch_identity_key_cert_pairs();
  if (asks_clients) {
    options.watch_root_certs();
    options.set_cert_request_type(GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY);
  }
  return grpc::experimental::TlsServerCredentials(options);
}

model::Status CheckTlsFiles(const ClientTls& tls) {
  if (!tls.certificate_file.empty()) {
    TT_RETURN_IF_ERROR(CheckKeyPair(tls.certificate_file, tls.key_file));
  }
  if (tls.ca_file.empty()) return model::OkStatus();
  return CheckCertificateAuthority(tls.ca_file);
}

model::Result<std::shared_ptr<grpc::ChannelCredentials>> MakeChannelCredentials(
    const std::optional<ClientTls>& tls, grpc::ChannelArguments* arguments) {
  if (!tls) return grpc::InsecureChannelCredentials();
  const bool has_pair = !tls->certificate_file.empty();
  const bool has_ca = !tls->ca_file.empty();
  TT_RETURN_IF_ERROR(CheckTlsFiles(*tls));
  if (!tls->server_name.empty()) arguments->SetSslTargetNameOverride(tls->server_name);

  grpc::experimental::TlsChannelCredentialsOptions options;
  if (has_pair || has_ca) {
    options.set_certificate_provider(std::make_shared<FileWatcherCertificateProvider>(
        tls->key_file, tls->certificate_file, tls->ca_file, kReloadSeconds));
  }
  if (has_pair) options.watch_identity_key_cert_pairs();
  if (has_ca) options.watch_root_certs();
  return grpc::experimental::TlsCredentials(options);
}

}  // namespace twintree::rpc
