// Messages of calls whose octets are taken and given as they are.
//
// gRPC answers a body that is no message of the method with UNIMPLEMENTED, before anybody counts or
// logs the call; so methods take octets, and what is wrong with them is the caller's mistake.
#ifndef TWINTREE_SERVICES_RPC_MESSAGE_OCTETS_H_
#define TWINTREE_SERVICES_RPC_MESSAGE_OCTETS_H_

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include "services/model/result.h"

namespace twintree::rpc {

// Errors: kProtocolError for octets that are no such message; it is empty then.
template <typename Message>
model::Status ParseOctets(const grpc::ByteBuffer& octets, Message* message) {
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
