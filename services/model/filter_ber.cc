// The BER form of filters: Filter::Decode and Filter::Encode.
//
//   Filter ::= CHOICE {
//     and [0] SET OF Filter, or [1] SET OF Filter, not [2] Filter (explicit, being a choice),
//     equalityMatch [3], substrings [4], greaterOrEqual [5], lessOrEqual [6], present [7],
//     approxMatch [8], extensibleMatch [9] }
//
// Source: RFC 4511 4.5.1.7 and, for ignoring what follows known components, 4.
#include <optional>
#include <utility>

#include "ldap_gateway/ber/ber.h"
#include "services/model/filter.h"

namespace twintree::model {
namespace {

constexpr ber::Tag kAndTag = ber::Context(0, true);
constexpr ber::Tag kOrTag = ber::Context(1, true);
constexpr ber::Tag kNotTag = ber::Context(2, true);
constexpr ber::Tag kEqualityTag = ber::Context(3, true);
constexpr ber::Tag kSubstringsTag = ber::Context(4, true);
constexpr ber::Tag kGreaterOrEqualTag = ber::Context(5, true);
constexpr ber::Tag kLessOrEqualTag = ber::Context(6, true);
constexpr ber::Tag kPresentTag = ber::Context(7, false);
constexpr ber::Tag kApproxTag = ber::Context(8, true);
constexpr ber::Tag kExtensibleTag = ber::Context(9, true);

constexpr ber::Tag kInitialTag = ber::Context(0, false);
constexpr ber::Tag kAnyTag = ber::Context(1, false);
constexpr ber::Tag kFinalTag = ber::Context(2, false);

constexpr ber::Tag kRuleTag = ber::Context(1, false);
constexpr ber::Tag kTypeTag = ber::Context(2, false);
constexpr ber::Tag kValueTag = ber::Context(3, false);
constexpr ber::Tag kDnAttributesTag = ber::Context(4, false);

// A recursive descent, bounded by Filter::kMaxDepth. Functions return false after Fail().
class FilterDecoder {
 public:
  Result<Filter> Run(std::string_view octets) {
    ber::Reader reader(octets);
    ber::Element element;
    Filter filter;
    if (!reader.Next(&element) || !reader.at_end()) {
      Fail("not one BER element");
    } else {
      Decode(element, 1, &filter);
    }
    if (problem_ == nullptr) return filter;
    return Error{ResultCode::kProtocolError, "bad search filter: " + std::string(problem_), ""};
  }

 private:
  bool Fail(const char* problem) {
    if (problem_ == nullptr) problem_ = problem;
    return false;
  }
  bool Count() { return ++items_ <= Filter::kMaxItems || Fail("too many items"); }

  bool Decode(const ber::Element& element, std::size_t depth, Filter* filter) {
    if (depth > Filter::kMaxDepth) return Fail("nested too deeply");
    if (!Count()) return false;
    switch (element.tag) {
      case kAndTag: return DecodeList(element.content, FilterKind::kAnd, depth, filter);
      case kOrTag: return DecodeList(element.content, FilterKind::kOr, depth, filter);
      case kNotTag: return DecodeNot(element.content, depth, filter);
      case kEqualityTag: return DecodeAssertion(element.content, FilterKind::kEquality, filter);
      case kSubstringsTag: return DecodeSubstrings(element.content, filter);
      case kGreaterOrEqualTag:
        return DecodeAssertion(element.content, FilterKind::kGreaterOrEqual, filter);
      case kLessOrEqualTag:
        return DecodeAssertion(element.content, FilterKind::kLessOrEqual, filter);
      case kApproxTag: return DecodeAssertion(element.content, FilterKind::kApprox, filter);
      case kExtensibleTag: return DecodeExtensible(element.content, filter);
      case kPresentTag:
        filter->kind = FilterKind::kPresent;
        filter->attribute = element.content;
        return true;
      default: return Fail("unknown kind of item");
    }
  }

