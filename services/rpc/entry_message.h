// Entry messages of the public API as they stand on the wire.
//
// An entry is kept as the octets of its LDAP form; a message object for it would allocate each name
// and value, only to be written out and forgotten. This writes the octets that such an object
// would.
//
//   EntryMessage message;                                     // one for many entries
//   TT_RETURN_IF_ERROR(message.Read(dn, pieces, hide_csn));   // looks only at what it is given
//   message.AppendField(1, &octets);                          // as field 1 of another message
//
// Protobuf's strings must be UTF-8; names and texts that are not are made so without changing what
// they mean: odd octets of a DN become \xx, of other texts '?'.
//
// Source: Protocol Buffers, "Encoding"; message Entry of directory_service.proto.
// Thread-safety: compatible
#ifndef TWINTREE_SERVICES_RPC_ENTRY_MESSAGE_H_
#define TWINTREE_SERVICES_RPC_ENTRY_MESSAGE_H_

#include <grpcpp/support/byte_buffer.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"

namespace twintree::rpc {

class EntryMessage {
 public:
  // Takes a name and PartialAttribute elements, any number in each piece; they must outlive the use
  // of this. The etag is entryCSN's value, which with `hide_csn` is no attribute of the message.
  // Errors: kOther for elements that are none.
  model::Status Read(std::string_view dn, std::span<const std::string_view> pieces, bool hide_csn);

  // Appends the message that was read, as a field of another one.
  void AppendField(std::uint32_t number, std::string* out) const;
  // The message itself.
  std::string ToString() const;

 private:
  struct Attribute {
    std::string_view name;
    std::string_view values;  // OCTET STRING elements
    std::size_t size = 0;     // of the Attribute message
  };

  model::Status ReadAttribute(std::string_view element, bool hide_csn);
  // What a string field may hold for `text`.
  std::string_view Printable(std::string_view text);
  char* Write(char* out) const;

  std::string_view dn_;
  std::string_view etag_;
  std::vector<Attribute> attributes_;
  std::size_t size_ = 0;
  std::deque<std::string> corrected_;  // texts that were not UTF-8
};

// `dn` with every octet that is not UTF-8 escaped.
std::string Utf8Dn(std::string_view dn);

// The octets as a message that is ready to be sent.
grpc::ByteBuffer ToByteBuffer(std::string octets);

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_ENTRY_MESSAGE_H_
