// The part of BER that LDAP uses: definite lengths, low tag numbers, primitive strings.
//
// Reader walks octets that somebody else owns and never looks past their end; Writer appends to a
// string. Neither throws, recurses or allocates on behalf of a length that was only claimed.
//
//   ber::Reader reader(octets);
//   ber::Element element;
//   while (reader.Next(&element)) Use(element.tag, element.content);
//   if (!reader.ok()) return Malformed();
//
// Thread-safety: compatible.
// Source: ITU-T X.690 8.1-8.14; RFC 4511 5.1 (definite form only, strings primitive).
#ifndef TWINTREE_LDAP_GATEWAY_BER_BER_H_
#define TWINTREE_LDAP_GATEWAY_BER_BER_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace twintree::ber {

using Tag = std::uint8_t;  // class, form and number in one octet; numbers above 30 are refused

inline constexpr Tag kBoolean = 0x01;
inline constexpr Tag kInteger = 0x02;
inline constexpr Tag kOctetString = 0x04;
inline constexpr Tag kNull = 0x05;
inline constexpr Tag kEnumerated = 0x0a;
inline constexpr Tag kSequence = 0x30;
inline constexpr Tag kSet = 0x31;
constexpr Tag Application(int number, bool constructed) {
  return static_cast<Tag>(0x40 | (constructed ? 0x20 : 0) | number);
}
constexpr Tag Context(int number, bool constructed) {
  return static_cast<Tag>(0x80 | (constructed ? 0x20 : 0) | number);
}

struct Element {
  Tag tag = 0;
  std::string_view content;  // the content octets
  std::string_view whole;    // tag, length and content
};

// How far the head of an element (tag and length) is there.
enum class HeaderState {
  kComplete,   // `size` octets of head, `length` octets of content follow
  kTruncated,  // more octets are needed to know
  kMalformed,  // indefinite or reserved length, a length above 2^32-1, a tag number above 30
};
struct Header {
  HeaderState state = HeaderState::kTruncated;
  Tag tag = 0;
  std::size_t size = 0;
  std::uint64_t length = 0;
};
// Looks at the start of `octets` only; used to frame messages before their body has arrived.
Header PeekHeader(std::string_view octets);

// Reads elements one after the other.
class Reader {
 public:
  explicit Reader(std::string_view octets) : rest_(octets) {}

  // The next element. False at the end or when what follows is malformed or overruns; ok() tells.
  bool Next(Element* element) {
    // Nearly every element has a short length; that case is worth inlining.
    if (ok_ && rest_.size() >= 2 && (rest_[0] & 0x1f) != 0x1f) {
      const std::size_t length = static_cast<std::uint8_t>(rest_[1]);
      if (length < 0x80 && length <= rest_.size() - 2) {
        Take(2, length, element);
        return true;
      }
    }
    return NextLong(element);
  }
  // Next element, which must have this tag; otherwise the reader fails.
  bool Expect(Tag tag, std::string_view* content) {
    Element element;
    if (!Next(&element) || element.tag != tag) {
      ok_ = false;
      return false;
    }
    *content = element.content;
    return true;
  }
  // Next element if it has this tag; nullopt (and nothing consumed) otherwise.
  std::optional<std::string_view> Optional(Tag tag);
  // INTEGER or ENUMERATED (or an implicit `tag`) of 1 to 8 octets, two's complement.
  bool ExpectInteger(std::int64_t* value, Tag tag = kInteger);
  bool ExpectBoolean(bool* value, Tag tag = kBoolean);  // one octet; any non-zero is TRUE

  bool at_end() const { return rest_.empty(); }
  bool ok() const { return ok_; }
  // Everything was read and nothing was wrong.
  bool Finished() const { return ok_ && rest_.empty(); }
  std::string_view rest() const { return rest_; }
  // Marks the input as malformed.
  void Fail() { ok_ = false; }

 private:
  bool NextLong(Element* element);
  void Take(std::size_t header_size, std::size_t length, Element* element) {
    element->tag = static_cast<Tag>(rest_[0]);
    element->content = rest_.substr(header_size, length);
    element->whole = rest_.substr(0, header_size + length);
    rest_.remove_prefix(header_size + length);
  }

  std::string_view rest_;
  bool ok_ = true;
};

// Content octets to values; nullopt when empty or longer than 8 octets.
std::optional<std::int64_t> DecodeInteger(std::string_view content);

// Appends elements. Lengths are minimal (DER style).
class Writer {
 public:
  explicit Writer(std::string* out) : out_(out) {}

  void OctetString(std::string_view value, Tag tag = kOctetString);
  void Integer(std::int64_t value, Tag tag = kInteger);
  void Enumerated(std::int64_t value) { Integer(value, kEnumerated); }
  void Boolean(bool value, Tag tag = kBoolean);
  void Null(Tag tag = kNull);
  // Octets that are elements already.
  void Raw(std::string_view elements) { out_->append(elements); }

  // A constructed element: Begin returns a mark that End takes. They nest. Content of 128 octets
  // and more moves once, at End, to make room for its length; Header() below avoids that.
  [[nodiscard]] std::size_t Begin(Tag tag);
  void End(std::size_t mark);

  // Tag and length of an element whose content follows by other means.
  void Header(Tag tag, std::size_t length);

 private:
  std::string* out_;
};

// Octets that tag and length take for `length` octets of content.
constexpr std::size_t HeaderSize(std::size_t length) {
  return length < 0x80 ? 2 : 2 + (static_cast<std::size_t>(std::bit_width(length)) + 7) / 8;
}

}  // namespace twintree::ber

#endif  // TWINTREE_LDAP_GATEWAY_BER_BER_H_
