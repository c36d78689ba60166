// The settings of every command: what the flags, the environment and the config file say.
//
// A setting has one name in three places: the flag `--root-password-file`, the environment variable
// `TWINTREE_ROOT_PASSWORD_FILE` (environment.h) and the key `root-password-file` of the config file
// (YAML; lists for what may be repeated). The flag wins over the environment, the environment over
// the file.
//
// Errors name the flag, variable or key that is wrong; the process ends with status 2.
#ifndef TWINTREE_SERVICES_CLI_SETTINGS_H_
#define TWINTREE_SERVICES_CLI_SETTINGS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "services/cli/environment.h"
#include "services/cli/memory_limit.h"
#include "services/model/result.h"

namespace twintree::cli {

struct StoreSettings {
  std::string data;
  std::vector<std::string> suffixes;
  std::size_t cache_bytes = DefaultCacheBytes(MemoryLimit());
  std::vector<std::string> indexes;  // ATTR=eq,pres,sub,ord; empty: the default set
  std::vector<std::string> schema_files;
};

struct IdentitySettings {
  std::string root_dn;
  std::string root_password_file;
  std::string access = "secure";  // secure, open or a file
  std::string password_scheme = "argon2";
  std::uint32_t size_limit = 0;
  std::uint32_t time_limit_seconds = 0;
};

struct TlsSettings {
  std::string certificate_file;
  std::string key_file;
  std::string client_ca_file;
};

struct LdapSettings {
  std::string ldap_listen = "127.0.0.1:1389";
  std::string ldaps_listen = "127.0.0.1:1636";
  const CLI::Option* ldaps_option = nullptr;
  std::string ldapi_listen;  // a path; empty: none
  unsigned ldapi_mode = 0777;
  // Was ldaps_listen asked for? Otherwise it is there as soon as there is a certificate.
  bool ldaps_asked() const { return ldaps_option != nullptr && ldaps_option->count() > 0; }
  std::uint32_t idle_timeout_seconds = 900;
  std::uint32_t read_timeout_seconds = 30;
  std::uint32_t handshake_timeout_seconds = 20;
  std::uint32_t write_timeout_seconds = 60;
  std::uint32_t max_connections = 10000;
};

struct ProcessSettings {
  std::size_t threads = 0;  // 0: one a core
  std::string http_listen = "127.0.0.1:9389";
  std::uint32_t drain_seconds = 20;
  std::string log_level = "info";
  std::string log_format = "text";
  bool access_log = false;
  std::string config_hash;  // see SettingsHash()
  // Of the environment; see UnknownVariables().
  std::vector<UnknownVariable> unknown_variables;
};

// The size of each pool of threads that --threads is about; at least 1.
std::size_t ThreadCount(const ProcessSettings& settings);

struct GrpcSettings {
  std::string grpc_listen = "127.0.0.1:8389";
  std::string grpc_tls = "allow";  // allow or require; with a certificate
  bool reflection = true;
  std::uint32_t max_connection_age_seconds = 300;  // 0: any
  std::string gateway_token_file;
  std::vector<std::string> gateway_names;  // in client certificates
};

// Each adds one group of flags to a command.
void AddStoreFlags(CLI::App* command, StoreSettings* settings);
// --schema, which AddStoreFlags adds too.
void AddSchemaFlag(CLI::App* command, StoreSettings* settings);
void AddIdentityFlags(CLI::App* command, IdentitySettings* settings);
void AddTlsFlags(CLI::App* command, TlsSettings* settings);
void AddLdapFlags(CLI::App* command, LdapSettings* settings);
void AddGrpcFlags(CLI::App* command, GrpcSettings* settings);
void AddProcessFlags(CLI::App* command, ProcessSettings* settings);
void AddLogFlags(CLI::App* command, ProcessSettings* settings);
// --timeout of a command that asks a server.
void AddTimeoutFlag(CLI::App* command, std::uint32_t* seconds);
// --config; what is read from it is applied by ApplyConfigFile().
void AddConfigFlag(CLI::App* command, std::string* file);

// Sets, from the file's keys, each option of `command` that neither a flag nor the environment has
// set. Keys that only other commands know are left alone, so that all can share one file.
// Errors: kOther, naming file, line and key: one that no command knows, or that stands there twice.
model::Status ApplyConfigFile(CLI::App* command, const std::string& file);

// "256M" to bytes: digits, then nothing, K, M, G or T (powers of 1024). Errors: kOther.
model::Result<std::size_t> ParseBytes(const std::string& text);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_SETTINGS_H_
