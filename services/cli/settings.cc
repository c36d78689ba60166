#include "services/cli/settings.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <thread>

#include "services/cli/value_checks.h"

namespace twintree::cli {

using model::Error;
using model::Result;
using model::ResultCode;

namespace {

constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kMostConnectionAge = 20 * 86400;  // gRPC counts milliseconds in an int

}  // namespace

std::size_t ThreadCount(const ProcessSettings& settings) {
  return settings.threads != 0 ? settings.threads
                               : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

Result<std::size_t> ParseBytes(const std::string& text) {
  std::size_t value = 0;
  std::size_t i = 0;
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  const Error wrong{ResultCode::kOther,
                    "'" + text + "' is no size: digits, then nothing, K, M, G or T", ""};
  for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0; ++i) {
    const auto digit = static_cast<std::size_t>(text[i] - '0');
    if (value > (kMost - digit) / 10) return wrong;
    value = value * 10 + digit;
  }
  if (i == 0 || text.size() - i > 1) return wrong;
  if (i == text.size()) return value;
  const std::size_t power = std::string_view("KMGT").find(
      static_cast<char>(std::toupper(static_cast<unsigned char>(text[i]))));
  if (power == std::string_view::npos) return wrong;
  const std::size_t unit = std::size_t{1} << (10 * (power + 1));
  if (value > kMost / unit) return wrong;
  return value * unit;
}

void AddStoreFlags(CLI::App* command, StoreSettings* settings) {
  command->add_option("--data", settings->data, "Data directory; made when it does not exist")
      ->type_name("DIR");
  command
      ->add_option("--suffix", settings->suffixes,
                   "Naming context, such as dc=example,dc=com; may be repeated")
      ->type_name("DN")
      ->allow_extra_args(false);
  command
      ->add_option_function<std::string>(
          "--cache-size",
          [settings](const std::string& text) {
            Result<std::size_t> bytes = ParseBytes(text);
            if (!bytes.ok()) throw CLI::ValidationError("--cache-size", bytes.error().message);
            settings->cache_bytes = *bytes;
          },
          "Memory for the caches: bytes, or with K, M, G or T; by default an eighth of the memory "
          "(of the control group's limit, if there is one), 64M to 4G")
      ->type_name("BYTES");
  command
      ->add_option("--index", settings->indexes,
                   "Index of one attribute, such as cn=eq,pres,sub,ord; may be repeated; replaces "
                   "the default set")
      ->type_name("ATTR=KINDS")
      ->allow_extra_args(false);
  AddSchemaFlag(command, settings);
}

void AddSchemaFlag(CLI::App* command, StoreSettings* settings) {
  command
      ->add_option(
          "--schema", settings->schema_files,
          "Further attribute types and object classes, in the form of OpenLDAP's .schema or "
          ".ldif files; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

void AddIdentityFlags(CLI::App* command, IdentitySettings* settings) {
  command->add_option("--root-dn", settings->root_dn, "Name that may do everything; needs no entry")
      ->type_name("DN");
  command
      ->add_option("--root-password-file", settings->root_password_file,
                   "File with the password of --root-dn")
      ->type_name("FILE");
  command
      ->add_option(
          "--access", settings->access,
          "Access rules: secure, open (anybody reads all but passwords), or a file of rules")
      ->capture_default_str()
      ->type_name("secure|open|FILE");
  command
      ->add_option("--password-scheme", settings->password_scheme,
                   "What clear-text passwords become when they are stored")
      ->capture_default_str()
      ->transform(CLI::IsMember({"argon2", "ssha", "ssha256", "ssha512", "crypt", "clear"},
                                CLI::ignore_case))
      ->type_name("SCHEME");
  command
      ->add_option(
          "--size-limit", settings->size_limit,
          "Most entries a search returns, all its pages together, except to the root name; "
          "0: no limit")
      ->capture_default_str()
      ->check(WholeNumber(0))
      ->type_name("N");
  command
      ->add_option("--time-limit", settings->time_limit_seconds,
                   "Most seconds a search takes, except for the root name; 0: no limit")
      ->capture_default_str()
      ->check(WholeNumber(0))
      ->type_name("SECONDS");
}

void AddTlsFlags(CLI::App* command, TlsSettings* settings) {
  command
      ->add_option("--tls-cert", settings->certificate_file,
                   "Certificate chain, PEM; read again when it changes")
      ->type_name("FILE");
  command->add_option("--tls-key", settings->key_file, "Private key, PEM")->type_name("FILE");
  command
      ->add_option("--tls-client-ca", settings->client_ca_file,
                   "Authorities of client certificates, PEM")
      ->type_name("FILE");
}

void AddLdapFlags(CLI::App* command, LdapSettings* settings) {
  command
      ->add_option("--ldap-listen", settings->ldap_listen,
                   "Address for LDAP; port 0: any free one; empty: none")
      ->capture_default_str()
      ->type_name("HOST:PORT");
  settings->ldaps_option = command
                               ->add_option("--ldaps-listen", settings->ldaps_listen,
                                            "Address for LDAP over TLS; needs --tls-cert; without "
                                            "it there is none; empty: none")
                               ->capture_default_str()
                               ->type_name("HOST:PORT");
  command->add_option("--ldapi-listen", settings->ldapi_listen, "Unix socket for LDAP")
      ->type_name("PATH");
  command
      ->add_option_function<std::string>(
          "--ldapi-mode",
          [settings](const std::string& text) {
            const char* const end = text.data() + text.size();
            const auto parsed = std::from_chars(text.data(), end, settings->ldapi_mode, 8);
            if (parsed.ec == std::errc() && parsed.ptr == end && settings->ldapi_mode <= 0777) {
              return;
            }
            throw CLI::ValidationError("--ldapi-mode",
                                       "'" + text + "' is no mode: three octal digits");
          },
          "Permissions of the Unix socket, octal: who may write may connect, and still has to bind")
      ->default_str("0777")
      ->type_name("MODE");
  command
      ->add_option("--idle-timeout", settings->idle_timeout_seconds,
                   "Seconds after which an idle LDAP connection is closed; 0: never")
      ->capture_default_str()
      ->check(WholeNumber(0))
      ->type_name("SECONDS");
  command
      ->add_option("--read-timeout", settings->read_timeout_seconds,
                   "Seconds after which a connection with half a message is closed")
      ->capture_default_str()
      ->check(WholeNumber(1))
      ->type_name("SECONDS");
  command
      ->add_option("--handshake-timeout", settings->handshake_timeout_seconds,
                   "Seconds a TLS handshake may take")
      ->capture_default_str()
      ->check(WholeNumber(1))
      ->type_name("SECONDS");
  command
      ->add_option("--write-timeout", settings->write_timeout_seconds,
                   "Seconds after which a client that does not read is disconnected")
      ->capture_default_str()
      ->check(WholeNumber(1))
      ->type_name("SECONDS");
  command
      ->add_option("--max-connections", settings->max_connections,
                   "Most LDAP connections at a time")
      ->capture_default_str()
      ->check(WholeNumber(1))
      ->type_name("N");
}

void AddGrpcFlags(CLI::App* command, GrpcSettings* settings) {
  command
      ->add_option("--grpc-listen", settings->grpc_listen, "Address for gRPC; port 0: any free one")
      ->capture_default_str()
      ->type_name("HOST:PORT");
  command
      ->add_option("--grpc-tls", settings->grpc_tls,
                   "With --tls-cert: allow takes TLS and plain text on --grpc-listen, require "
                   "refuses plain text")
      ->capture_default_str()
      ->transform(CLI::IsMember({"allow", "require"}, CLI::ignore_case))
      ->type_name("allow|require");
  command
      ->add_option("--grpc-max-connection-age", settings->max_connection_age_seconds,
                   "Seconds after which gRPC clients are asked to connect again; 0: never")
      ->capture_default_str()
      ->check(WholeNumber(0, kMostConnectionAge))
      ->type_name("SECONDS");
  command->add_option("--grpc-reflection", settings->reflection, "Offer gRPC server reflection")
      ->capture_default_str()
      ->check(TrueOrFalse())
      ->type_name("true|false");
  command
      ->add_option("--gateway-token-file", settings->gateway_token_file,
                   "Secret that directory and gateways share; without it, or mutual TLS, no "
                   "gateway is served")
      ->type_name("FILE");
  command
      ->add_option("--gateway-name", settings->gateway_names,
                   "Name in a client certificate under --tls-client-ca that is a gateway's; may be "
                   "repeated; *: any")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

void AddLogFlags(CLI::App* command, ProcessSettings* settings) {
  command->add_option("--log-level", settings->log_level, "What is logged at least")
      ->capture_default_str()
      ->transform(CLI::IsMember({"debug", "info", "warning", "error", "off"}, CLI::ignore_case))
      ->type_name("LEVEL");
  command->add_option("--log-format", settings->log_format, "Form of the log")
      ->capture_default_str()
      ->transform(CLI::IsMember({"text", "json"}, CLI::ignore_case))
      ->type_name("text|json");
}

void AddProcessFlags(CLI::App* command, ProcessSettings* settings) {
  command
      ->add_option("--threads", settings->threads,
                   "Threads for each kind of work: LDAP connections, long searches, "
                   "passwords; 0: one a core")
      ->capture_default_str()
      ->check(WholeNumber(0, kMostThreads))
      ->type_name("N");
  command
      ->add_option("--http-listen", settings->http_listen,
                   "Address for /metrics, /livez, /startupz and /readyz; port 0: any free one")
      ->capture_default_str()
      ->type_name("HOST:PORT");
  command
      ->add_option("--drain-timeout", settings->drain_seconds,
                   "Seconds that requests under way have after SIGTERM")
      ->capture_default_str()
      ->check(WholeNumber(0))
      ->type_name("SECONDS");
  command->add_flag("--access-log", settings->access_log, "Log every operation")
      ->check(TrueOrFalse());
  AddLogFlags(command, settings);
}

void AddTimeoutFlag(CLI::App* command, std::uint32_t* seconds) {
  command
      ->add_option("--timeout", *seconds,
                   "Seconds to wait for the server's whole answer; 0: as long as it takes")
      ->capture_default_str()
      ->check(WholeNumber(0))
      ->type_name("SECONDS");
}

void AddConfigFlag(CLI::App* command, std::string* file) {
  command
      ->add_option("--config", *file,
                   "YAML file with any of these settings, named as the flags are")
      ->type_name("FILE");
}

}  // namespace twintree::cli
