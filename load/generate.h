#ifndef LOAD_GENERATE_H_
#define LOAD_GENERATE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "load/salted_sha1.h"

namespace twintree::load {

enum class PasswordForm {
  kHashed,  // `{SSHA}` of the clear text
  kClear,   // `password<i>`, for servers that hash on import
};

struct GenerateOptions {
  // Number of person entries, 1 to kMaxEntries.
  std::uint64_t entries = 0;
  // Chooses the values. The tree's shape and all names derived from the number stay the same.
  std::uint64_t seed = 1;
  PasswordForm passwords = PasswordForm::kHashed;
};

// uidNumber and the members' numbers stay below 2^31 with it.
inline constexpr std::uint64_t kMaxEntries = 1'000'000'000;

// Takes the next piece of the LDIF; answers false when it cannot take more.
using LdifSink = std::function<bool(std::string_view)>;

// Writes the LDIF of a directory like those of the DirectoryMark messaging scenario.
//
//   dc=example,dc=com                       the suffix
//   ou=People                               uid=user.0 to uid=user.<entries-1>
//   ou=Groups                               cn=group.0 to cn=group.99, groupOfNames
//
// Person i has cn `User <i>`, mail `user.<i>@example.com`, password `password<i>`, uidNumber
// 10000+i and about 25 attributes in all, with classes inetOrgPerson and posixAccount; given names,
// surnames, addresses and numbers vary. A group has 1 to 50 members, all different, fewer if there
// are fewer people.
//
// Shape:  RFC 2849 content records without folding, 7-bit, superiors before what stands below them;
//         700 to 800 octets a person. The same options give the same octets on every machine, and
//         person i depends on seed and i only.
// Units:  memory is one buffer of about 64 KiB whatever the number of entries
// Errors: false if the sink refused a piece; what it took before is a truncated file
//
// REQUIRES: 1 <= options.entries <= kMaxEntries
bool WriteDirectory(const GenerateOptions& options, const LdifSink& sink);

// Writes single person records, for tools that add entries of this kind one by one.
//
// Thread-safety: confined
class PersonWriter {
 public:
  PersonWriter(std::uint64_t seed, PasswordForm passwords) : seed_(seed), passwords_(passwords) {}

  // Appends the record of person `number` to `out`, the empty line behind it included.
  void AppendTo(std::uint64_t number, std::string& out);

 private:
  const std::uint64_t seed_;
  const PasswordForm passwords_;
  SaltedSha1 hash_;
};

}  // namespace twintree::load

#endif  // LOAD_GENERATE_H_
