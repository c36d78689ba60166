#include "services/rpc/message_octets.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <limits>

namespace twintree::rpc {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

// Protobuf reads no deeper either.
constexpr int kMaxDepth = 100;

class FieldCounter {
 public:
  explicit FieldCounter(std::size_t most) : left_(most) {}

  bool exceeded() const { return exceeded_; }
  // Fields of a message, or of a group that nobody knows, up to its end. `type`: null when unknown.
  // False: there is nothing more to count.
  bool Count(const Descriptor* type, int depth, CodedInputStream* octets) {
    if (depth > kMaxDepth) return false;
    while (const std::uint32_t tag = octets->ReadTag()) {
      const auto wire_type = WireFormatLite::GetTagWireType(tag);
      if (wire_type == WireFormatLite::WIRETYPE_END_GROUP) return type == nullptr;
      exceeded_ = left_ == 0;
      if (exceeded_) return false;
      --left_;
      if (!CountOne(type, tag, depth, octets)) return false;
    }
    return type != nullptr;
  }

 private:
  bool CountOne(const Descriptor* type, std::uint32_t tag, int depth, CodedInputStream* octets) {
    const auto wire_type = WireFormatLite::GetTagWireType(tag);
    if (wire_type == WireFormatLite::WIRETYPE_START_GROUP) return Count(nullptr, depth + 1, octets);
    const FieldDescriptor* const field =
        type == nullptr ? nullptr : type->FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
    const bool is_message = field != nullptr && field->type() == FieldDescriptor::TYPE_MESSAGE &&
                            wire_type == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
    return is_message ? CountWithin(*field->message_type(), depth + 1, octets)
                      : WireFormatLite::SkipField(octets, tag);
  }
  bool CountWithin(const Descriptor& type, int depth, CodedInputStream* octets) {
    int size = 0;
    if (!octets->ReadVarintSizeAsInt(&size)) return false;
    const CodedInputStream::Limit limit = octets->PushLimit(size);
    if (!Count(&type, depth, octets)) return false;
    const bool whole = octets->BytesUntilLimit() == 0;
    octets->PopLimit(limit);
    return whole;
  }

  std::size_t left_;
  bool exceeded_ = false;
};

}  // namespace

bool HasMoreFields(const grpc::ByteBuffer& octets, const Descriptor& type, std::size_t most) {
  grpc::ByteBuffer read = octets;
  grpc::ProtoBufferReader reader(&read);
  if (!reader.status().ok()) return false;
  CodedInputStream stream(&reader);
  stream.SetTotalBytesLimit(std::numeric_limits<int>::max());
  FieldCounter counter(most);
  counter.Count(&type, 0, &stream);
  return counter.exceeded();
}

}  // namespace twintree::rpc