  bool DecodeList(std::string_view content, FilterKind kind, std::size_t depth, Filter* filter) {
    filter->kind = kind;
    ber::Reader reader(content);
    ber::Element element;
    while (reader.Next(&element)) {
      if (!Decode(element, depth + 1, &filter->children.emplace_back())) return false;
    }
    return reader.ok() || Fail("bad list of filters");
  }

  bool DecodeNot(std::string_view content, std::size_t depth, Filter* filter) {
    filter->kind = FilterKind::kNot;
    ber::Reader reader(content);
    ber::Element element;
    if (!reader.Next(&element) || !reader.at_end()) return Fail("not takes one filter");
    return Decode(element, depth + 1, &filter->children.emplace_back());
  }

  // Whatever well-formed elements follow the components that are known.
  bool SkipRest(ber::Reader* reader) {
    ber::Element element;
    while (reader->Next(&element)) {
    }
    return reader->ok();
  }

  bool DecodeAssertion(std::string_view content, FilterKind kind, Filter* filter) {
    filter->kind = kind;
    ber::Reader reader(content);
    std::string_view attribute;
    std::string_view value;
    if (!reader.Expect(ber::kOctetString, &attribute) ||
        !reader.Expect(ber::kOctetString, &value) || !SkipRest(&reader)) {
      return Fail("bad attribute value assertion");
    }
    filter->attribute = attribute;
    filter->value = value;
    return true;
  }

  bool DecodeSubstrings(std::string_view content, Filter* filter) {
    filter->kind = FilterKind::kSubstrings;
    ber::Reader reader(content);
    std::string_view attribute;
    std::string_view pieces;
    if (!reader.Expect(ber::kOctetString, &attribute) || !reader.Expect(ber::kSequence, &pieces) ||
        !SkipRest(&reader)) {
      return Fail("bad substring assertion");
    }
    filter->attribute = attribute;
    return DecodePieces(pieces, filter);
  }

  bool DecodePieces(std::string_view pieces, Filter* filter) {
    if (pieces.empty()) return Fail("substring assertion without pieces");
    ber::Reader reader(pieces);
    if (const std::optional<std::string_view> initial = reader.Optional(kInitialTag)) {
      if (!Count()) return false;
      filter->initial = *initial;
    }
    while (const std::optional<std::string_view> any = reader.Optional(kAnyTag)) {
      if (!Count()) return false;
      filter->any.emplace_back(*any);
    }
    if (const std::optional<std::string_view> last = reader.Optional(kFinalTag)) {
      if (!Count()) return false;
      filter->final_piece = *last;
    }
    if (!reader.Finished()) return Fail("bad pieces in a substring assertion");
    // An empty first or last piece says nothing, but something has to be left.
    if (filter->initial.empty() && filter->any.empty() && filter->final_piece.empty()) {
      filter->any.emplace_back();
    }
    return true;
  }

  bool DecodeExtensible(std::string_view content, Filter* filter) {
    filter->kind = FilterKind::kExtensible;
    ber::Reader reader(content);
    filter->matching_rule = reader.Optional(kRuleTag).value_or("");
    filter->attribute = reader.Optional(kTypeTag).value_or("");
    std::string_view value;
    reader.Expect(kValueTag, &value);
    filter->value = value;
    if (!reader.at_end() && static_cast<ber::Tag>(reader.rest()[0]) == kDnAttributesTag) {
      reader.ExpectBoolean(&filter->dn_attributes, kDnAttributesTag);
    }
    if (!SkipRest(&reader)) return Fail("bad matching rule assertion");
    if (filter->attribute.empty() && filter->matching_rule.empty()) {
      return Fail("matching rule assertion without rule and attribute");
    }
    return true;
  }

