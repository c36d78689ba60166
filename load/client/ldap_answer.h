// What a client needs of an LDAP server's messages: whose answer, what kind, how it ended.
//
// Thread-safety: compatible
// Source:        RFC 4511 4.1.1, 4.1.9, 4.5.2
#ifndef TWINTREE_LOAD_CLIENT_LDAP_ANSWER_H_
#define TWINTREE_LOAD_CLIENT_LDAP_ANSWER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ldap_gateway/ber/ber.h"

namespace twintree::load {

inline constexpr ber::Tag kBindResponse = ber::Application(1, true);
inline constexpr ber::Tag kSearchResultEntry = ber::Application(4, true);
inline constexpr ber::Tag kSearchResultDone = ber::Application(5, true);
inline constexpr ber::Tag kModifyResponse = ber::Application(7, true);
inline constexpr ber::Tag kAddResponse = ber::Application(9, true);
inline constexpr ber::Tag kDeleteResponse = ber::Application(11, true);
inline constexpr ber::Tag kRenameResponse = ber::Application(13, true);
inline constexpr ber::Tag kCompareResponse = ber::Application(15, true);
inline constexpr ber::Tag kSearchResultReference = ber::Application(19, true);
inline constexpr ber::Tag kExtendedResponse = ber::Application(24, true);

// Larger messages are taken for nonsense.
inline constexpr std::size_t kMaxAnswerBytes = 256 * 1024 * 1024;

struct LdapAnswer {
  std::int64_t message_id = 0;
  ber::Tag tag = 0;
  // Of an entry.
  std::string_view dn;
  std::string_view attributes;  // the elements of the PartialAttributeList
  // Of all else but a reference.
  int result = 0;
  std::string_view diagnostic;
};

enum class AnswerState { kComplete, kIncomplete, kMalformed };

// Reads the message at the start of `octets`; when it is complete, `*size` is the number of octets
// it takes.
//
// Lifetime: the answer looks into `octets`
AnswerState ReadLdapAnswer(std::string_view octets, LdapAnswer* answer, std::size_t* size);

// Attributes of a PartialAttributeList that have the right form.
std::size_t CountAttributes(std::string_view attributes);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_CLIENT_LDAP_ANSWER_H_
