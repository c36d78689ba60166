// Messages of calls whose octets are taken and given as they are.
//
// A message is not read when it would have more than kMaxMessageFields fields, those of messages in
// it included: each takes some 40 octets of memory, and may take two of the body.
//
// gRPC answers a body that is no message of the method with UNIMPLEMENTED, before anybody counts or
// logs the call; so methods take octets, and what is wrong with them is the caller's mistake.
#ifndef TWINTREE_SERVICES_RPC_MESSAGE_OCTETS_H_
#define TWINTREE_SERVICES_RPC_MESSAGE_OCTETS_H_

#include <google/protobuf/descriptor.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstddef>
#include <string>

#include "services/model/result.h"

namespace twintree::rpc {

inline constexpr std::size_t kMaxMessageFields = std::size_t{1} << 18;

// Are these octets more than so many fields? What is no message of the type has none that count.
bool HasMoreFields(const grpc::ByteBuffer& octets, const google::protobuf::Descriptor& type,
                   std::size_t most);

// Errors: kProtocolError for octets that are no such message, kAdminLimitExceeded for too many
// fields; it is empty then.
template <typename Message>
model::Status ParseOctets(const grpc::ByteBuffer& octets, Message* message) {
  // A field takes two octets at least.
  if (octets.Length() > 2 * kMaxMessageFields &&
      HasMoreFields(octets, *Message::descriptor(), kMaxMessageFields)) {
    return model::Error{model::ResultCode::kAdminLimitExceeded,
                        "the message has more than " + std::to_string(kMaxMessageFields) +
                            " values, names and other fields",
                        ""};
  }
  grpc::ByteBuffer taken = octets;
  if (grpc::SerializationTraits<Message>::Deserialize(&taken, message).ok()) {
    return model::OkStatus();
  }
  message->Clear();
  return model::Error{model::ResultCode::kProtocolError,
                      "the body is no " + message->GetTypeName() + ", whose strings are UTF-8", ""};
}

template <typename Message>
void WriteOctets(const Message& message, grpc::ByteBuffer* octets) {
  bool own = false;
  grpc::SerializationTraits<Message>::Serialize(message, octets, &own);
}

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_MESSAGE_OCTETS_H_
