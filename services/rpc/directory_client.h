// A client of DirectoryService for commands: one call at a time, each waits for its answer.
//
//   TT_ASSIGN_OR_RETURN(auto client, DirectoryClient::Make({.target = "localhost:8389"}));
//   TT_ASSIGN_OR_RETURN(auto result, client->Search(query, [](const Entry& entry) { ... }));
//
// Errors have the directory's LDAP result code and text; kUnavailable when it cannot be reached,
// kTimeLimitExceeded when it does not answer in time.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_DIRECTORY_CLIENT_H_
#define TWINTREE_SERVICES_RPC_DIRECTORY_CLIENT_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "services/directory/directory.h"
#include "services/model/attribute.h"
#include "services/model/result.h"
#include "services/model/secret.h"
#include "services/rpc/tls_options.h"

namespace twintree::rpc {

struct DirectoryClientOptions {
  std::string target;            // "host:port"
  std::optional<ClientTls> tls;  // nullopt: plain text
  std::string bind_dn;           // empty: anonymous
  model::Secret password;
  // For each call; zero: it may take as long as it likes.
  std::chrono::milliseconds timeout{0};
};

// An entry as it came from the directory.
struct ClientEntry {
  std::string dn;
  std::vector<model::RawAttribute> attributes;
  std::string etag;
};

struct ClientQuery {
  std::string base;
  directory::Scope scope = directory::Scope::kSubtree;
  std::string filter;  // RFC 4515; empty: (objectClass=*)
  std::vector<std::string> attributes;
  std::uint32_t size_limit = 0;        // 0: the directory's
  std::chrono::seconds time_limit{0};  // 0: the directory's
  bool types_only = false;
};

class DirectoryClient {
 public:
  // Does not connect yet. Errors: kOther for unusable TLS files.
  static model::Result<std::unique_ptr<DirectoryClient>> Make(DirectoryClientOptions options);
  virtual ~DirectoryClient() = default;

  // Who the directory takes us for: a DN. Errors: kInvalidCredentials.
  virtual model::Result<std::string> Authenticate() = 0;

  // Calls `on_entry` for each entry, on the caller's thread. The outcome's code is kSuccess or a
  // limit that was hit after some entries (kSizeLimitExceeded and its kin).
  virtual model::Result<directory::SearchOutcome> Search(
      const ClientQuery& query, const std::function<void(ClientEntry)>& on_entry) = 0;
  virtual model::Result<ClientEntry> Get(const std::string& dn,
                                         const std::vector<std::string>& attributes) = 0;
  virtual model::Result<bool> Compare(const std::string& dn, const std::string& attribute,
                                      const std::string& value) = 0;

  // Writes give their change number.
  virtual model::Result<std::uint64_t> Add(const std::string& dn,
                                           const std::vector<model::RawAttribute>& attributes) = 0;
  virtual model::Result<std::uint64_t> Modify(
      const std::string& dn, const std::vector<model::Modification>& modifications) = 0;
  virtual model::Result<std::uint64_t> Delete(const std::string& dn) = 0;
  virtual model::Result<std::uint64_t> Rename(const directory::ModifyDnRequest& request) = 0;
  // The password that the directory made up; empty when `request` has one.
  virtual model::Result<model::Secret> ChangePassword(
      const directory::ModifyPasswordRequest& request) = 0;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_DIRECTORY_CLIENT_H_
