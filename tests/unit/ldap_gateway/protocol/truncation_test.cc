// Every golden message, cut off at every octet and with every octet changed.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "ldap_gateway/limits.h"
#include "ldap_gateway/protocol/controls.h"
#include "ldap_gateway/protocol/oids.h"
#include "ldap_gateway/protocol/request.h"
#include "tests/unit/ldap_gateway/protocol/golden.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap {
namespace {

model::Status DecodeExtendedFully(std::string_view content) {
  TT_ASSIGN_OR_RETURN(const ExtendedRequest request, DecodeExtended(content));
  if (request.name == oid::kPasswordModify) return DecodePasswordModify(request.value).status();
  if (request.name == oid::kCancel) return DecodeCancel(request.value).status();
  return model::OkStatus();
}

model::Status DecodeOperation(OperationKind kind, std::string_view content) {
  switch (kind) {
    case OperationKind::kBind: return DecodeBind(content).status();
    case OperationKind::kSearch: return DecodeSearch(content).status();
    case OperationKind::kModify: return DecodeModify(content).status();
    case OperationKind::kAdd: return DecodeAdd(content).status();
    case OperationKind::kModifyDn: return DecodeModifyDn(content).status();
    case OperationKind::kCompare: return DecodeCompare(content).status();
    case OperationKind::kAbandon: return DecodeAbandon(content).status();
    case OperationKind::kExtended: return DecodeExtendedFully(content);
    case OperationKind::kUnbind:
    case OperationKind::kDelete: break;  // any content is right
  }
  return model::OkStatus();
}

// Everything a session decodes of one message.
model::Status DecodeFully(std::string_view message) {
  TT_ASSIGN_OR_RETURN(const Envelope envelope, DecodeEnvelope(message));
  if (envelope.controls) {
    TT_RETURN_IF_ERROR(DecodeControls(*envelope.controls, envelope.kind));
  }
  return DecodeOperation(envelope.kind, envelope.content);
}

// The same octets in memory of exactly their size, so that a sanitizer sees every step beyond.
struct Tight {
  explicit Tight(std::string_view octets) : memory(new char[octets.size()]), size(octets.size()) {
    std::memcpy(memory.get(), octets.data(), size);
  }
  std::string_view view() const { return {memory.get(), size}; }
  std::unique_ptr<char[]> memory;
  std::size_t size;
};

class GoldenMessageTest : public ::testing::TestWithParam<std::string_view> {
 protected:
  const std::string message_ = testing::Octets(GetParam());
};

TEST_P(GoldenMessageTest, Decodes) {
  const Tight message(message_);
  EXPECT_EQ(NextFrame(message.view(), kMaxMessageBytes).size, message_.size());
  EXPECT_EQ(DecodeFully(message.view()).code(), model::ResultCode::kSuccess);
  EXPECT_TRUE(IsWellFormed(message.view()));
}

TEST_P(GoldenMessageTest, IsIncompleteWhenCutOff) {
  for (std::size_t size = 0; size < message_.size(); ++size) {
    const Tight cut(std::string_view(message_).substr(0, size));
    EXPECT_EQ(NextFrame(cut.view(), kMaxMessageBytes).state, Frame::State::kIncomplete) << size;
    EXPECT_EQ(DecodeFully(cut.view()).code(), model::ResultCode::kProtocolError) << size;
    EXPECT_EQ(IsWellFormed(cut.view()), size == 0) << size;
  }
}

TEST_P(GoldenMessageTest, OperationCutOffIsAnError) {
  const Envelope envelope = DecodeEnvelope(message_).value();
  if (envelope.kind == OperationKind::kUnbind || envelope.kind == OperationKind::kDelete) return;
  for (std::size_t size = 0; size < envelope.content.size(); ++size) {
    // A modifyDN without new superior, or an extended request without value, is whole.
    const std::string_view rest = envelope.content.substr(size);
    const bool at_optional = rest.starts_with("\x80\x09") || rest.starts_with("\x81");
    if (at_optional && envelope.kind != OperationKind::kBind) continue;
    const Tight cut(envelope.content.substr(0, size));
    EXPECT_EQ(DecodeOperation(envelope.kind, cut.view()).code(), model::ResultCode::kProtocolError)
        << size;
  }
}

TEST_P(GoldenMessageTest, AnyChangedOctetIsDecodedOrRefused) {
  for (std::size_t i = 0; i < message_.size(); ++i) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = message_;
      changed[i] = static_cast<char>(value);
      const Tight message(changed);
      const model::ResultCode code = DecodeFully(message.view()).code();
      EXPECT_TRUE(code == model::ResultCode::kSuccess ||
                  code == model::ResultCode::kProtocolError ||
                  code == model::ResultCode::kUnavailableCriticalExtension)
          << i << " " << value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OpenLdap, GoldenMessageTest, ::testing::ValuesIn(testing::golden::kAll));

}  // namespace
}  // namespace twintree::ldap
