// Where the server is: ldap://HOST:PORT, ldapi:///PATH or grpc://HOST:PORT.
//
// Errors:        ParseTarget throws std::invalid_argument that says what is wrong
// Thread-safety: compatible
// Source:        RFC 4516 (ldap); the path of ldapi may be percent-encoded, as OpenLDAP wants it
#ifndef TWINTREE_LOAD_CLIENT_TARGET_H_
#define TWINTREE_LOAD_CLIENT_TARGET_H_

#include <string>
#include <string_view>

namespace twintree::load {

enum class Protocol { kLdap, kLdapi, kGrpc };

struct Target {
  Protocol protocol = Protocol::kLdap;
  std::string host;  // without the brackets of an IPv6 address
  std::string port;
  std::string path;  // ldapi
  std::string url;   // as it was given

  // HOST:PORT, with brackets where the host has a colon.
  std::string Address() const;
};

Target ParseTarget(std::string_view url);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_CLIENT_TARGET_H_
