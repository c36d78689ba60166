// What checking a stored password may cost.
//
// The parameters of slow schemes stand in the stored value, so whoever may write one could make
// every bind take hours or gigabytes. Values beyond these bounds are refused, and match nothing:
//
//   {ARGON2}           m <= 256 MiB, m * t <= 1 GiB, p <= 64
//   {CRYPT}$2a$ $2b$ $2x$ $2y$      cost <= 14
//   {CRYPT}$5$ $6$                  rounds <= 1,000,000
//   {CRYPT}$y$ $gy$                 as libcrypt makes them, N * r * 128 <= 128 MiB
//   {CRYPT}$7$                      N * r * p * 128 <= 128 MiB
//   {CRYPT}$sha1$ $md5              iterations, rounds <= 1,000,000
//   {CRYPT}_ (BSDi)                 rounds <= 1,000,000
//
// Each is about a second on one processor. The other methods of {CRYPT} have a fixed cost.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_PASSWORDS_COST_H_
#define TWINTREE_SERVICES_PASSWORDS_COST_H_

#include <optional>
#include <string_view>

namespace twintree::passwords {

// The bound that the hash is beyond, as "{CRYPT} $6$: at most 1000000 rounds"; nullopt if it is
// within all. `data` is what follows the scheme.
std::optional<std::string_view> CryptBoundExceeded(std::string_view data);
std::optional<std::string_view> Argon2BoundExceeded(std::string_view data);

}  // namespace twintree::passwords

#endif  // TWINTREE_SERVICES_PASSWORDS_COST_H_