  std::size_t items_ = 0;
  const char* problem_ = nullptr;
};

ber::Tag TagOf(FilterKind kind) {
  switch (kind) {
    case FilterKind::kAnd: return kAndTag;
    case FilterKind::kOr: return kOrTag;
    case FilterKind::kNot: return kNotTag;
    case FilterKind::kEquality: return kEqualityTag;
    case FilterKind::kSubstrings: return kSubstringsTag;
    case FilterKind::kGreaterOrEqual: return kGreaterOrEqualTag;
    case FilterKind::kLessOrEqual: return kLessOrEqualTag;
    case FilterKind::kPresent: return kPresentTag;
    case FilterKind::kApprox: return kApproxTag;
    case FilterKind::kExtensible: break;
  }
  return kExtensibleTag;
}

std::size_t SizeOf(std::size_t content) { return ber::HeaderSize(content) + content; }

std::size_t PiecesSize(const Filter& filter) {
  std::size_t size = 0;
  if (!filter.initial.empty()) size += SizeOf(filter.initial.size());
  for (const std::string& piece : filter.any) size += SizeOf(piece.size());
  if (!filter.final_piece.empty()) size += SizeOf(filter.final_piece.size());
  return size;
}

std::size_t ExtensibleSize(const Filter& filter) {
  std::size_t size = SizeOf(filter.value.size());
  if (!filter.matching_rule.empty()) size += SizeOf(filter.matching_rule.size());
  if (!filter.attribute.empty()) size += SizeOf(filter.attribute.size());
  if (filter.dn_attributes) size += SizeOf(1);
  return size;
}

// Two walks in the same order: the first notes the size of each filter's content, the second
// writes. So no octet moves, however deep the nesting.
class FilterEncoder {
 public:
  explicit FilterEncoder(std::string* out) : writer_(out) {}

  void Run(const Filter& filter) {
    Measure(filter);
    Write(filter);
  }

 private:
  std::size_t Measure(const Filter& filter) {
    const std::size_t slot = sizes_.size();
    sizes_.push_back(0);
    const std::size_t content = MeasureContent(filter);
    sizes_[slot] = content;
    return SizeOf(content);
  }

  std::size_t MeasureContent(const Filter& filter) {
    std::size_t size = 0;
    switch (filter.kind) {
      case FilterKind::kAnd:
      case FilterKind::kOr:
      case FilterKind::kNot:
        for (const Filter& child : filter.children) size += Measure(child);
        return size;
      case FilterKind::kPresent: return filter.attribute.size();
      case FilterKind::kSubstrings:
        return SizeOf(filter.attribute.size()) + SizeOf(PiecesSize(filter));
      case FilterKind::kExtensible: return ExtensibleSize(filter);
      default: return SizeOf(filter.attribute.size()) + SizeOf(filter.value.size());
    }
  }

  void Write(const Filter& filter) {
    writer_.Header(TagOf(filter.kind), sizes_[next_++]);
    switch (filter.kind) {
      case FilterKind::kAnd:
      case FilterKind::kOr:
      case FilterKind::kNot:
        for (const Filter& child : filter.children) Write(child);
        break;
      case FilterKind::kPresent: writer_.Raw(filter.attribute); break;
      case FilterKind::kSubstrings: WriteSubstrings(filter); break;
      case FilterKind::kExtensible: WriteExtensible(filter); break;
      default: writer_.OctetString(filter.attribute); writer_.OctetString(filter.value);
    }
  }

  void WriteSubstrings(const Filter& filter) {
    writer_.OctetString(filter.attribute);
    writer_.Header(ber::kSequence, PiecesSize(filter));
    if (!filter.initial.empty()) writer_.OctetString(filter.initial, kInitialTag);
    for (const std::string& piece : filter.any) writer_.OctetString(piece, kAnyTag);
    if (!filter.final_piece.empty()) writer_.OctetString(filter.final_piece, kFinalTag);
  }

  void WriteExtensible(const Filter& filter) {
    if (!filter.matching_rule.empty()) writer_.OctetString(filter.matching_rule, kRuleTag);
    if (!filter.attribute.empty()) writer_.OctetString(filter.attribute, kTypeTag);
    writer_.OctetString(filter.value, kValueTag);
    if (filter.dn_attributes) writer_.Boolean(true, kDnAttributesTag);
  }

  ber::Writer writer_;
  std::vector<std::size_t> sizes_;
  std::size_t next_ = 0;
};

}  // namespace

Result<Filter> Filter::Decode(std::string_view element) { return FilterDecoder().Run(element); }

void Filter::Encode(std::string* out) const { FilterEncoder(out).Run(*this); }

}  // namespace twintree::model
