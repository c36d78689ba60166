#include "services/rpc/entry_message.h"

#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "ldap_gateway/ber/ber.h"
#include "services/rpc/error_translation.h"
#include "services/rpc/utf8.h"

namespace twintree::rpc {
namespace {

using google::protobuf::io::CodedOutputStream;

// Fields of Entry and of Attribute.
constexpr std::uint32_t kDn = 1;
constexpr std::uint32_t kAttributes = 2;
constexpr std::uint32_t kEtag = 3;
constexpr std::uint32_t kName = 1;
constexpr std::uint32_t kValues = 2;

constexpr std::uint32_t TagOf(std::uint32_t field) { return field << 3 | 2; }  // LEN

std::size_t FieldSize(std::size_t content) {
  return 1 + CodedOutputStream::VarintSize32(static_cast<std::uint32_t>(content)) + content;
}

char* WriteHead(std::uint32_t field, std::size_t content, char* out) {
  auto* at = reinterpret_cast<std::uint8_t*>(out);
  at = CodedOutputStream::WriteVarint32ToArray(TagOf(field), at);
  at = CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(content), at);
  return reinterpret_cast<char*>(at);
}

char* WriteField(std::uint32_t field, std::string_view content, char* out) {
  out = WriteHead(field, content.size(), out);
  if (!content.empty()) std::memcpy(out, content.data(), content.size());
  return out + content.size();
}

bool IsPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool IsCsn(std::string_view description) {
  constexpr std::string_view kLowerCase = "entrycsn";
  return description.size() == kLowerCase.size() &&
         std::equal(description.begin(), description.end(), kLowerCase.begin(),
                    [](char c, char lower) { return (c | 0x20) == lower; });
}

model::Error Damaged() {
  return {model::ResultCode::kOther, "an entry's attributes are damaged", ""};
}

}  // namespace

model::Status EntryMessage::Read(std::string_view dn, std::span<const std::string_view> pieces,
                                 bool hide_csn) {
  attributes_.clear();
  corrected_.clear();
  etag_ = {};
  dn_ = IsUtf8(dn) ? dn : std::string_view(corrected_.emplace_back(Utf8Dn(dn)));
  size_ = dn_.empty() ? 0 : FieldSize(dn_.size());
  for (const std::string_view piece : pieces) {
    ber::Reader reader(piece);
    std::string_view element;
    while (!reader.at_end()) {
      if (!reader.Expect(ber::kSequence, &element)) return Damaged();
      TT_RETURN_IF_ERROR(ReadAttribute(element, hide_csn));
    }
  }
  if (!etag_.empty()) size_ += FieldSize(etag_.size());
  return model::OkStatus();
}

model::Status EntryMessage::ReadAttribute(std::string_view element, bool hide_csn) {
  ber::Reader reader(element);
  std::string_view description;
  std::string_view values;
  if (!reader.Expect(ber::kOctetString, &description) || !reader.Expect(ber::kSet, &values) ||
      !reader.Finished()) {
    return Damaged();
  }
  Attribute attribute{Printable(description), values, 0};
  if (!attribute.name.empty()) attribute.size = FieldSize(attribute.name.size());
  const bool is_csn = IsCsn(description);
  ber::Reader value_reader(values);
  std::string_view value;
  while (!value_reader.at_end()) {
    if (!value_reader.Expect(ber::kOctetString, &value)) return Damaged();
    attribute.size += FieldSize(value.size());
    if (is_csn) etag_ = IsUtf8(value) ? value : corrected_.emplace_back(Utf8Dn(value));
  }
  if (is_csn && hide_csn) return model::OkStatus();
  size_ += FieldSize(attribute.size);
  attributes_.push_back(attribute);
  return model::OkStatus();
}

std::string_view EntryMessage::Printable(std::string_view text) {
  if (IsPlain(text)) return text;
  return corrected_.emplace_back(PrintableText(text, text.size()));
}

char* EntryMessage::Write(char* out) const {
  if (!dn_.empty()) out = WriteField(kDn, dn_, out);
  for (const Attribute& attribute : attributes_) {
    out = WriteHead(kAttributes, attribute.size, out);
    if (!attribute.name.empty()) out = WriteField(kName, attribute.name, out);
    ber::Reader reader(attribute.values);
    std::string_view value;
    while (reader.Expect(ber::kOctetString, &value)) out = WriteField(kValues, value, out);
  }
  return etag_.empty() ? out : WriteField(kEtag, etag_, out);
}

void EntryMessage::AppendField(std::uint32_t number, std::string* out) const {
  const std::size_t before = out->size();
  out->resize(before + FieldSize(size_));
  Write(WriteHead(number, size_, out->data() + before));
}

std::string EntryMessage::ToString() const {
  std::string octets(size_, '\0');
  Write(octets.data());
  return octets;
}

std::string Utf8Dn(std::string_view dn) {
  if (IsUtf8(dn)) return std::string(dn);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string escaped;
  while (!dn.empty()) {
    const std::size_t length = Utf8SequenceLength(dn);
    if (length == 0) {
      const auto octet = static_cast<unsigned char>(dn.front());
      escaped += {'\\', kDigits[octet >> 4], kDigits[octet & 15]};
      dn.remove_prefix(1);
    } else {
      escaped.append(dn.substr(0, length));
      dn.remove_prefix(length);
    }
  }
  return escaped;
}

grpc::ByteBuffer ToByteBuffer(std::string octets) {
  auto held = std::make_unique<std::string>(std::move(octets));
  void* const data = held->data();
  const std::size_t size = held->size();
  const grpc::Slice slice(
      data, size, [](void* string) { delete static_cast<std::string*>(string); }, held.release());
  return grpc::ByteBuffer(&slice, 1);
}

}  // namespace twintree::rpc
