#include "ldap_gateway/protocol/envelope.h"

#include <limits>
#include <vector>

#include "ldap_gateway/limits.h"

namespace twintree::ldap {
namespace {

constexpr ber::Tag kControlsTag = ber::Context(0, true);

model::Error Malformed(const char* what) {
  return model::Error{model::ResultCode::kProtocolError, what, {}};
}

// The request that has this tag, if any.
std::optional<OperationKind> KindOfTag(ber::Tag tag) {
  switch (tag) {
    case ber::Application(0, true): return OperationKind::kBind;
    case ber::Application(2, false): return OperationKind::kUnbind;
    case ber::Application(3, true): return OperationKind::kSearch;
    case ber::Application(6, true): return OperationKind::kModify;
    case ber::Application(8, true): return OperationKind::kAdd;
    case ber::Application(10, false): return OperationKind::kDelete;
    case ber::Application(12, true): return OperationKind::kModifyDn;
    case ber::Application(14, true): return OperationKind::kCompare;
    case ber::Application(16, false): return OperationKind::kAbandon;
    case ber::Application(23, true): return OperationKind::kExtended;
    default: return std::nullopt;
  }
}

}  // namespace

std::string_view OperationName(OperationKind kind) {
  switch (kind) {
    case OperationKind::kBind: return "bind";
    case OperationKind::kUnbind: return "unbind";
    case OperationKind::kSearch: return "search";
    case OperationKind::kModify: return "modify";
    case OperationKind::kAdd: return "add";
    case OperationKind::kDelete: return "delete";
    case OperationKind::kModifyDn: return "modify_dn";
    case OperationKind::kCompare: return "compare";
    case OperationKind::kAbandon: return "abandon";
    case OperationKind::kExtended: return "extended";
  }
  return "unknown";
}

Frame NextFrame(std::string_view octets, std::size_t max_bytes) {
  if (octets.empty()) return {};
  if (static_cast<ber::Tag>(octets[0]) != ber::kSequence) return {Frame::State::kMalformed, 0};
  const ber::Header header = ber::PeekHeader(octets);
  if (header.state == ber::HeaderState::kTruncated) return {};
  if (header.state == ber::HeaderState::kMalformed) return {Frame::State::kMalformed, 0};
  const std::uint64_t size = header.size + header.length;
  if (size > max_bytes) return {Frame::State::kTooLarge, size};
  if (size > octets.size()) return {Frame::State::kIncomplete, size};
  return {Frame::State::kComplete, size};
}

bool SkipExtensions(ber::Reader* reader) {
  ber::Element element;
  while (!reader->at_end()) {
    if (!reader->Next(&element)) return false;
    if ((element.tag & 0x80) == 0) {
      reader->Fail();
      return false;
    }
  }
  return reader->Finished();
}

model::Result<Envelope> DecodeEnvelope(std::string_view message) {
  ber::Reader outer(message);
  std::string_view body;
  if (!outer.Expect(ber::kSequence, &body) || !outer.Finished()) {
    return Malformed("the message is no SEQUENCE");
  }
  ber::Reader reader(body);
  std::int64_t id = 0;
  if (!reader.ExpectInteger(&id)) return Malformed("the message ID cannot be read");
  if (id < 1 || id > std::numeric_limits<MessageId>::max()) {
    return Malformed("the message ID is not between 1 and 2147483647");
  }
  ber::Element operation;
  if (!reader.Next(&operation)) return Malformed("the operation cannot be read");
  const std::optional<OperationKind> kind = KindOfTag(operation.tag);
  if (!kind) return Malformed("the tag of the operation is that of no request");
  Envelope envelope{static_cast<MessageId>(id), *kind, operation.content, std::nullopt};
  if (!reader.at_end()) envelope.controls = reader.Optional(kControlsTag);
  if (!reader.ok() || !SkipExtensions(&reader)) {
    return Malformed("what follows the operation cannot be read");
  }
  return envelope;
}

bool IsWellFormed(std::string_view message) {
  std::vector<ber::Reader> open;
  open.emplace_back(message);
  ber::Element element;
  while (!open.empty()) {
    if (open.back().at_end()) {
      open.pop_back();
    } else if (!open.back().Next(&element)) {
      return false;
    } else if ((element.tag & 0x20) != 0) {
      if (open.size() >= kMaxNesting) return false;
      open.emplace_back(element.content);
    }
  }
  return true;
}

}  // namespace twintree::ldap
