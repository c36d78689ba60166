// LDAP requests, encoded once for each shape and then only filled in.
//
// Thread-safety: confined
// Source:        RFC 4511 4.2 to 4.10
#ifndef TWINTREE_LOAD_CLIENT_LDAP_REQUEST_H_
#define TWINTREE_LOAD_CLIENT_LDAP_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ldap_gateway/ber/ber.h"
#include "load/scenario/new_entry.h"
#include "load/scenario/operation.h"

namespace twintree::load {

// Message IDs that take four octets, so that a request has the same length with each of them.
inline constexpr std::uint32_t kFirstMessageId = 0x01000000;
inline constexpr std::uint32_t kMessageIds = 0x00800000;  // how many from there on

// A simple bind. The message ID is kFirstMessageId.
std::string EncodeSimpleBind(std::string_view dn, std::string_view password);

// The tag of the message that ends an operation.
ber::Tag AnswerTag(OperationKind kind);

class LdapRequestWriter {
 public:
  // `seed` chooses the values of added entries.
  explicit LdapRequestWriter(std::uint64_t seed) : new_entries_(seed) {}

  // Appends the request.
  //
  // REQUIRES: kFirstMessageId <= message_id < kFirstMessageId + kMessageIds
  void Append(const Operation& operation, std::uint32_t message_id, std::string* out);

 private:
  // A whole message and where in it the digits of the numbers begin.
  struct Template {
    std::string octets;
    std::size_t message_id_at;
    std::vector<std::size_t> number_at;
    std::vector<std::size_t> value_at;
  };
  struct Shape {
    const Action* action;
    std::size_t number_digits;
    std::size_t value_digits;
    bool operator==(const Shape&) const = default;
  };
  struct ShapeHash {
    std::size_t operator()(const Shape& shape) const {
      return std::hash<const void*>()(shape.action) ^ (shape.number_digits << 8) ^
             (shape.value_digits << 16);
    }
  };

  static Template MakeTemplate(const Shape& shape);
  void AppendAdd(const Operation& operation, std::uint32_t message_id, std::string* out);

  std::unordered_map<Shape, Template, ShapeHash> templates_;
  NewEntryWriter new_entries_;
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_CLIENT_LDAP_REQUEST_H_
