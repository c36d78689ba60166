// Values of userPassword on their way into an entry: clear text becomes a hash, and is compared
// with the hashes that are there.
//
// Both may take long. Hashing happens before the writer is asked; comparing is first tried with
// what is known, and what is not is found out elsewhere, after which the writer is asked again.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_PASSWORD_VALUES_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_PASSWORD_VALUES_H_

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "services/model/attribute.h"
#include "services/model/schema.h"
#include "services/model/secret.h"
#include "services/passwords/passwords.h"

namespace twintree::directory {

// Does hashing by this scheme take long?
bool IsSlow(passwords::Scheme scheme);

// Does the attribute hold clear-text passwords that `scheme` hashes?
bool NeedsHashing(const model::Attribute& attribute, const model::Schema& schema,
                  passwords::Scheme scheme);

// Passwords that an entry may have, and that one request may bring or take away: each may cost a
// slow hash, and a bind compares with all of them.
inline constexpr std::size_t kMaxPasswords = 8;

// Values of userPassword, whatever their options.
std::size_t CountPasswords(std::span<const model::Attribute> attributes,
                           const model::Schema& schema);

// May the attribute's values be written? True of everything but userPassword.
// Errors: kConstraintViolation for a hash that is too costly to be checked.
model::Status CheckPasswords(const model::Attribute& attribute, const model::Schema& schema);

// The error for more than kMaxPasswords.
model::Error TooManyPasswords();

// Hashes the clear-text ones.
// Errors: those of passwords::Hash.
model::Status HashPasswords(passwords::Scheme scheme, model::Attribute* attribute);

// Which stored passwords match which clear-text ones.
//
// Thread-safety: confined.
class PasswordMatches {
 public:
  // A clear-text password to compare with; its number.
  std::size_t Add(model::Secret clear);
  const model::Secret& clear(std::size_t number) const { return clear_[number]; }

  // nullopt: only a slow comparison can tell; see LearnUnknown.
  std::optional<bool> Match(const std::string& stored, std::size_t number);
  // The hash just made of that password.
  void Know(const std::string& stored, std::size_t number);

  // Some Match() could not tell since the last LearnUnknown().
  bool has_unknown() const { return !unknown_.empty(); }
  // Slow.
  void LearnUnknown();

 private:
  using Pair = std::pair<std::string, std::size_t>;  // stored value, number of the clear one

  std::vector<model::Secret> clear_;
  std::map<Pair, bool> known_;
  std::vector<Pair> unknown_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_PASSWORD_VALUES_H_
