// Certificate and key for TLS, read again when their files change.
//
// Thread-safety: safe.
#ifndef TWINTREE_LDAP_GATEWAY_NET_TLS_CONTEXT_H_
#define TWINTREE_LDAP_GATEWAY_NET_TLS_CONTEXT_H_

#include <openssl/ssl.h>
#include <sys/stat.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "services/model/result.h"

namespace twintree::ldap {

struct TlsOptions {
  std::string certificate_file;  // PEM, the chain in order; empty: no TLS
  std::string key_file;          // PEM
  std::string client_ca_file;  // PEM; clients that show a certificate need one of these; may be ""

  bool enabled() const { return !certificate_file.empty(); }
};

struct SslDeleter {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using SslPtr = std::unique_ptr<SSL, SslDeleter>;

class TlsContext {
 public:
  // Errors: kOther, with the file and what OpenSSL says about it. Nobody is asked for the
  // passphrase of an encrypted key; it is an error.
  static model::Result<std::shared_ptr<TlsContext>> Load(TlsOptions options);

  // The server's side of a new TLS connection on `fd`, which stays the caller's. TLS 1.2 or later.
  // Null when memory is out.
  SslPtr NewServerSide(int fd);
  // Reads the files again if they have changed. What cannot be read is logged and changes nothing;
  // a certificate that is not valid now is used with a warning.
  void ReloadIfChanged();
  // When the server's certificate ends.
  std::chrono::system_clock::time_point not_after();

 private:
  // Identity and age of a file.
  struct Stamp {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    std::int64_t modified_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  using Stamps = std::array<Stamp, 3>;

  explicit TlsContext(TlsOptions options) : options_(std::move(options)) {}
  Stamps ReadStamps() const;

  const TlsOptions options_;
  std::mutex mutex_;  // guards what follows
  std::shared_ptr<SSL_CTX> context_;
  Stamps stamps_;
};

// Logs a warning, `certificate_not_valid`, when the first certificate of a PEM file has expired or
// is not valid yet. What cannot be read is not its concern.
void WarnUnlessValid(const std::string& file);

// When the first certificate of a PEM file ends; nullopt for what cannot be read.
std::optional<std::chrono::system_clock::time_point> NotAfterOf(const std::string& file);

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_NET_TLS_CONTEXT_H_
