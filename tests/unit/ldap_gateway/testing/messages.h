// The client's side of the protocol, for tests: requests to octets, octets to responses.
#ifndef TWINTREE_TESTS_UNIT_LDAP_GATEWAY_TESTING_MESSAGES_H_
#define TWINTREE_TESTS_UNIT_LDAP_GATEWAY_TESTING_MESSAGES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ldap_gateway/ber/ber.h"

namespace twintree::ldap::testing {

// "30 0c 02 01 01" and the like to octets.
std::string Octets(std::string_view hex);

using Values = std::vector<std::string>;
using Attributes = std::vector<std::pair<std::string, Values>>;

// One Control element.
std::string Control(std::string_view oid, bool critical = false,
                    std::optional<std::string_view> value = std::nullopt);
// The value of a paged results control.
std::string PagedValue(std::int64_t size, std::string_view cookie);

// A whole message around an encoded operation. `controls` are Control elements, joined.
std::string Message(std::int64_t id, std::string_view operation, std::string_view controls = {});

struct SearchFields {
  std::string base;
  std::int64_t scope = 0;
  std::int64_t deref = 0;
  std::int64_t size_limit = 0;
  std::int64_t time_limit = 0;
  bool types_only = false;
  std::string filter = "(objectClass=*)";
  Values attributes;
};

// Requests, whole messages.
std::string Bind(std::int64_t id, std::string_view dn, std::string_view password,
                 std::int64_t version = 3, std::string_view controls = {});
std::string SaslBind(std::int64_t id, std::string_view mechanism);
std::string Unbind(std::int64_t id);
std::string Search(std::int64_t id, const SearchFields& fields, std::string_view controls = {});
std::string Add(std::int64_t id, std::string_view dn, const Attributes& attributes,
                std::string_view controls = {});
struct Change {
  std::int64_t kind;
  std::string attribute;
  Values values;
};
std::string Modify(std::int64_t id, std::string_view dn, const std::vector<Change>& changes,
                   std::string_view controls = {});
std::string Delete(std::int64_t id, std::string_view dn, std::string_view controls = {});
std::string ModifyDn(std::int64_t id, std::string_view dn, std::string_view rdn, bool delete_old,
                     std::optional<std::string_view> superior = std::nullopt,
                     std::string_view controls = {});
std::string Compare(std::int64_t id, std::string_view dn, std::string_view attribute,
                    std::string_view value, std::string_view controls = {});
std::string Abandon(std::int64_t id, std::int64_t target);
std::string Extended(std::int64_t id, std::string_view oid,
                     std::optional<std::string_view> value = std::nullopt,
                     std::string_view controls = {});
std::string Cancel(std::int64_t id, std::int64_t target);

// A response, taken apart.
struct Response {
  std::int64_t id = -1;
  ber::Tag tag = 0;
  std::int64_t code = -1;  // all but entries
  std::string matched_dn;
  std::string diagnostic;
  std::string dn;          // entries
  std::string attributes;  // entries: the PartialAttribute elements
  std::optional<std::string> name;
  std::optional<std::string> value;
  std::vector<std::pair<std::string, std::string>> controls;  // OID and value
};
inline constexpr ber::Tag kBindResponse = ber::Application(1, true);
inline constexpr ber::Tag kSearchEntry = ber::Application(4, true);
inline constexpr ber::Tag kSearchDone = ber::Application(5, true);
inline constexpr ber::Tag kModifyResponse = ber::Application(7, true);
inline constexpr ber::Tag kAddResponse = ber::Application(9, true);
inline constexpr ber::Tag kDeleteResponse = ber::Application(11, true);
inline constexpr ber::Tag kModifyDnResponse = ber::Application(13, true);
inline constexpr ber::Tag kCompareResponse = ber::Application(15, true);
inline constexpr ber::Tag kExtendedResponse = ber::Application(24, true);

// Takes all whole responses from the front of `octets`. A response that cannot be read fails the
// running test and ends the list.
std::vector<Response> TakeResponses(std::string* octets);
// The same for octets that must be whole responses.
std::vector<Response> Responses(std::string_view octets);

// PartialAttribute elements for entries.
std::string EncodeAttributes(const Attributes& attributes);

}  // namespace twintree::ldap::testing

#endif  // TWINTREE_TESTS_UNIT_LDAP_GATEWAY_TESTING_MESSAGES_H_
