#include "load/client/ldap_request.h"

#include <algorithm>
#include <charconv>

#include "load/client/ldap_answer.h"

namespace twintree::load {
namespace {

constexpr ber::Tag kBindRequest = ber::Application(0, true);
constexpr ber::Tag kSearchRequest = ber::Application(3, true);
constexpr ber::Tag kModifyRequest = ber::Application(6, true);
constexpr ber::Tag kAddRequest = ber::Application(8, true);
constexpr ber::Tag kDeleteRequest = ber::Application(10, false);
constexpr ber::Tag kRenameRequest = ber::Application(12, true);
constexpr ber::Tag kCompareRequest = ber::Application(14, true);

constexpr ber::Tag kSimpleCredentials = ber::Context(0, false);
constexpr ber::Tag kFilterEqual = ber::Context(3, true);
constexpr ber::Tag kFilterSubstrings = ber::Context(4, true);
constexpr ber::Tag kFilterPresent = ber::Context(7, false);
constexpr ber::Tag kInitial = ber::Context(0, false);
constexpr ber::Tag kAny = ber::Context(1, false);
constexpr ber::Tag kFinal = ber::Context(2, false);

constexpr int kLdapVersion = 3;
constexpr int kNeverDerefAliases = 0;
constexpr int kReplace = 2;

// Where the message ID's octets begin, behind the head of the message and of the INTEGER.
std::size_t MessageIdPosition(std::string_view message) {
  return ber::PeekHeader(message).size + 2;
}

// Calls `body(writer)` for the operation inside a message.
template <typename Body>
std::string EncodeMessage(std::uint32_t message_id, const Body& body) {
  std::string octets;
  ber::Writer writer(&octets);
  const std::size_t message = writer.Begin(ber::kSequence);
  writer.Integer(message_id);
  body(writer);
  writer.End(message);
  return octets;
}

void WriteBind(std::string_view dn, std::string_view password, ber::Writer& writer) {
  const std::size_t request = writer.Begin(kBindRequest);
  writer.Integer(kLdapVersion);
  writer.OctetString(dn);
  writer.OctetString(password, kSimpleCredentials);
  writer.End(request);
}

void WriteAssertion(std::string_view attribute, std::string_view value, ber::Tag tag,
                    ber::Writer& writer) {
  const std::size_t assertion = writer.Begin(tag);
  writer.OctetString(attribute);
  writer.OctetString(value);
  writer.End(assertion);
}

void WriteSubstring(const Filter& filter, ber::Tag part, std::string_view value,
                    ber::Writer& writer) {
  const std::size_t substrings = writer.Begin(kFilterSubstrings);
  writer.OctetString(filter.attribute);
  const std::size_t parts = writer.Begin(ber::kSequence);
  writer.OctetString(value, part);
  writer.End(parts);
  writer.End(substrings);
}

void WriteFilter(const Filter& filter, std::string_view value, ber::Writer& writer) {
  switch (filter.kind) {
    case FilterKind::kPresent: writer.OctetString(filter.attribute, kFilterPresent); break;
    case FilterKind::kEqual: WriteAssertion(filter.attribute, value, kFilterEqual, writer); break;
    case FilterKind::kPrefix: WriteSubstring(filter, kInitial, value, writer); break;
    case FilterKind::kInfix: WriteSubstring(filter, kAny, value, writer); break;
    case FilterKind::kSuffix: WriteSubstring(filter, kFinal, value, writer); break;
  }
}

void WriteSearch(const Action& action, std::string_view base, std::string_view value,
                 ber::Writer& writer) {
  const std::size_t request = writer.Begin(kSearchRequest);
  writer.OctetString(base);
  writer.Enumerated(static_cast<int>(action.scope));
  writer.Enumerated(kNeverDerefAliases);
  writer.Integer(0);  // no size limit
  writer.Integer(0);  // no time limit
  writer.Boolean(false);
  WriteFilter(action.filter, value, writer);
  const std::size_t attributes = writer.Begin(ber::kSequence);
  for (const std::string& attribute : action.attributes) writer.OctetString(attribute);
  writer.End(attributes);
  writer.End(request);
}

void WriteCompare(const Action& action, std::string_view dn, std::string_view value,
                  ber::Writer& writer) {
  const std::size_t request = writer.Begin(kCompareRequest);
  writer.OctetString(dn);
  WriteAssertion(action.attribute, value, ber::kSequence, writer);
  writer.End(request);
}

void WriteModify(const Action& action, std::string_view dn, std::string_view value,
                 ber::Writer& writer) {
  const std::size_t request = writer.Begin(kModifyRequest);
  writer.OctetString(dn);
  const std::size_t changes = writer.Begin(ber::kSequence);
  const std::size_t change = writer.Begin(ber::kSequence);
  writer.Enumerated(kReplace);
  const std::size_t attribute = writer.Begin(ber::kSequence);
  writer.OctetString(action.attribute);
  const std::size_t values = writer.Begin(ber::kSet);
  writer.OctetString(value);
  writer.End(values);
  writer.End(attribute);
  writer.End(change);
  writer.End(changes);
  writer.End(request);
}

void WriteRename(std::string_view dn, std::string_view new_rdn, ber::Writer& writer) {
  const std::size_t request = writer.Begin(kRenameRequest);
  writer.OctetString(dn);
  writer.OctetString(new_rdn);
  writer.Boolean(true);  // the old RDN's value goes
  writer.End(request);
}

void WriteOperation(const Action& action, const Pattern::Blanks& blanks, ber::Writer& writer) {
  const std::string dn = action.dn.Blank(blanks);
  const std::string value = action.value.Blank(blanks);
  switch (action.kind) {
    case OperationKind::kSearch:
    case OperationKind::kEmpty:
      WriteSearch(action, dn, action.filter.value.Blank(blanks), writer);
      break;
    case OperationKind::kCompare: WriteCompare(action, dn, value, writer); break;
    case OperationKind::kBind: WriteBind(dn, value, writer); break;
    case OperationKind::kModify: WriteModify(action, dn, value, writer); break;
    case OperationKind::kDelete: writer.OctetString(dn, kDeleteRequest); break;
    case OperationKind::kRename: WriteRename(dn, value, writer); break;
    case OperationKind::kAdd: break;  // has no template
  }
}

void PutBigEndian(std::uint32_t value, char* at) {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<char>(value >> (24 - 8 * i));
}

}  // namespace

std::string EncodeSimpleBind(std::string_view dn, std::string_view password) {
  return EncodeMessage(kFirstMessageId,
                       [&](ber::Writer& writer) { WriteBind(dn, password, writer); });
}

ber::Tag AnswerTag(OperationKind kind) {
  switch (kind) {
    case OperationKind::kSearch:
    case OperationKind::kEmpty: return kSearchResultDone;
    case OperationKind::kCompare: return kCompareResponse;
    case OperationKind::kBind: return kBindResponse;
    case OperationKind::kModify: return kModifyResponse;
    case OperationKind::kAdd: return kAddResponse;
    case OperationKind::kDelete: return kDeleteResponse;
    case OperationKind::kRename: break;
  }
  return kRenameResponse;
}

void LdapRequestWriter::Append(const Operation& operation, std::uint32_t message_id,
                               std::string* out) {
  if (operation.action->kind == OperationKind::kAdd) {
    AppendAdd(operation, message_id, out);
    return;
  }
  const Shape shape{operation.action, CountDigits(operation.number), CountDigits(operation.value)};
  auto found = templates_.find(shape);
  if (found == templates_.end()) found = templates_.emplace(shape, MakeTemplate(shape)).first;
  const Template& request = found->second;
  const std::size_t begin = out->size();
  out->append(request.octets);
  char* const message = out->data() + begin;
  PutBigEndian(message_id, message + request.message_id_at);
  for (const std::size_t at : request.number_at) {
    std::to_chars(message + at, message + at + shape.number_digits, operation.number);
  }
  for (const std::size_t at : request.value_at) {
    std::to_chars(message + at, message + at + shape.value_digits, operation.value);
  }
}

// Any octet may be a length too, so blanks are what changes when the marks do.
LdapRequestWriter::Template LdapRequestWriter::MakeTemplate(const Shape& shape) {
  const auto encode = [&shape](char number_mark, char value_mark) {
    return EncodeMessage(kFirstMessageId, [&](ber::Writer& writer) {
      WriteOperation(*shape.action,
                     {shape.number_digits, shape.value_digits, number_mark, value_mark}, writer);
    });
  };
  Template request;
  request.octets = encode('n', 'v');
  request.message_id_at = MessageIdPosition(request.octets);
  const std::string other = encode('N', 'V');
  for (std::size_t i = 0; i < other.size();) {
    if (request.octets[i] == other[i]) {
      ++i;
    } else if (other[i] == 'N') {
      request.number_at.push_back(i);
      i += shape.number_digits;
    } else {
      request.value_at.push_back(i);
      i += shape.value_digits;
    }
  }
  return request;
}

void LdapRequestWriter::AppendAdd(const Operation& operation, std::uint32_t message_id,
                                  std::string* out) {
  const std::string dn = operation.action->dn.Text(operation.number, operation.value);
  const auto& entry = new_entries_.Attributes(operation.action->new_entry, operation.number, dn);
  *out += EncodeMessage(message_id, [&](ber::Writer& writer) {
    const std::size_t request = writer.Begin(kAddRequest);
    writer.OctetString(dn);
    const std::size_t attributes = writer.Begin(ber::kSequence);
    for (const NewAttribute& attribute : entry) {
      const std::size_t element = writer.Begin(ber::kSequence);
      writer.OctetString(attribute.name);
      const std::size_t values = writer.Begin(ber::kSet);
      for (const std::string& value : attribute.values) writer.OctetString(value);
      writer.End(values);
      writer.End(element);
    }
    writer.End(attributes);
    writer.End(request);
  });
}

}  // namespace twintree::load
