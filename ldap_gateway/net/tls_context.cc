#include "ldap_gateway/net/tls_context.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>
#include <ctime>
#include <memory>
#include <utility>

#include "services/log/log.h"
#include "services/tls/openssl_error.h"

namespace twintree::ldap {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Status;
using tls::PemContent;
using tls::TakeFileError;

constexpr char kKeyIsEncrypted[] =
    "it is encrypted; 'openssl pkey -in KEY -out PLAIN' writes it without a passphrase";

// OpenSSL would ask on the terminal. Notes, where it is told to, that it wanted to.
int RefusePassphrase(char*, int, int, void* was_asked) {
  if (was_asked != nullptr) *static_cast<bool*>(was_asked) = true;
  return -1;
}

Status LoadKey(SSL_CTX* context, const std::string& file) {
  bool is_encrypted = false;
  SSL_CTX_set_default_passwd_cb_userdata(context, &is_encrypted);
  const bool loaded = SSL_CTX_use_PrivateKey_file(context, file.c_str(), SSL_FILETYPE_PEM) == 1;
  SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
  if (loaded) return model::OkStatus();
  if (!is_encrypted) return TakeFileError("cannot use the key", file, PemContent::kPrivateKey);
  ERR_clear_error();
  return Error{ResultCode::kOther, "cannot use the key " + file + ": " + kKeyIsEncrypted, {}};
}

// "2026-01-02 03:04:05 UTC"; empty for what is no time.
std::string TextOf(const ASN1_TIME* time) {
  std::tm parts{};
  std::array<char, 32> text{};
  if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1) return "";
  return {text.data(), std::strftime(text.data(), text.size(), "%F %T UTC", &parts)};
}

// Why it is not valid now; empty: it is.
std::string WhyNotValid(const X509& certificate) {
  const ASN1_TIME* const begin = X509_get0_notBefore(&certificate);
  const ASN1_TIME* const end = X509_get0_notAfter(&certificate);
  if (X509_cmp_current_time(end) < 0) return "it has expired on " + TextOf(end);
  if (X509_cmp_current_time(begin) > 0) return "it is not valid before " + TextOf(begin);
  return "";
}

Status LoadClientCa(SSL_CTX* context, const TlsOptions& options) {
  if (options.client_ca_file.empty()) return model::OkStatus();
  const char* file = options.client_ca_file.c_str();
  if (SSL_CTX_load_verify_locations(context, file, nullptr) != 1) {
    return TakeFileError("cannot use the client CA file", file, PemContent::kCertificate);
  }
  STACK_OF(X509_NAME)* names = SSL_load_client_CA_file(file);
  if (names == nullptr) {
    return TakeFileError("cannot use the client CA file", file, PemContent::kCertificate);
  }
  SSL_CTX_set_client_CA_list(context, names);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  return model::OkStatus();
}

void Configure(SSL_CTX* context) {
  static constexpr unsigned char kSessionContext[] = "twintree-ldap";
  SSL_CTX_set_default_passwd_cb(context, RefusePassphrase);
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(
      context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_id_context(context, kSessionContext, sizeof kSessionContext - 1);
  SSL_CTX_set_read_ahead(context, 1);
}

Result<std::shared_ptr<SSL_CTX>> MakeContext(const TlsOptions& options) {
  ERR_clear_error();
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SslDeleter());
  if (!context) return Error{ResultCode::kOther, "cannot set up TLS: " + tls::TakeError(), {}};
  Configure(context.get());
  if (SSL_CTX_use_certificate_chain_file(context.get(), options.certificate_file.c_str()) != 1) {
    return TakeFileError("cannot use the certificate", options.certificate_file,
                         PemContent::kCertificate);
  }
  TT_RETURN_IF_ERROR(LoadKey(context.get(), options.key_file));
  if (SSL_CTX_check_private_key(context.get()) != 1) {
    return TakeFileError("the certificate does not belong to the key", options.key_file,
                         PemContent::kPrivateKey);
  }
  TT_RETURN_IF_ERROR(LoadClientCa(context.get(), options));
  return context;
}

using X509Ptr = std::unique_ptr<X509, decltype(&X509_free)>;

// Of a PEM file; null for what cannot be read.
X509Ptr FirstCertificate(const std::string& file) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> input(BIO_new_file(file.c_str(), "r"), BIO_free);
  X509Ptr certificate(input == nullptr
                          ? nullptr
                          : PEM_read_bio_X509(input.get(), nullptr, RefusePassphrase, nullptr),
                      X509_free);
  ERR_clear_error();
  return certificate;
}

std::optional<std::chrono::system_clock::time_point> NotAfter(const X509& certificate) {
  std::tm end{};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(&certificate), &end) != 1) return std::nullopt;
  return std::chrono::system_clock::from_time_t(timegm(&end));
}

}  // namespace

void WarnUnlessValid(const std::string& file) {
  if (const X509Ptr certificate = FirstCertificate(file)) {
    const std::string reason = WhyNotValid(*certificate);
    if (!reason.empty()) {
      log::Warning("certificate_not_valid").With("file", file).With("reason", reason);
    }
  }
}

std::optional<std::chrono::system_clock::time_point> NotAfterOf(const std::string& file) {
  const X509Ptr certificate = FirstCertificate(file);
  if (certificate == nullptr) return std::nullopt;
  return NotAfter(*certificate);
}

Result<std::shared_ptr<TlsContext>> TlsContext::Load(TlsOptions options) {
  if (options.key_file.empty()) {
    return Error{
        ResultCode::kOther, "the certificate " + options.certificate_file + " has no key file", {}};
  }
  std::shared_ptr<TlsContext> tls(new TlsContext(std::move(options)));
  tls->stamps_ = tls->ReadStamps();
  TT_ASSIGN_OR_RETURN(tls->context_, MakeContext(tls->options_));
  return tls;
}

SslPtr TlsContext::NewServerSide(int fd) {
  std::shared_ptr<SSL_CTX> context;
  {
    const std::lock_guard lock(mutex_);
    context = context_;
  }
  SslPtr ssl(SSL_new(context.get()));
  if (!ssl || SSL_set_fd(ssl.get(), fd) != 1) return nullptr;
  SSL_set_accept_state(ssl.get());
  return ssl;
}

TlsContext::Stamps TlsContext::ReadStamps() const {
  const std::array<const std::string*, 3> files = {&options_.certificate_file, &options_.key_file,
                                                   &options_.client_ca_file};
  Stamps stamps;
  for (std::size_t i = 0; i < files.size(); ++i) {
    struct stat status {};
    if (files[i]->empty() || stat(files[i]->c_str(), &status) != 0) continue;
    stamps[i] = {status.st_dev, status.st_ino, status.st_size,
                 std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
  }
  return stamps;
}

void TlsContext::ReloadIfChanged() {
  const Stamps stamps = ReadStamps();
  {
    const std::lock_guard lock(mutex_);
    if (stamps == stamps_) return;
    stamps_ = stamps;
  }
  auto context = MakeContext(options_);
  if (!context.ok()) {
    log::Warning("certificate_not_reloaded").With("error", context.error().message);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    context_ = *std::move(context);
  }
  log::Info("certificate_reloaded").With("file", options_.certificate_file);
  WarnUnlessValid(options_.certificate_file);
}

std::chrono::system_clock::time_point TlsContext::not_after() {
  const std::lock_guard lock(mutex_);
  const X509* certificate = SSL_CTX_get0_certificate(context_.get());
  if (certificate == nullptr) return {};
  return NotAfter(*certificate).value_or(std::chrono::system_clock::time_point());
}

}  // namespace twintree::ldap
