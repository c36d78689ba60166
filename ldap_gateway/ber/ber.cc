#include "ldap_gateway/ber/ber.h"

namespace twintree::ber {
namespace {

constexpr std::uint64_t kMaxLength = 0xffffffffu;

// Octets of the shortest big-endian form; 1 for zero.
int OctetsOf(std::uint64_t value) {
  int octets = 1;
  while (value >>= 8) ++octets;
  return octets;
}

void AppendBigEndian(std::uint64_t value, int octets, std::string* out) {
  for (int i = octets - 1; i >= 0; --i) out->push_back(static_cast<char>(value >> (8 * i)));
}

// The octets of a length, without the tag.
void AppendLength(std::size_t length, std::string* out) {
  if (length < 0x80) {
    out->push_back(static_cast<char>(length));
    return;
  }
  const int octets = OctetsOf(length);
  out->push_back(static_cast<char>(0x80 | octets));
  AppendBigEndian(length, octets, out);
}

// Reads the octets of a long length. Leading zeros are legal BER (X.690 8.1.3.5), so the number of
// octets alone says nothing about the value.
Header PeekLongLength(std::string_view octets, Header header) {
  const std::size_t count = static_cast<std::uint8_t>(octets[1]) & 0x7fu;
  const std::size_t available = octets.size() - 2 < count ? octets.size() - 2 : count;
  for (std::size_t i = 0; i < available; ++i) {
    header.length = (header.length << 8) | static_cast<std::uint8_t>(octets[2 + i]);
    if (header.length > kMaxLength) {
      header.state = HeaderState::kMalformed;
      return header;
    }
  }
  header.size = 2 + count;
  header.state = available == count ? HeaderState::kComplete : HeaderState::kTruncated;
  return header;
}

}  // namespace

Header PeekHeader(std::string_view octets) {
  Header header;
  if (octets.empty()) return header;
  header.tag = static_cast<Tag>(octets[0]);
  if ((header.tag & 0x1f) == 0x1f) {
    header.state = HeaderState::kMalformed;
    return header;
  }
  if (octets.size() < 2) return header;
  const auto first = static_cast<std::uint8_t>(octets[1]);
  if (first == 0x80 || first == 0xff) {
    header.state = HeaderState::kMalformed;
    return header;
  }
  if (first > 0x80) return PeekLongLength(octets, header);
  header.size = 2;
  header.length = first;
  header.state = HeaderState::kComplete;
  return header;
}

bool Reader::NextLong(Element* element) {
  if (!ok_ || rest_.empty()) return false;
  const ber::Header header = PeekHeader(rest_);
  if (header.state != HeaderState::kComplete || header.length > rest_.size() - header.size) {
    ok_ = false;
    return false;
  }
  Take(header.size, static_cast<std::size_t>(header.length), element);
  return true;
}

std::optional<std::string_view> Reader::Optional(Tag tag) {
  if (rest_.empty() || static_cast<Tag>(rest_[0]) != tag) return std::nullopt;
  Element element;
  if (!Next(&element)) return std::nullopt;
  return element.content;
}

bool Reader::ExpectInteger(std::int64_t* value, Tag tag) {
  std::string_view content;
  if (!Expect(tag, &content)) return false;
  const std::optional<std::int64_t> decoded = DecodeInteger(content);
  if (!decoded) {
    ok_ = false;
    return false;
  }
  *value = *decoded;
  return true;
}

bool Reader::ExpectBoolean(bool* value, Tag tag) {
  std::string_view content;
  if (!Expect(tag, &content)) return false;
  if (content.size() != 1) {
    ok_ = false;
    return false;
  }
  *value = content[0] != 0;
  return true;
}

std::optional<std::int64_t> DecodeInteger(std::string_view content) {
  if (content.empty() || content.size() > 8) return std::nullopt;
  // Starting from the sign, the octets shift in from the right.
  std::uint64_t bits = (content[0] & 0x80) != 0 ? ~std::uint64_t{0} : 0;
  for (const char octet : content) bits = (bits << 8) | static_cast<std::uint8_t>(octet);
  return static_cast<std::int64_t>(bits);
}

void Writer::OctetString(std::string_view value, Tag tag) {
  Header(tag, value.size());
  out_->append(value);
}

void Writer::Integer(std::int64_t value, Tag tag) {
  // The sign takes one bit more than the magnitude, which never uses its highest.
  const std::uint64_t magnitude = static_cast<std::uint64_t>(value < 0 ? ~value : value);
  const int octets = OctetsOf(magnitude << 1);
  Header(tag, static_cast<std::size_t>(octets));
  AppendBigEndian(static_cast<std::uint64_t>(value), octets, out_);
}

void Writer::Boolean(bool value, Tag tag) {
  Header(tag, 1);
  out_->push_back(static_cast<char>(value ? 0xff : 0x00));
}

void Writer::Null(Tag tag) { Header(tag, 0); }

std::size_t Writer::Begin(Tag tag) {
  out_->push_back(static_cast<char>(tag));
  out_->push_back(0);
  return out_->size();
}

void Writer::End(std::size_t mark) {
  const std::size_t length = out_->size() - mark;
  if (length < 0x80) {
    (*out_)[mark - 1] = static_cast<char>(length);
    return;
  }
  const int octets = OctetsOf(length);
  (*out_)[mark - 1] = static_cast<char>(0x80 | octets);
  std::string digits;  // at most 8: no allocation
  AppendBigEndian(length, octets, &digits);
  out_->insert(mark, digits);
}

void Writer::Header(Tag tag, std::size_t length) {
  out_->push_back(static_cast<char>(tag));
  AppendLength(length, out_);
}

}  // namespace twintree::ber
