#include "ldap_gateway/protocol/response.h"

#include "ldap_gateway/ber/ber.h"
#include "ldap_gateway/protocol/oids.h"

namespace twintree::ldap {
namespace {

constexpr ber::Tag kSearchEntryTag = ber::Application(4, true);
constexpr ber::Tag kExtendedResponseTag = ber::Application(24, true);
constexpr ber::Tag kControlsTag = ber::Context(0, true);
constexpr ber::Tag kResponseNameTag = ber::Context(10, false);
constexpr ber::Tag kResponseValueTag = ber::Context(11, false);

// Octets of a whole element with `length` octets of content.
std::size_t Sized(std::size_t length) { return ber::HeaderSize(length) + length; }

// Octets of a whole INTEGER or ENUMERATED that is not negative.
std::size_t IntegerSize(std::uint32_t value) {
  std::size_t octets = 1;
  while (value > 0x7f) {
    value >>= 8;
    ++octets;
  }
  return 2 + octets;
}

std::size_t CodeSize(model::ResultCode code) {
  return IntegerSize(static_cast<std::uint32_t>(code));
}

// The tag of a final response follows that of its request, but for a search, whose entries come in
// between.
ber::Tag ResponseTag(OperationKind request) {
  const int number = static_cast<int>(request);
  return ber::Application(request == OperationKind::kSearch ? number + 2 : number + 1, true);
}

std::size_t ResultSize(const LdapResult& result) {
  return CodeSize(result.code) + Sized(result.matched_dn.size()) + Sized(result.diagnostic.size());
}

void WriteResult(const LdapResult& result, ber::Writer* writer) {
  writer->Enumerated(static_cast<std::int64_t>(result.code));
  writer->OctetString(result.matched_dn);
  writer->OctetString(result.diagnostic);
}

// Everything up to the content of the operation: the caller appends `operation_size` octets of it,
// then `tail_size` octets of controls.
void WriteEnvelope(MessageId id, ber::Tag tag, std::size_t operation_size, std::size_t tail_size,
                   std::string* out) {
  const std::size_t body =
      IntegerSize(static_cast<std::uint32_t>(id)) + Sized(operation_size) + tail_size;
  const std::size_t needed = out->size() + Sized(body);
  if (needed > out->capacity()) out->reserve(needed);
  ber::Writer writer(out);
  writer.Header(ber::kSequence, body);
  writer.Integer(id);
  writer.Header(tag, operation_size);
}

}  // namespace

void EncodeResponse(MessageId id, OperationKind request, const LdapResult& result,
                    std::string_view controls, std::string* out) {
  const std::size_t tail = controls.empty() ? 0 : Sized(controls.size());
  WriteEnvelope(id, ResponseTag(request), ResultSize(result), tail, out);
  ber::Writer writer(out);
  WriteResult(result, &writer);
  if (!controls.empty()) writer.OctetString(controls, kControlsTag);
}

void EncodeExtendedResponse(MessageId id, const LdapResult& result,
                            std::optional<std::string_view> name,
                            std::optional<std::string_view> value, std::string* out) {
  std::size_t size = ResultSize(result);
  if (name) size += Sized(name->size());
  if (value) size += Sized(value->size());
  WriteEnvelope(id, kExtendedResponseTag, size, 0, out);
  ber::Writer writer(out);
  WriteResult(result, &writer);
  if (name) writer.OctetString(*name, kResponseNameTag);
  if (value) writer.OctetString(*value, kResponseValueTag);
}

void EncodeSearchEntry(MessageId id, std::string_view dn,
                       std::span<const std::string_view> attribute_pieces, std::string* out) {
  std::size_t attributes = 0;
  for (std::string_view piece : attribute_pieces) attributes += piece.size();
  WriteEnvelope(id, kSearchEntryTag, Sized(dn.size()) + Sized(attributes), 0, out);
  ber::Writer writer(out);
  writer.OctetString(dn);
  writer.Header(ber::kSequence, attributes);
  for (std::string_view piece : attribute_pieces) out->append(piece);
}

void EncodeNoticeOfDisconnection(model::ResultCode code, std::string_view diagnostic,
                                 std::string* out) {
  EncodeExtendedResponse(0, LdapResult{code, {}, diagnostic}, oid::kNoticeOfDisconnection,
                         std::nullopt, out);
}

}  // namespace twintree::ldap
