// Password storage schemes: hashing and verifying userPassword values.
//
// A stored value is "{SCHEME}data" (RFC 2307 5.3; scheme names in any letter case) or clear text.
// Known: {SSHA} {SHA} {SSHA256} {SHA256} {SSHA384} {SHA384} {SSHA512} {SHA512} {SMD5} {MD5}
// {CRYPT} (libcrypt: yescrypt, bcrypt, sha512crypt, ...) {ARGON2} (libsodium/libargon2 strings).
// A value with an unknown or damaged scheme never matches anything; it is not taken for clear text.
// Nor does one whose check would cost more than cost.h allows.
//
// Thread-safety: safe.
// Source: RFC 2307 5.3; RFC 9106 (Argon2id).
#ifndef TWINTREE_SERVICES_PASSWORDS_PASSWORDS_H_
#define TWINTREE_SERVICES_PASSWORDS_PASSWORDS_H_

#include <optional>
#include <string>
#include <string_view>

#include "services/model/result.h"
#include "services/model/secret.h"

namespace twintree::passwords {

enum class Scheme { kClear, kArgon2, kSsha, kSsha256, kSsha512, kCrypt };

// "argon2", "ssha", "ssha256", "ssha512", "crypt", "clear". Errors: kOther, naming the word.
model::Result<Scheme> ParseScheme(std::string_view name);

// The stored value for `password`, with a fresh random salt. Takes 20 to 100 ms for kArgon2 and
// kCrypt: never on a thread that serves connections.
// Errors: kOther when no randomness or memory is to be had.
model::Result<std::string> Hash(Scheme scheme, const model::Secret& password);

// Does the password match the stored value? In constant time for equal lengths.
bool Verify(std::string_view stored, const model::Secret& password);

// Does the value begin with "{word}"? Such values are kept as they are on add and modify.
bool HasScheme(std::string_view stored);

// Is there a password at all for which Verify() may be true? False for a scheme that is not known,
// for data that the scheme cannot have made, and for what is too costly to be checked.
bool CanVerify(std::string_view stored);

// May Verify() take longer than about 10 µs? Not for a value that is too costly to be checked.
bool IsExpensive(std::string_view stored);

// The bound of cost.h that the stored value is beyond; nullopt if it is within all.
std::optional<std::string_view> CostBoundExceeded(std::string_view stored);

// A verification that fails after as long as an Argon2 one takes; for names that do not exist.
void VerifyNothing(const model::Secret& password);

// A random password for people: 16 characters without look-alikes.
model::Secret Generate();

}  // namespace twintree::passwords

#endif  // TWINTREE_SERVICES_PASSWORDS_PASSWORDS_H_
