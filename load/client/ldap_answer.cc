#include "load/client/ldap_answer.h"

#include <limits>

namespace twintree::load {
namespace {

bool ReadEntry(ber::Reader reader, LdapAnswer* answer) {
  return reader.Expect(ber::kOctetString, &answer->dn) &&
         reader.Expect(ber::kSequence, &answer->attributes) && reader.Finished();
}

bool ReadResult(ber::Reader reader, LdapAnswer* answer) {
  std::int64_t code = 0;
  std::string_view matched_dn;
  if (!reader.ExpectInteger(&code, ber::kEnumerated) ||
      !reader.Expect(ber::kOctetString, &matched_dn) ||
      !reader.Expect(ber::kOctetString, &answer->diagnostic)) {
    return false;
  }
  if (code < 0 || code > std::numeric_limits<int>::max()) return false;
  answer->result = static_cast<int>(code);
  return true;
}

bool ReadOperation(const ber::Element& operation, LdapAnswer* answer) {
  answer->tag = operation.tag;
  switch (operation.tag) {
    case kSearchResultEntry: return ReadEntry(ber::Reader(operation.content), answer);
    case kSearchResultReference: return true;
    case kBindResponse:
    case kSearchResultDone:
    case kModifyResponse:
    case kAddResponse:
    case kDeleteResponse:
    case kRenameResponse:
    case kCompareResponse:
    case kExtendedResponse: return ReadResult(ber::Reader(operation.content), answer);
    default: return false;
  }
}

}  // namespace

AnswerState ReadLdapAnswer(std::string_view octets, LdapAnswer* answer, std::size_t* size) {
  const ber::Header header = ber::PeekHeader(octets);
  if (header.state == ber::HeaderState::kTruncated) return AnswerState::kIncomplete;
  if (header.state == ber::HeaderState::kMalformed || header.tag != ber::kSequence ||
      header.length > kMaxAnswerBytes) {
    return AnswerState::kMalformed;
  }
  const std::size_t whole = header.size + static_cast<std::size_t>(header.length);
  if (octets.size() < whole) return AnswerState::kIncomplete;
  ber::Reader message(octets.substr(header.size, static_cast<std::size_t>(header.length)));
  ber::Element operation;
  if (!message.ExpectInteger(&answer->message_id) || !message.Next(&operation) ||
      !ReadOperation(operation, answer)) {
    return AnswerState::kMalformed;
  }
  *size = whole;
  return AnswerState::kComplete;
}

std::size_t CountAttributes(std::string_view attributes) {
  std::size_t count = 0;
  ber::Reader reader(attributes);
  ber::Element attribute;
  while (reader.Next(&attribute) && attribute.tag == ber::kSequence) ++count;
  return count;
}

}  // namespace twintree::load
