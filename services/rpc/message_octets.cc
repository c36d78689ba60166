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
  // False: there is nothing more to count.
  bool Count(const Descriptor& type, int depth, CodedInputStream* octets) {
    while (const std::uint32_t tag = octets->ReadTag()) {
      exceeded_ = left_ == 0;
      if (exceeded_) return false;
      --left_;
      const FieldDescriptor* field = type.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
      const bool is_message =
          field != nullptr && field->type() == FieldDescriptor::TYPE_MESSAGE &&
          WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
      if (!is_message) {
        if (!WireFormatLite::SkipField(octets, tag)) return false;
      } else if (!CountWithin(*field->message_type(), depth + 1, octets)) {
        return false;
      }
    }
    return true;
  }

 private:
  bool CountWithin(const Descriptor& type, int depth, CodedInputStream* octets) {
    int size = 0;
    if (depth > kMaxDepth || !octets->ReadVarintSizeAsInt(&size)) return false;
    const CodedInputStream::Limit limit = octets->PushLimit(size);
    if (!Count(type, depth, octets)) return false;
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
  counter.Count(type, 0, &stream);
  return counter.exceeded();
}

}  // namespace twintree::rpc
