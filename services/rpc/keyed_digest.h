// HMAC-SHA256 (RFC 2104) and keys for it.
#ifndef TWINTREE_SERVICES_RPC_KEYED_DIGEST_H_
#define TWINTREE_SERVICES_RPC_KEYED_DIGEST_H_

#include <initializer_list>
#include <string>
#include <string_view>

#include "services/model/secret.h"

namespace twintree::rpc {

// 32 octets over `parts`, each preceded by its length, so that parts cannot run into each other.
std::string KeyedDigest(const model::Secret& key, std::initializer_list<std::string_view> parts);

// 32 random octets. Ends the process when the system has no randomness.
model::Secret RandomKey();

// In constant time for equal lengths.
bool SameOctets(std::string_view a, std::string_view b);

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_KEYED_DIGEST_H_
